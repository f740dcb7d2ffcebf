#include "app/noise_sources.h"

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"

namespace flaim {

std::unique_ptr<RandomSource> SecureNoise::For(const ReleaseName&) { return std::make_unique<SecureRandomSource>(); }

std::unique_ptr<RandomSource> SeededNoise::For(const ReleaseName& name) {
  return std::make_unique<SeededRandomSource>(seed_, name.ToString());
}

std::unique_ptr<NoiseSource> MakeNoise(std::optional<std::uint64_t> seed) {
  if (seed) return std::make_unique<SeededNoise>(*seed);
  return std::make_unique<SecureNoise>();
}

}  // namespace flaim
