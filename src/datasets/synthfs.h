#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/schema/schema.h"
#include "data/table/table.h"
#include "partition/partition.h"

namespace flaim {

// SynthFS (Appendix B.1.1): clients that differ in their features and in nothing else. For each client and feature a
// mean is drawn from Zipf(beta) over 1, ..., 40, and then the client's values from a normal distribution with that mean
// and variance 1. A larger beta makes clients more alike.
//
// The paper does not say how the values are binned. The reference draw fits 41 codes cut at 40 equally spaced points
// from 0 to 40, the outer ones open, and nothing else that was tried; so these are the bins here.
struct SynthFsOptions {
  std::uint64_t seed = 0;
  double beta = 2;
  std::size_t clients = 100;
};

inline constexpr int kSynthFsFeatures = 10;
inline constexpr int kSynthFsLargestMean = 40;
inline constexpr std::int64_t kSynthFsBins = 41;
inline constexpr std::size_t kSynthFsRowsOfClient = 500;
inline constexpr std::size_t kSynthFsMaxClients = 20'000;
inline constexpr double kSynthFsMaxBeta = 100;

// Features "0" to "9".
Schema SynthFsSchema();
// The code of a value.
std::uint32_t SynthFsCode(double value);

// The rows of one client after the other. The rows of a client depend on the seed, beta and its number alone, so more
// clients only add rows.
struct SynthFsRows {
  Table table;
  Partition partition;
};

// Refuses a beta outside [0, kSynthFsMaxBeta] and clients outside [1, kSynthFsMaxClients].
absl::StatusOr<SynthFsRows> GenerateSynthFs(const SynthFsOptions& options);

// Zipf(beta) over 1, ..., largest: P(k) is proportional to k^-beta.
class ZipfDistribution {
 public:
  // REQUIRES: largest >= 1, beta finite.
  ZipfDistribution(double beta, int largest);

  int Draw(RandomSource& random) const;
  // REQUIRES: 1 <= value <= largest.
  double Probability(int value) const;

 private:
  std::vector<double> cumulative_;
};

}  // namespace flaim
