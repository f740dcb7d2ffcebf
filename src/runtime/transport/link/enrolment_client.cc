#include <algorithm>

#include "base/status.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/network_address.h"
#include "runtime/transport/link/client_channel.h"
#include "runtime/transport/link/connection_failure.h"
#include "runtime/transport/link/coordinator_link.h"
#include "runtime/transport/stream/status_codes.h"
#include "runtime/transport/tls/presented_chain.h"
#include "transport.grpc.pb.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kMaxReplyBytes = std::size_t{16} << 20;

// The authority that the server presents, once it is known to be the one of the invite and to have signed for the
// server.
absl::StatusOr<std::string> RecogniseAuthority(const UnknownSite& site) {
  ASSIGN_OR_RETURN(const NetworkAddress address, ParseNetworkAddress(site.address));
  ASSIGN_OR_RETURN(const std::vector<std::string> chain, FetchPresentedChain(site.address, site.timeout));
  const auto found = std::find_if(chain.begin(), chain.end(), [&](const std::string& certificate) {
    const absl::StatusOr<Digest> fingerprint = CertificateFingerprint(certificate);
    return fingerprint.ok() && *fingerprint == site.authority_fingerprint;
  });
  if (found == chain.end()) {
    return absl::UnauthenticatedError(fmt::format(
        "the server at {} is not the one that the invite code names: it belongs to another study, or "
        "somebody is in between. Nothing was sent to it; ask for a new code, and do not go on with this one",
        site.address));
  }
  RETURN_IF_ERROR(CheckServer(chain.front(), *found, address.host, SystemClock()));
  return *found;
}

// A channel that believes this authority only, and verifies once more.
absl::StatusOr<std::shared_ptr<grpc::Channel>> DialRecognised(const UnknownSite& site) {
  ASSIGN_OR_RETURN(std::string authority, RecogniseAuthority(site));
  const grpc::SslCredentialsOptions tls{
      .pem_root_certs = std::move(authority), .pem_private_key = "", .pem_cert_chain = ""};
  return Dial({.address = site.address, .server_name = "", .timeout = site.timeout, .max_frame_bytes = kMaxReplyBytes},
              grpc::SslCredentials(tls));
}

absl::Status Explain(const grpc::Status& status, const UnknownSite& site) {
  return ExplainNetworkFailure(FromGrpc(status), site.address);
}

}  // namespace

absl::StatusOr<EnrolmentService::Reception> Enrol(const UnknownSite& site,
                                                  const EnrolmentService::Application& application) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, DialRecognised(site));
  transport::EnrolRequest request;
  request.set_invite_secret(application.invite_secret);
  request.set_signing_request(application.signing_request);
  request.set_verifying_key(application.verifying_key);
  request.set_signature(application.signature);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + site.timeout);
  transport::EnrolReply reply;
  const grpc::Status status = transport::Coordinator::NewStub(channel)->Enrol(&context, request, &reply);
  if (!status.ok()) return Explain(status, site);
  return EnrolmentService::Reception{.site = std::move(*reply.mutable_site()),
                                     .manifest = std::move(*reply.mutable_manifest()),
                                     .signature = std::move(*reply.mutable_signature())};
}

absl::StatusOr<EnrolmentService::Collection> Collect(const UnknownSite& site, const std::string& invite_secret,
                                                     const std::string& verifying_key) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, DialRecognised(site));
  transport::CollectRequest request;
  request.set_invite_secret(invite_secret);
  request.set_verifying_key(verifying_key);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + site.timeout);
  transport::CollectReply reply;
  const grpc::Status status = transport::Coordinator::NewStub(channel)->Collect(&context, request, &reply);
  if (!status.ok()) return Explain(status, site);
  return EnrolmentService::Collection{.is_pending = reply.is_pending(),
                                      .certificate = std::move(*reply.mutable_certificate()),
                                      .authority = std::move(*reply.mutable_authority())};
}

}  // namespace flaim::runtime
