#include <chrono>
#include <string>

#include "base/status.h"
#include "httplib.h"
#include "runtime/observe/http_address.h"
#include "runtime/observe/status_server.h"

namespace flaim::runtime {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{5};
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

struct Reply {
  int status = 0;  // 0: none
  std::string body;
  std::string error;
};

Reply Get(const HttpAddress& address, const std::string& path) {
  httplib::Client client(address.host, address.port);
  client.set_connection_timeout(kPatience);
  client.set_read_timeout(kPatience);
  client.set_write_timeout(kPatience);
  client.set_decompress(false);
  Reply reply;
  const steady_clock::time_point deadline = steady_clock::now() + 2 * kPatience;
  const httplib::Result result =
      client.Get(path, {{"Accept-Encoding", "identity"}}, [&](const char* data, std::size_t size) {
        reply.body.append(data, size);
        return reply.body.size() <= kMostBytes && steady_clock::now() < deadline;
      });
  if (result) {
    reply.status = result->status;
  } else {
    reply.error = httplib::to_string(result.error());
  }
  return reply;
}

}  // namespace

absl::StatusOr<StudyStatus> FetchStatus(const std::string& url) {
  ASSIGN_OR_RETURN(const HttpAddress address, ParseHttpUrl(url));
  Reply reply;
  try {
    reply = Get(address, "/status.json");
  } catch (const std::exception& exception) {
    reply.error = exception.what();
  }
  if (reply.status == 0) {
    return Unavailable("no coordinator answers at http://{}/ ({}). Is it running?", address.ToText(), reply.error);
  }
  absl::StatusOr<StudyStatus> status = ParseStudyStatus(reply.body);
  if (reply.status == 200 && status.ok()) return status;
  return InvalidArgument(
      "what answers at http://{}/ is not a coordinator of this version ({})", address.ToText(),
      reply.status == 200 ? std::string(status.status().message()) : fmt::format("HTTP status {}", reply.status));
}

}  // namespace flaim::runtime
