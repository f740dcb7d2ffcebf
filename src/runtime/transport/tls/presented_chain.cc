#include "runtime/transport/tls/presented_chain.h"

#include <memory>
#include <mutex>

#include "base/status.h"
#include "fmt/ranges.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/tls_certificate_verifier.h"
#include "grpcpp/security/tls_credentials_options.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/network_address.h"
#include "runtime/identity/pem.h"
#include "runtime/transport/link/client_channel.h"
#include "runtime/transport/link/connection_failure.h"
#include "runtime/transport/stream/status_codes.h"
#include "runtime/transport/tls/certificate_chain.h"
#include "transport.grpc.pb.h"

namespace flaim::runtime {
namespace {

struct Capture {
  std::mutex mutex;
  std::string chain;
};

// Keeps what was presented, and refuses it: gRPC then cuts the connection.
class CapturingVerifier final : public grpc::experimental::ExternalCertificateVerifier {
 public:
  explicit CapturingVerifier(std::shared_ptr<Capture> capture) : capture_(std::move(capture)) {}

  bool Verify(grpc::experimental::TlsCustomVerificationCheckRequest* request,
              std::function<void(grpc::Status)> /*callback*/, grpc::Status* result) override {
    const grpc::string_ref chain = request->peer_cert_full_chain();
    const std::lock_guard lock(capture_->mutex);
    capture_->chain.assign(chain.data(), chain.size());
    *result = {grpc::StatusCode::UNAUTHENTICATED, "only looking"};
    return true;
  }
  void Cancel(grpc::experimental::TlsCustomVerificationCheckRequest* /*request*/) override {}

 private:
  std::shared_ptr<Capture> capture_;
};

std::shared_ptr<grpc::ChannelCredentials> CapturingCredentials(const std::shared_ptr<Capture>& capture) {
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_verify_server_certs(false);
  options.set_check_call_host(false);
  options.set_certificate_verifier(grpc::experimental::ExternalCertificateVerifier::Create<CapturingVerifier>(capture));
  return grpc::experimental::TlsCredentials(options);
}

bool IsForHost(X509& certificate, const std::string& host) {
  if (IsIpAddress(host)) return X509_check_ip_asc(&certificate, host.c_str(), 0) == 1;
  return X509_check_host(&certificate, host.data(), host.size(), 0, nullptr) == 1;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FetchPresentedChain(const std::string& address,
                                                             std::chrono::milliseconds timeout) {
  constexpr std::size_t kNothingIsExpected = 1024;
  const auto capture = std::make_shared<Capture>();
  const std::shared_ptr<grpc::Channel> channel =
      Dial({.address = address, .server_name = "", .timeout = timeout, .max_frame_bytes = kNothingIsExpected},
           CapturingCredentials(capture));
  // A call that is never made, since there is no connection for it: only a call says what went wrong.
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + timeout);
  transport::CollectReply reply;
  const grpc::Status status = transport::Coordinator::NewStub(channel)->Collect(&context, {}, &reply);
  const std::lock_guard lock(capture->mutex);
  std::vector<std::string> chain = SplitChain(capture->chain);
  if (!chain.empty()) return chain;
  absl::Status explained = ExplainNetworkFailure(FromGrpc(status), address);
  if (absl::IsUnavailable(explained)) return explained;
  return Unavailable("no secure connection to {} could be made: check that the port is the coordinator's ({})", address,
                     std::string(explained.message()));
}

absl::Status CheckServer(const std::string& certificate, const std::string& authority, const std::string& host,
                         const Clock& clock) {
  RETURN_IF_ERROR(CheckCertificate(certificate, authority, clock));
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const CertificateHandle parsed, CertificateFromPem(certificate));
  if (IsForHost(*parsed, host)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const CertificateFacts facts, ReadCertificate(certificate));
  return absl::UnauthenticatedError(
      fmt::format("the coordinator's certificate is for {}, not for {}: use one of these names in the address, or have "
                  "the coordinator's certificate issued for this one too",
                  fmt::join(facts.hosts, ", "), host));
}

}  // namespace flaim::runtime
