#include "runtime/observe/status_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/status.h"
#include "httplib.h"
#include "runtime/observe/http_address.h"
#include "runtime/observe/http_connection.h"
#include "runtime/observe/metrics.h"
#include "runtime/observe/page_files.h"

namespace flaim::runtime {
namespace {

const httplib::Headers& SafeHeaders() {
  static const httplib::Headers headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  return headers;
}

void SetContent(httplib::Response& response, std::string_view content, const char* type) {
  response.set_content(content.data(), content.size(), type);
}

void Refuse(httplib::Response& response, int status, std::string_view why) {
  response.status = status;
  SetContent(response, why, "text/plain; charset=utf-8");
}

void Answer(const httplib::Request& request, httplib::Response& response, const StatusBoard& board) {
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    return Refuse(response, 405, "405: this server can only be read\n");
  }
  const std::string& path = request.path;
  if (path == "/") return SetContent(response, kPageIndex, "text/html; charset=utf-8");
  if (path == "/style.css") return SetContent(response, kPageStyle, "text/css; charset=utf-8");
  if (path == "/page.js") return SetContent(response, kPageScript, "text/javascript; charset=utf-8");
  if (path == "/icon.svg") return SetContent(response, kPageIcon, "image/svg+xml");
  if (path == "/status.json") return SetContent(response, ToJson(board.Read()), "application/json");
  if (path == "/metrics") return SetContent(response, ToMetrics(board.Read()), kMetricsContentType);
  if (path == "/healthz") return SetContent(response, "ok\n", "text/plain; charset=utf-8");
  Refuse(response, 404, "404: there are /, /status.json, /metrics and /healthz\n");
}

// httplib with our own connections: one request each, under the limits.
class LimitedServer final : public httplib::Server {
 public:
  LimitedServer(const StatusBoard& board, const StatusServerLimits& limits) : limits_(limits) {
    new_task_queue = [limits] { return new ConnectionThreads(limits.max_connections); };
    set_default_headers(SafeHeaders());
    set_payload_max_length(0);
    // Without SO_REUSEPORT, with which two servers would share a port and both believe to have it.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    set_pre_routing_handler([&board](const httplib::Request& request, httplib::Response& response) {
      Answer(request, response, board);
      return HandlerResponse::Handled;
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
      Refuse(response, 500, "500: the status cannot be shown\n");
    });
  }

  bool Bind(HttpAddress& address) {
    if (address.port == 0) {
      address.port = bind_to_any_port(address.host);
    } else if (!bind_to_port(address.host, address.port)) {
      address.port = -1;
    }
    // httplib lets five wait, and the sixth tries again only after a second.
    return address.port > 0 && ::listen(svr_sock_, static_cast<int>(limits_.max_connections)) == 0;
  }
  // On the thread that accepts connections. Anything else than that thread is a connection's own.
  void Listen() {
    acceptor_ = std::this_thread::get_id();
    listen_after_bind();
    has_ended_ = true;
  }
  bool has_ended() const { return has_ended_; }
  void HangUp() {
    is_stopping_ = true;
    stop();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    const bool is_refused = std::this_thread::get_id() == acceptor_;
    const bool is_answered = !is_refused && Serve(socket);
    ::close(socket);
    return is_answered;
  }

  bool Serve(int socket) {
    // Neither parts of a page nor compression are worth what they let a stranger ask for.
    const auto simplify = [](httplib::Request& request) {
      request.ranges.clear();
      request.headers.erase("Accept-Encoding");
    };
    HttpConnection connection(socket, limits_, is_stopping_);
    bool is_closed = false;
    try {
      if (!process_request(connection, /*close_connection=*/true, is_closed, simplify)) return false;
    } catch (const std::exception&) {
      return false;
    }
    connection.Finish();
    return true;
  }

  const StatusServerLimits limits_;
  std::thread::id acceptor_;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> has_ended_ = false;
};

class HttpStatusServer final : public StatusServer {
 public:
  HttpStatusServer(const StatusBoard& board, const StatusServerLimits& limits) : server_(board, limits) {}
  ~HttpStatusServer() override { Stop(); }

  absl::Status Listen(const HttpAddress& address) {
    address_ = address;
    errno = 0;
    if (!server_.Bind(address_)) {
      const int error = errno;
      return Unavailable("the status page cannot be served on {}: {}. Name an address of this machine and a free port",
                         address.ToText(), error == 0 ? "it is no address of this machine" : std::strerror(error));
    }
    listener_ = std::thread([this] { server_.Listen(); });
    while (!server_.is_running() && !server_.has_ended()) std::this_thread::yield();
    return absl::OkStatus();
  }

  int port() const override { return address_.port; }

  std::string url() const override {
    HttpAddress reached = address_;
    if (reached.host == "0.0.0.0") reached.host = "127.0.0.1";
    if (reached.host == "::") reached.host = "::1";
    return fmt::format("http://{}/", reached.ToText());
  }

  void Stop() override {
    const std::lock_guard lock(mutex_);
    if (!listener_.joinable()) return;
    server_.HangUp();
    listener_.join();
  }

 private:
  LimitedServer server_;
  HttpAddress address_;
  std::mutex mutex_;
  std::thread listener_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<StatusServer>> StatusServer::Start(const std::string& listen, const StatusBoard& board,
                                                                  const StatusServerLimits& limits) {
  ASSIGN_OR_RETURN(const HttpAddress address, ParseHttpAddress(listen));
  auto server = std::make_unique<HttpStatusServer>(board, limits);
  RETURN_IF_ERROR(server->Listen(address));
  return server;
}

}  // namespace flaim::runtime
