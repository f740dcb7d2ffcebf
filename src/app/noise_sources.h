#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "federation/noise_source.h"

namespace flaim {

class SecureNoise final : public NoiseSource {
 public:
  std::unique_ptr<RandomSource> For(const ReleaseName& name) override;
};

// For research: the noise of a release follows from the seed and its name, as in a simulation. A run that is resumed
// draws the same noise from there on as one that was never interrupted. Stamps what it makes.
class SeededNoise final : public NoiseSource {
 public:
  explicit SeededNoise(std::uint64_t seed) : seed_(seed) {}

  std::unique_ptr<RandomSource> For(const ReleaseName& name) override;

 private:
  std::uint64_t seed_;
};

// Seeded if there is a seed.
std::unique_ptr<NoiseSource> MakeNoise(std::optional<std::uint64_t> seed);

}  // namespace flaim
