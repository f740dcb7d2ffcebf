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

using PartitionSpec = std::variant<IidSpec, ClientColumnSpec>;

// Understands
//   iid:CLIENTS        1 to kMaxClients clients
//   column:NAME        everything after the first colon is the name
// and nothing else.
absl::StatusOr<PartitionSpec> ParsePartitionSpec(std::string_view text);

}  // namespace flaim
