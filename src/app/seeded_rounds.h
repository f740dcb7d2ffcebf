#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/seeded_random_source.h"

namespace flaim {

// Seeded noise for a run in rounds, a stream of its own for each. A run that is resumed after a round draws the same
// noise from there on as one that was never interrupted, although it drew none for the rounds that it got back from the
// ledger. For research, like every seeded source.
class SeededRounds final : public RandomSource {
 public:
  explicit SeededRounds(std::uint64_t seed);

  void StartNextRound();

  std::string Provenance() const override { return stream_->Provenance(); }
  bool IsSecure() const override { return false; }

 private:
  void Generate(Pool& pool) override { stream_->Fill(pool.bytes); }

  const std::uint64_t seed_;
  std::int64_t round_ = 0;
  std::optional<SeededRandomSource> stream_;
  Pool pool_storage_{};
};

}  // namespace flaim
