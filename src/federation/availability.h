#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"

namespace flaim {

using ClientIndex = std::uint32_t;

// Who is there in a round. It never depends on anybody's rows.
struct Everybody {};
// Each client, independently, with this probability: the paper's setting.
struct Poisson {
  double rate = 0.1;
};
// Clients take turns in a random order: in each round the next share of them, and after the last a new order.
struct TakingTurns {
  double rate = 0.1;
};
// As observed somewhere: the clients of each round. Nobody after the last.
struct Trace {
  std::vector<std::vector<ClientIndex>> rounds;
};
using Availability = std::variant<Everybody, Poisson, TakingTurns, Trace>;

// Draws the rounds of one study, one after the other.
class AvailabilitySchedule {
 public:
  // Refuses no clients, a rate outside [0, 1], and a trace with a client that is not there.
  static absl::StatusOr<AvailabilitySchedule> Create(Availability availability, std::size_t clients);

  // In ascending order.
  std::vector<ClientIndex> Next(RandomSource& random);

 private:
  AvailabilitySchedule(Availability availability, std::size_t clients);
  std::vector<ClientIndex> Turn(double rate, RandomSource& random);

  Availability availability_;
  std::size_t clients_;
  std::size_t round_ = 0;
  std::vector<ClientIndex> order_;  // of taking turns
  double turns_taken_ = 0;          // rounds since the order was drawn
};

// A text file with one line for each round: the indices of the clients that are there, from 0, apart by blanks. An
// empty line is a round without anybody; # starts a comment. `source` names the file in errors.
absl::StatusOr<Trace> ParseTrace(const std::string& text, const std::string& source);

}  // namespace flaim
