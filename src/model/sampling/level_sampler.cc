#include "model/sampling/level_sampler.h"

namespace flaim {

LevelSampler::LevelSampler(const Levels& levels, AttributeIndex attribute)
    : values_(levels.bins().ValuesByBin(attribute)) {
  std::vector<double> shares;
  for (const std::vector<std::uint32_t>& values : values_) {
    shares.clear();
    for (const std::uint32_t value : values) shares.push_back(levels.Share(attribute, value));
    samplers_.emplace_back(shares, std::ssize(shares));
  }
}

std::uint32_t LevelSampler::Draw(std::uint32_t bin, RandomSource& random) const {
  return values_[bin][samplers_[bin].Draw(0, random)];
}

void LevelSampler::DrawRounded(std::uint32_t bin, std::span<std::uint32_t> drawn, RandomSource& random) const {
  samplers_[bin].DrawRounded(0, drawn, random);
  for (std::uint32_t& value : drawn) value = values_[bin][value];
}

}  // namespace flaim
