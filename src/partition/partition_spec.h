#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"

namespace flaim {

// How a user asks for a partition, as a value.

// Rows dealt to this many clients at random: PartitionIid().
struct IidSpec {
  std::size_t clients = 0;

  bool operator==(const IidSpec&) const = default;
};

// A column of the file that holds each row's client as a whole number: PartitionByNumbers().
struct ClientColumnSpec {
  std::string name;

  bool operator==(const ClientColumnSpec&) const = default;
};

// Each class of a column of the table unevenly: PartitionByLabelSkew().
struct LabelSkewSpec {
  std::size_t clients = 0;
  double beta = 1;
  std::string column;

  bool operator==(const LabelSkewSpec&) const = default;
};

// Rows that are alike to the same client: PartitionByClusters().
struct ClustersSpec {
  std::size_t clients = 0;

  bool operator==(const ClustersSpec&) const = default;
};

using PartitionSpec = std::variant<IidSpec, ClientColumnSpec, LabelSkewSpec, ClustersSpec>;

// Understands
//   iid:CLIENTS                        1 to kMaxClients clients
//   column:NAME                        everything after the first colon is the name
//   label-skew:CLIENTS:BETA:COLUMN     beta above 0; everything after the third colon is the column
//   clusters:CLIENTS                   1 to kMaxClusters clients
// and nothing else.
absl::StatusOr<PartitionSpec> ParsePartitionSpec(std::string_view text);

// What ParsePartitionSpec() reads as this value.
std::string PartitionSpecText(const PartitionSpec& spec);

}  // namespace flaim
