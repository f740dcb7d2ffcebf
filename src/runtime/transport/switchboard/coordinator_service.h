#pragma once

#include <atomic>
#include <string>

#include "runtime/transport/stream/event_threads.h"
#include "runtime/transport/switchboard/site_connection.h"
#include "transport.grpc.pb.h"

namespace flaim::runtime {

// Who takes the streams of sites that have shown a certificate.
class StreamAcceptor {
 public:
  virtual ~StreamAcceptor() = default;
  // Null if none are taken any more. Called from gRPC's threads: must not wait for anything.
  virtual std::shared_ptr<SiteConnection> Accept(grpc::CallbackServerContext& context, Peer peer,
                                                 std::string instance) = 0;
};

// The coordinator's port, as gRPC calls it: who is at the other end is found out here.
class CoordinatorService final : public transport::Coordinator::CallbackService {
 public:
  static constexpr int kMaxEnrolmentsAtOnce = 10;
  static constexpr std::size_t kMaxEnrolmentBytes = std::size_t{64} << 10;

  // All must outlive it.
  CoordinatorService(EnrolmentService& enrolment, StreamAcceptor& acceptor, EventThreads& threads)
      : enrolment_(enrolment), acceptor_(acceptor), threads_(threads) {}

  grpc::ServerUnaryReactor* Enrol(grpc::CallbackServerContext* context, const transport::EnrolRequest* request,
                                  transport::EnrolReply* reply) override;
  grpc::ServerUnaryReactor* Collect(grpc::CallbackServerContext* context, const transport::CollectRequest* request,
                                    transport::CollectReply* reply) override;
  grpc::ServerBidiReactor<transport::Frame, transport::Frame>* Serve(grpc::CallbackServerContext* context) override;

 private:
  // Runs `answer` on a thread where it may take its time, unless too many are at it already.
  grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext& context, std::size_t request_bytes,
                                   std::function<absl::Status()> answer);

  EnrolmentService& enrolment_;
  StreamAcceptor& acceptor_;
  EventThreads& threads_;
  std::atomic<int> enrolments_ = 0;
};

}  // namespace flaim::runtime
