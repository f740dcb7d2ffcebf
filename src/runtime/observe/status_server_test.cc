#include "runtime/observe/status_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "httplib.h"
#include "runtime/observe/metrics.h"
#include "runtime/observe/page_files.h"
#include "runtime/observe/study_status_testing.h"

namespace flaim::runtime {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_support::ExampleStatus;

struct Observed {
  ManualClock clock{std::chrono::system_clock::time_point(std::chrono::hours(500'000))};
  std::ostringstream out;
  Log log{out, LogFormat::kText, clock};
  StatusBoard board{clock, log};

  Observed() {
    board.Update([](StudyStatus& status) { status = ExampleStatus(5); });
    log.Info("round finished", {{"round", 7}});
  }
  std::unique_ptr<StatusServer> Serve(const StatusServerLimits& limits = {}) const {
    absl::StatusOr<std::unique_ptr<StatusServer>> server = StatusServer::Start("127.0.0.1:0", board, limits);
    EXPECT_TRUE(server.ok()) << server.status();
    return server.ok() ? *std::move(server) : nullptr;
  }
};

// A connection to a server that says byte by byte what the test wants it to.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_connected() const { return is_connected_; }
  bool Say(const std::string& text) const {
    return send(socket_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  void Hush() const { shutdown(socket_, SHUT_WR); }
  // All that the server says until it hangs up.
  std::string Listen() const {
    std::string heard;
    char chunk[4096];
    for (ssize_t size = 0; (size = recv(socket_, chunk, sizeof(chunk), 0)) > 0;) {
      heard.append(chunk, static_cast<std::size_t>(size));
    }
    return heard;
  }

 private:
  const int socket_;
  bool is_connected_ = false;
};

std::string Ask(int port, const std::string& request) {
  const RawClient client(port);
  EXPECT_TRUE(client.is_connected());
  client.Say(request);
  return client.Listen();
}

TEST(StatusServer, ServesTheStatusThatAClientReads) {
  const Observed observed;
  const auto server = observed.Serve();
  const absl::StatusOr<StudyStatus> status = FetchStatus(server->url());
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(*status, observed.board.Read());
}

TEST(StatusServer, ServesThePageTheMetricsAndItsHealth) {
  const Observed observed;
  const auto server = observed.Serve();
  httplib::Client client("127.0.0.1", server->port());
  const std::vector<std::tuple<const char*, std::string, const char*>> expected = {
      {"/", std::string(kPageIndex), "text/html; charset=utf-8"},
      {"/?theme=any", std::string(kPageIndex), "text/html; charset=utf-8"},
      {"/style.css", std::string(kPageStyle), "text/css; charset=utf-8"},
      {"/page.js", std::string(kPageScript), "text/javascript; charset=utf-8"},
      {"/icon.svg", std::string(kPageIcon), "image/svg+xml"},
      {"/metrics", ToMetrics(observed.board.Read()), "text/plain; version=0.0.4; charset=utf-8"},
      {"/healthz", "ok\n", "text/plain; charset=utf-8"}};
  for (const auto& [path, body, type] : expected) {
    const httplib::Result result = client.Get(path);
    ASSERT_TRUE(result) << path << ": " << result.error();
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body, body);
    EXPECT_EQ(result->get_header_value("Content-Type"), type);
  }
  EXPECT_THAT(std::string(kPageIndex), StartsWith("<!doctype html>"));
}

TEST(StatusServer, SendsSafeHeadersWithEveryAnswer) {
  const Observed observed;
  const auto server = observed.Serve();
  httplib::Client client("127.0.0.1", server->port());
  for (const char* path : {"/", "/status.json", "/unknown"}) {
    const httplib::Result result = client.Get(path);
    ASSERT_TRUE(result);
    EXPECT_THAT(result->get_header_value("Content-Security-Policy"), StartsWith("default-src 'none'"));
    EXPECT_EQ(result->get_header_value("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(result->get_header_value("Cache-Control"), "no-store");
    EXPECT_EQ(result->get_header_value("Content-Encoding"), "");
  }
}

TEST(StatusServer, CanOnlyBeRead) {
  const Observed observed;
  const auto server = observed.Serve();
  httplib::Client client("127.0.0.1", server->port());
  std::vector<httplib::Result> results;
  results.push_back(client.Post("/", "a=b", "text/plain"));
  results.push_back(client.Put("/status.json", "{}", "application/json"));
  results.push_back(client.Delete("/metrics"));
  results.push_back(client.Options("/"));
  for (const httplib::Result& result : results) {
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->status, 405);
    EXPECT_EQ(result->get_header_value("Allow"), "GET, HEAD");
  }
  EXPECT_EQ(client.Get("/nothing")->status, 404);
  EXPECT_EQ(client.Get("/../etc/passwd")->status, 404);
  EXPECT_EQ(client.Get("/status.json/")->status, 404);
}

TEST(StatusServer, AnswersAHeadWithoutABody) {
  const Observed observed;
  const auto server = observed.Serve();
  const std::string answer = Ask(server->port(), "HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 3\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST(StatusServer, SurvivesNonsense) {
  const Observed observed;
  const auto server = observed.Serve();
  std::string ranges = "bytes=0-";
  while (ranges.size() < 7000) ranges += ",0-";
  for (const std::string& request :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(3000, '\0'), std::string("\x16\x03\x01\x02"),
        fmt::format("GET /{} HTTP/1.1\r\n\r\n", std::string(9000, 'a')), std::string("GET / HTTP/9.9\r\n\r\n"),
        fmt::format("GET / HTTP/1.1\r\nA: {}\r\n\r\n", std::string(100'000, 'b')),
        fmt::format("GET / HTTP/1.1\r\nRange: {}\r\n\r\n", ranges),
        std::string("POST / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\nx"),
        std::string("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"),
        std::string("GET / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")}) {
    const RawClient client(server->port());
    client.Say(request);
    client.Hush();
    EXPECT_LT(client.Listen().size(), 100'000U);
  }
  EXPECT_TRUE(FetchStatus(server->url()).ok());
}

TEST(StatusServer, HangsUpOnSlowClients) {
  const Observed observed;
  const auto server = observed.Serve({.patience = milliseconds(200)});
  const RawClient silent(server->port());
  const RawClient slow(server->port());
  slow.Say("GET / HT");
  std::atomic<bool> is_cut_off = false;
  std::thread dripping([&] {
    while (!is_cut_off && slow.Say("x")) std::this_thread::sleep_for(milliseconds(20));
  });
  EXPECT_EQ(silent.Listen(), "");
  EXPECT_EQ(slow.Listen(), "");
  is_cut_off = true;
  dripping.join();
}

TEST(StatusServer, TurnsAwayWhoComesWhileAllConnectionsAreTaken) {
  const Observed observed;
  const auto server = observed.Serve({.max_connections = 3, .patience = milliseconds(60'000)});
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 3; ++i) idle.push_back(std::make_unique<RawClient>(server->port()));
  EXPECT_EQ(RawClient(server->port()).Listen(), "");
  idle.clear();
  std::string answer;
  while (answer.empty()) answer = Ask(server->port(), "GET /healthz HTTP/1.1\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
}

TEST(StatusServer, ServesManyClientsWhileTheStatusChanges) {
  Observed observed;
  const auto server = observed.Serve({.max_connections = 1000});
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back([&] {
      for (int j = 0; j < 5; ++j) {
        const absl::StatusOr<StudyStatus> status = FetchStatus(server->url());
        EXPECT_TRUE(status.ok()) << status.status();
        answered += status.ok() ? 1 : 0;
      }
    });
  }
  while (answered < 50 && !::testing::Test::HasFailure()) {
    observed.board.Update([](StudyStatus& status) { status.sites.resize(1 + status.sites.size() % 10); });
    observed.log.Info("tick");
    std::this_thread::sleep_for(milliseconds(1));
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 50);
}

TEST(StatusServer, StopsWhileClientsAreConnected) {
  const Observed observed;
  const auto server = observed.Serve({.patience = std::chrono::hours(1)});
  const RawClient idle(server->port());
  EXPECT_TRUE(FetchStatus(server->url()).ok());
  server->Stop();
  EXPECT_EQ(idle.Listen(), "");
  EXPECT_FALSE(RawClient(server->port()).is_connected());
  EXPECT_EQ(FetchStatus(server->url()).status().code(), absl::StatusCode::kUnavailable);
  server->Stop();
}

TEST(StatusServer, RefusesAnAddressThatItCannotHave) {
  const Observed observed;
  const auto server = observed.Serve();
  const std::string taken = fmt::format("127.0.0.1:{}", server->port());
  for (const std::string& address : {taken, std::string("192.0.2.1:0"), std::string("no-such-host.invalid:0")}) {
    const absl::Status refused = StatusServer::Start(address, observed.board).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(refused.message()), HasSubstr(address));
  }
  EXPECT_THAT(std::string(StatusServer::Start(taken, observed.board).status().message()), HasSubstr("in use"));
  EXPECT_EQ(StatusServer::Start("8088", observed.board).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(StatusServer, NamesAnAddressThatCanBeReachedFromHere) {
  const Observed observed;
  const auto server = StatusServer::Start("0.0.0.0:0", observed.board);
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_EQ((*server)->url(), fmt::format("http://127.0.0.1:{}/", (*server)->port()));
  EXPECT_TRUE(FetchStatus((*server)->url()).ok());
}

TEST(FetchStatus, SaysWhatIsWrongWithWhatAnswers) {
  httplib::Server other;
  other.Get("/status.json", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("{\"study\":1}", "application/json");
  });
  const int port = other.bind_to_any_port("127.0.0.1");
  std::thread listener([&] { other.listen_after_bind(); });
  const absl::Status status = FetchStatus(fmt::format("127.0.0.1:{}", port)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("not a coordinator of this version"));
  other.stop();
  listener.join();
}

TEST(FetchStatus, RefusesAnAddressThatIsNone) {
  for (const char* url : {"https://127.0.0.1:1/", "not an address", ""}) {
    EXPECT_EQ(FetchStatus(url).status().code(), absl::StatusCode::kInvalidArgument) << url;
  }
}

}  // namespace
}  // namespace flaim::runtime
