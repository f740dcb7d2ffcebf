#include "runtime/transport/tls/tls_handshake.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>

#include <csignal>
#include <ctime>
#include <functional>

#include "base/status.h"
#include "runtime/identity/pem.h"

namespace flaim::runtime {
namespace {

using ContextHandle = std::unique_ptr<SSL_CTX, FreeWith<&SSL_CTX_free>>;
using TlsHandle = std::unique_ptr<SSL, FreeWith<&SSL_free>>;

constexpr unsigned char kHttp2[] = {2, 'h', '2'};

// OpenSSL writes with write(2): a peer that has closed the connection would end this whole program with SIGPIPE. Held
// back in this thread, the write fails instead, as everything else that goes wrong here does.
class BrokenPipeSignalHeld {
 public:
  BrokenPipeSignalHeld() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~BrokenPipeSignalHeld() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    const timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BrokenPipeSignalHeld(const BrokenPipeSignalHeld&) = delete;
  BrokenPipeSignalHeld& operator=(const BrokenPipeSignalHeld&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

absl::StatusOr<TlsHandle> MakeClient(const Socket& socket, const TlsIdentity& identity, const std::string& host) {
  ASSIGN_OR_RETURN(const CertificateHandle certificate, CertificateFromPem(identity.certificate));
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(identity.private_key));
  const ContextHandle context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
      SSL_CTX_use_certificate(context.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1 ||
      SSL_CTX_set_alpn_protos(context.get(), kHttp2, sizeof kHttp2) != 0) {
    return OpenSslFailure();
  }
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  TlsHandle client(SSL_new(context.get()));
  if (client == nullptr || SSL_set_fd(client.get(), socket.descriptor()) != 1) return OpenSslFailure();
  if (!IsIpAddress(host)) SSL_set_tlsext_host_name(client.get(), host.c_str());
  return client;
}

// Repeats the operation while it waits for the network. OK, or why it did not come to an end.
absl::Status Complete(const Socket& socket, SSL& client, std::chrono::milliseconds timeout,
                      const std::function<int()>& operation) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    ERR_clear_error();
    const int result = operation();
    if (result > 0) return absl::OkStatus();
    const int error = SSL_get_error(&client, result);
    const bool is_waiting = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    if (!is_waiting) {
      const int reason = ERR_GET_REASON(ERR_peek_error());
      if (error == SSL_ERROR_SSL && reason > SSL_AD_REASON_OFFSET) {
        return absl::UnauthenticatedError(SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET));
      }
      return absl::UnavailableError(error == SSL_ERROR_SSL ? "it does not speak TLS" : "it closes the connection");
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    const short events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
    if (left.count() <= 0 || !socket.WaitFor(events, left)) return absl::DeadlineExceededError("it is silent");
  }
}

std::vector<std::string> ChainOf(const SSL& client) {
  std::vector<std::string> chain;
  const STACK_OF(X509)* presented = SSL_get_peer_cert_chain(&client);
  for (int i = 0; presented != nullptr && i < sk_X509_num(presented); ++i) {
    absl::StatusOr<std::string> pem = ToPem(*sk_X509_value(presented, i));
    if (pem.ok()) chain.push_back(*std::move(pem));
  }
  return chain;
}

absl::Status ExplainRefusal(const absl::Status& reason) {
  if (reason.ok()) return reason;
  return absl::UnauthenticatedError(fmt::format(
      "the coordinator does not accept the certificate of this site ({}): check that the clocks of both machines are "
      "right, and that the certificate is of this study; if it is, ask for a new invite",
      std::string(reason.message())));
}

}  // namespace

absl::StatusOr<TlsHandshake> ShakeHands(const Socket& socket, const TlsIdentity& identity, const std::string& host,
                                        std::chrono::milliseconds timeout) {
  const ErrorQueueMark mark;
  const BrokenPipeSignalHeld held;
  ASSIGN_OR_RETURN(const TlsHandle client, MakeClient(socket, identity, host));
  const absl::Status shaken = Complete(socket, *client, timeout, [&] { return SSL_connect(client.get()); });
  TlsHandshake handshake{.version = SSL_get_version(client.get()), .chain = ChainOf(*client), .acceptance = {}};
  if (!shaken.ok() && handshake.chain.empty()) {
    return Unavailable("what listens there is not a coordinator ({}): check the address and the port",
                       std::string(shaken.message()));
  }
  char first_byte = 0;
  handshake.acceptance = ExplainRefusal(
      shaken.ok() ? Complete(socket, *client, timeout, [&] { return SSL_read(client.get(), &first_byte, 1); })
                  : shaken);
  return handshake;
}

}  // namespace flaim::runtime
