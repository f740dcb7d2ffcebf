#include "partition/partition_spec.h"

#include <array>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "io/message_text.h"
#include "io/number_text.h"
#include "partition/clustering.h"
#include "partition/label_skew.h"
#include "partition/partition.h"

namespace flaim {
namespace {

constexpr std::string_view kIid = "iid";
constexpr std::string_view kColumn = "column";
constexpr std::string_view kLabelSkew = "label-skew";
constexpr std::string_view kClusters = "clusters";
constexpr std::array kKinds = {kIid, kColumn, kLabelSkew, kClusters};

// Text up to the next colon, and what follows it.
struct Field {
  std::string_view text;
  std::string_view rest;
};

Field TakeField(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

absl::StatusOr<std::size_t> ParseClients(std::string_view text, std::size_t limit, std::string_view example) {
  const std::optional<std::int64_t> number = ParseInteger(text);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(limit)) return static_cast<std::size_t>(*number);
  return InvalidArgument("{} is not a number of clients; write a whole number from 1 to {}, for example {}",
                         QuoteForMessage(text), limit, example);
}

absl::StatusOr<PartitionSpec> ParseIid(std::string_view text) {
  ASSIGN_OR_RETURN(const std::size_t clients, ParseClients(text, kMaxClients, "iid:100"));
  return IidSpec{clients};
}

absl::StatusOr<PartitionSpec> ParseClusters(std::string_view text) {
  ASSIGN_OR_RETURN(const std::size_t clients, ParseClients(text, kMaxClusters, "clusters:100"));
  return ClustersSpec{clients};
}

absl::StatusOr<PartitionSpec> ParseLabelSkew(std::string_view text) {
  constexpr std::string_view kExample = "label-skew:100:0.5:income";
  const Field clients_field = TakeField(text);
  const Field beta_field = TakeField(clients_field.rest);
  ASSIGN_OR_RETURN(const std::size_t clients, ParseClients(clients_field.text, kMaxClients, kExample));
  const std::optional<double> beta = ParseReal(beta_field.text);
  if (!beta || !(*beta >= kLeastBeta && *beta <= kLargestBeta)) {
    return InvalidArgument(
        "{} is not a beta; write a number from {} (the classes of a column go to few clients) to {} "
        "(to all alike), for example {}",
        QuoteForMessage(beta_field.text), kLeastBeta, kLargestBeta, kExample);
  }
  if (beta_field.rest.empty()) {
    return InvalidArgument(
        "the partition names no column whose classes to deal; write its name after the third "
        "colon, for example {}",
        kExample);
  }
  return LabelSkewSpec{clients, *beta, std::string(beta_field.rest)};
}

absl::StatusOr<PartitionSpec> ParseColumn(std::string_view name) {
  if (!name.empty()) return ClientColumnSpec{std::string(name)};
  return InvalidArgument("the partition names no column; write its name after the colon, for example column:client_id");
}

absl::Status UnknownKind(std::string_view text, std::string_view kind) {
  return InvalidArgument(
      "{} is not a partition; write iid:CLIENTS, clusters:CLIENTS, label-skew:CLIENTS:BETA:COLUMN or "
      "column:NAME, for example iid:100.{}",
      QuoteForMessage(text), SuggestNearest(kind, kKinds));
}

}  // namespace

absl::StatusOr<PartitionSpec> ParsePartitionSpec(std::string_view text) {
  const auto [kind, rest] = TakeField(text);
  if (kind == kIid) return ParseIid(rest);
  if (kind == kColumn) return ParseColumn(rest);
  if (kind == kLabelSkew) return ParseLabelSkew(rest);
  if (kind == kClusters) return ParseClusters(rest);
  return UnknownKind(text, kind);
}

std::string PartitionSpecText(const PartitionSpec& spec) {
  struct Writer {
    std::string operator()(const IidSpec& iid) const { return fmt::format("{}:{}", kIid, iid.clients); }
    std::string operator()(const ClientColumnSpec& column) const { return fmt::format("{}:{}", kColumn, column.name); }
    std::string operator()(const LabelSkewSpec& skew) const {
      return fmt::format("{}:{}:{}:{}", kLabelSkew, skew.clients, skew.beta, skew.column);
    }
    std::string operator()(const ClustersSpec& clusters) const {
      return fmt::format("{}:{}", kClusters, clusters.clients);
    }
  };
  return std::visit(Writer{}, spec);
}

}  // namespace flaim
