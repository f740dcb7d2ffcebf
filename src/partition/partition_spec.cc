#include "partition/partition_spec.h"

#include <array>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "data/message_text.h"
#include "data/types/number_text.h"
#include "partition/partition.h"

namespace flaim {
namespace {

constexpr std::string_view kIid = "iid";
constexpr std::string_view kColumn = "column";
constexpr std::array kKinds = {kIid, kColumn};

absl::StatusOr<PartitionSpec> ParseIid(std::string_view clients) {
  const std::optional<std::int64_t> number = ParseInteger(clients);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(kMaxClients)) {
    return IidSpec{static_cast<std::size_t>(*number)};
  }
  return InvalidArgument("{} is not a number of clients; write a whole number from 1 to {}, for example iid:100",
                         QuoteForMessage(clients), kMaxClients);
}

absl::StatusOr<PartitionSpec> ParseColumn(std::string_view name) {
  if (!name.empty()) return ClientColumnSpec{std::string(name)};
  return InvalidArgument("the partition names no column; write its name after the colon, for example column:client_id");
}

absl::Status UnknownKind(std::string_view text, std::string_view kind) {
  return InvalidArgument("{} is not a partition; write iid:CLIENTS or column:NAME, for example iid:100.{}",
                         QuoteForMessage(text), SuggestNearest(kind, kKinds));
}

}  // namespace

absl::StatusOr<PartitionSpec> ParsePartitionSpec(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (kind == kIid) return ParseIid(rest);
  if (kind == kColumn) return ParseColumn(rest);
  return UnknownKind(text, kind);
}

}  // namespace flaim
