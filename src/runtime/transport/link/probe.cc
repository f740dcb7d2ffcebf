#include "runtime/transport/link/probe.h"

#include <utility>

#include "base/status.h"
#include "fmt/chrono.h"
#include "fmt/ranges.h"
#include "grpcpp/security/credentials.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/network_address.h"
#include "runtime/transport/link/client_channel.h"
#include "runtime/transport/tls/certificate_chain.h"
#include "runtime/transport/tls/presented_chain.h"
#include "runtime/transport/tls/tcp_connection.h"
#include "runtime/transport/tls/tls_handshake.h"

namespace flaim::runtime {
namespace {

// Each step adds itself to the report, and says whether there is a next one.
class ConnectionProbe {
 public:
  ConnectionProbe(const LinkOptions& options, const Clock& clock) : options_(options), clock_(clock) {}

  ProbeReport Run() {
    if (!CheckOwnCertificate()) return std::move(report_);
    absl::StatusOr<NetworkAddress> address = ParseNetworkAddress(options_.address);
    if (!address.ok()) {
      Add("address", address.status());
      return std::move(report_);
    }
    address_ = *std::move(address);
    if (absl::StatusOr<Socket> socket = Reach(); socket.ok()) {
      LookAtTls(*socket);
    } else if (absl::StatusOr<std::vector<std::string>> chain = FetchPresentedChain(options_.address, options_.timeout);
               chain.ok()) {
      LookThroughProxy(chain->front());
    }
    return std::move(report_);
  }

 private:
  bool Add(std::string name, const absl::Status& status, std::string found = "") {
    report_.steps.push_back({.name = std::move(name), .status = status, .found = std::move(found)});
    return status.ok();
  }

  bool CheckOwnCertificate() {
    absl::Status status = CheckIdentity(options_.identity);
    if (status.ok()) status = CheckCertificate(options_.identity.certificate, options_.identity.authority, clock_);
    return Add("certificate of this site", status, status.ok() ? FactsOf(options_.identity.certificate) : "");
  }

  static std::string FactsOf(const std::string& certificate) {
    const absl::StatusOr<CertificateFacts> facts = ReadCertificate(certificate);
    if (!facts.ok()) return {};
    return fmt::format("{}, valid until {:%Y-%m-%d} UTC", facts->name,
                       fmt::gmtime(std::chrono::system_clock::to_time_t(facts->valid_until)));
  }

  absl::StatusOr<Socket> Reach() {
    const absl::StatusOr<std::vector<ResolvedAddress>> resolved = Resolve(address_);
    if (!resolved.ok()) {
      Add("name resolution", resolved.status());
      return resolved.status();
    }
    std::vector<std::string> texts;
    for (const ResolvedAddress& next : *resolved) texts.push_back(next.text);
    Add("name resolution", absl::OkStatus(), fmt::format("{} is {}", address_.host, fmt::join(texts, ", ")));
    absl::StatusOr<Socket> socket = ConnectTcp(*resolved, options_.timeout);
    Add("network", socket.status(), fmt::format("{} answers", options_.address));
    return socket;
  }

  std::string ServerName() const { return options_.server_name.empty() ? address_.host : options_.server_name; }

  void LookAtTls(const Socket& socket) {
    const absl::StatusOr<TlsHandshake> handshake =
        ShakeHands(socket, options_.identity, ServerName(), options_.timeout);
    if (!Add("TLS", handshake.status(), handshake.ok() ? handshake->version : "")) return;
    if (!CheckCoordinator(handshake->chain.front())) return;
    Add("acceptance by the coordinator", handshake->acceptance, "the certificate of this site is accepted");
  }

  bool CheckCoordinator(const std::string& certificate) {
    return Add("certificate of the coordinator",
               CheckServer(certificate, options_.identity.authority, ServerName(), clock_), FactsOf(certificate));
  }

  // What failed without the proxy is not a fault then.
  void LookThroughProxy(const std::string& certificate) {
    report_.steps.pop_back();
    Add("network", absl::OkStatus(), fmt::format("{} answers through a proxy", options_.address));
    if (!CheckCoordinator(certificate)) return;
    const grpc::SslCredentialsOptions tls{.pem_root_certs = options_.identity.authority,
                                          .pem_private_key = options_.identity.private_key,
                                          .pem_cert_chain = options_.identity.certificate};
    const bool is_accepted = Dial({.address = options_.address,
                                   .server_name = options_.server_name,
                                   .timeout = options_.timeout,
                                   .max_frame_bytes = options_.max_frame_bytes},
                                  grpc::SslCredentials(tls))
                                 ->WaitForConnected(std::chrono::system_clock::now() + options_.timeout);
    Add("acceptance by the coordinator",
        is_accepted ? absl::OkStatus()
                    : absl::UnauthenticatedError(
                          "the coordinator does not accept the certificate of this site: check that the clocks of both "
                          "machines are right, and that the certificate is of this study"),
        "the certificate of this site is accepted");
  }

  const LinkOptions& options_;
  const Clock& clock_;
  NetworkAddress address_;
  ProbeReport report_;
};

}  // namespace

ProbeReport Probe(const LinkOptions& options, const Clock& clock) { return ConnectionProbe(options, clock).Run(); }

absl::Status ProbeConnection(const LinkOptions& options) { return Probe(options, SystemClock()).status(); }

}  // namespace flaim::runtime
