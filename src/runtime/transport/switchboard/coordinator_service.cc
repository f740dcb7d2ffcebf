#include "runtime/transport/switchboard/coordinator_service.h"

#include <utility>
#include <vector>

#include "base/status.h"
#include "grpc/grpc_security_constants.h"
#include "grpcpp/security/auth_context.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/invite_code.h"
#include "runtime/transport/stream/status_codes.h"

namespace flaim::runtime {
namespace {

using Frame = transport::Frame;

// Ends a stream before it has begun.
class RefusedStream final : public grpc::ServerBidiReactor<Frame, Frame> {
 public:
  explicit RefusedStream(const absl::Status& reason) { Finish(ToGrpc(reason)); }
  void OnDone() override { delete this; }
};

// TLS has verified the certificate already.
absl::StatusOr<Peer> IdentifyPeer(const grpc::AuthContext* authentication) {
  const std::vector<grpc::string_ref> pem = authentication != nullptr && authentication->IsPeerAuthenticated()
                                                ? authentication->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME)
                                                : std::vector<grpc::string_ref>{};
  if (pem.size() != 1) {
    return absl::UnauthenticatedError("only a site with a certificate of this study may connect: join the study first");
  }
  const std::string certificate(pem[0].data(), pem[0].size());
  ASSIGN_OR_RETURN(const Digest fingerprint, CertificateFingerprint(certificate));
  ASSIGN_OR_RETURN(CertificateFacts facts, ReadCertificate(certificate));
  RETURN_IF_ERROR(CheckSiteName(facts.name));
  return Peer{.site = std::move(facts.name), .fingerprint = fingerprint};
}

absl::StatusOr<std::string> InstanceOf(const grpc::CallbackServerContext& context) {
  constexpr std::size_t kLongest = 64;
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kInstanceKey);
  if (found == metadata.end() || found->second.empty() || found->second.size() > kLongest) {
    return InvalidArgument("the peer does not say which process it is: its program is not of this version");
  }
  return std::string(found->second.data(), found->second.size());
}

}  // namespace

grpc::ServerUnaryReactor* CoordinatorService::Answer(grpc::CallbackServerContext& context, std::size_t request_bytes,
                                                     std::function<absl::Status()> answer) {
  grpc::ServerUnaryReactor* reactor = context.DefaultReactor();
  if (request_bytes > kMaxEnrolmentBytes) {
    reactor->Finish(ToGrpc(InvalidArgument("the request is larger than {} bytes", kMaxEnrolmentBytes)));
    return reactor;
  }
  if (enrolments_.fetch_add(1) >= kMaxEnrolmentsAtOnce) {
    --enrolments_;
    reactor->Finish(ToGrpc(ResourceExhausted("too many sites ask at once: try again in a few seconds")));
    return reactor;
  }
  threads_.Post([this, reactor, answer = std::move(answer)] {
    const grpc::Status status = ToGrpc(answer());
    --enrolments_;
    reactor->Finish(status);
  });
  return reactor;
}

grpc::ServerUnaryReactor* CoordinatorService::Enrol(grpc::CallbackServerContext* context,
                                                    const transport::EnrolRequest* request,
                                                    transport::EnrolReply* reply) {
  return Answer(*context, request->ByteSizeLong(), [this, request, reply]() -> absl::Status {
    ASSIGN_OR_RETURN(EnrolmentService::Reception reception,
                     enrolment_.Enrol({.invite_secret = request->invite_secret(),
                                       .signing_request = request->signing_request(),
                                       .verifying_key = request->verifying_key(),
                                       .signature = request->signature()}));
    reply->set_site(std::move(reception.site));
    reply->set_manifest(std::move(reception.manifest));
    reply->set_signature(std::move(reception.signature));
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* CoordinatorService::Collect(grpc::CallbackServerContext* context,
                                                      const transport::CollectRequest* request,
                                                      transport::CollectReply* reply) {
  return Answer(*context, request->ByteSizeLong(), [this, request, reply]() -> absl::Status {
    ASSIGN_OR_RETURN(EnrolmentService::Collection collection,
                     enrolment_.Collect(request->invite_secret(), request->verifying_key()));
    reply->set_is_pending(collection.is_pending);
    reply->set_certificate(std::move(collection.certificate));
    reply->set_authority(std::move(collection.authority));
    return absl::OkStatus();
  });
}

grpc::ServerBidiReactor<Frame, Frame>* CoordinatorService::Serve(grpc::CallbackServerContext* context) {
  absl::StatusOr<Peer> peer = IdentifyPeer(context->auth_context().get());
  if (!peer.ok()) return new RefusedStream(peer.status());
  absl::StatusOr<std::string> instance = InstanceOf(*context);
  if (!instance.ok()) return new RefusedStream(instance.status());
  const std::shared_ptr<SiteConnection> connection = acceptor_.Accept(*context, *std::move(peer), *std::move(instance));
  if (connection == nullptr) return new RefusedStream(absl::UnavailableError("the coordinator is stopping"));
  return connection.get();
}

}  // namespace flaim::runtime
