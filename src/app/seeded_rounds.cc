#include "app/seeded_rounds.h"

#include "fmt/format.h"

namespace flaim {

SeededRounds::SeededRounds(std::uint64_t seed) : RandomSource(&pool_storage_), seed_(seed) {
  stream_.emplace(seed_, "fit, start");
}

void SeededRounds::StartNextRound() {
  stream_.emplace(seed_, fmt::format("fit, after round {}", ++round_));
  pool_storage_ = {};
}

}  // namespace flaim
