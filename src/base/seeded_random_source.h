#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/random_source.h"

namespace flaim {

// A source that repeats itself: the same seed and label give the same bytes on every machine. For research and tests
// only, because whoever knows the seed can subtract the noise. Everything drawn from it carries Provenance().
//
// tests/architecture_test.cc keeps this header out of every module that releases data to others.
class SeededRandomSource final : public RandomSource {
 public:
  // Streams with different labels are independent, e.g. {7, "client 12, round 3"}.
  explicit SeededRandomSource(std::uint64_t seed, std::string_view label = {});
  ~SeededRandomSource() override = default;

  std::string Provenance() const override;
  bool IsSecure() const override { return false; }

 private:
  void Generate(Pool& pool) override;

  const std::uint64_t seed_;
  std::uint64_t block_ = 0;
  std::array<unsigned char, 32> key_;
  Pool pool_storage_{};
};

}  // namespace flaim
