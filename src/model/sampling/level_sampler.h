#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random_source.h"
#include "model/inference/levels.h"
#include "model/sampling/conditional_sampler.h"

namespace flaim {

// Draws the values of an attribute given their bins, as a ConditionalSampler whose states are the bins draws outcomes,
// but without a table of all bins by all values. A value with a share of zero is never drawn.
//
// Immutable; safe to use from many threads, if each has its own random source.
class LevelSampler {
 public:
  // REQUIRES: the attribute has bins.
  LevelSampler(const Levels& levels, AttributeIndex attribute);

  std::uint32_t bins() const { return static_cast<std::uint32_t>(values_.size()); }

  std::uint32_t Draw(std::uint32_t bin, RandomSource& random) const;
  // As many values as `drawn` is long, each as often as expected give or take less than one.
  void DrawRounded(std::uint32_t bin, std::span<std::uint32_t> drawn, RandomSource& random) const;

 private:
  std::vector<std::vector<std::uint32_t>> values_;  // of each bin
  std::vector<ConditionalSampler> samplers_;        // of each bin: which of its values
};

}  // namespace flaim
