#include "app/request/trace_file.h"

#include <algorithm>
#include <memory>

#include "base/status.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxTraceBytes = std::size_t{1} << 30;

}  // namespace

absl::StatusOr<Trace> ReadTraceFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxTraceBytes));
  return ParseTrace(text, path);
}

absl::StatusOr<Trace> TraceOfClients(const Trace& trace, const Partition& partition, const std::string& source) {
  Trace found = trace;
  for (std::size_t round = 0; round < found.rounds.size(); ++round) {
    for (ClientIndex& client : found.rounds[round]) {
      const auto id = static_cast<std::int64_t>(client);
      if (partition.ids.empty()) {
        if (client < partition.clients) continue;
        return InvalidArgument("{}, round {}: there is no client {}; the clients are 0 to {}", source, round + 1,
                               client, partition.clients - 1);
      }
      const auto place = std::lower_bound(partition.ids.begin(), partition.ids.end(), id);
      if (place == partition.ids.end() || *place != id) {
        return InvalidArgument("{}, round {}: no row of the data has client {}; the clients are called {} to {}",
                               source, round + 1, client, partition.ids.front(), partition.ids.back());
      }
      client = static_cast<ClientIndex>(place - partition.ids.begin());
    }
  }
  return found;
}

}  // namespace flaim
