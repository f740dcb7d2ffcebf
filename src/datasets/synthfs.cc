#include "datasets/synthfs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "partition/standard_normal.h"

namespace flaim {
namespace {

constexpr double kBinWidth = static_cast<double>(kSynthFsLargestMean) / static_cast<double>(kSynthFsBins - 2);

void AddClient(std::size_t client, const SynthFsOptions& options, const ZipfDistribution& zipf, TableBuilder& builder) {
  SeededRandomSource random(options.seed, fmt::format("SynthFS, client {}", client));
  std::array<int, kSynthFsFeatures> means;
  for (int& mean : means) mean = zipf.Draw(random);
  std::array<std::uint32_t, kSynthFsFeatures> codes;
  for (std::size_t row = 0; row < kSynthFsRowsOfClient; ++row) {
    for (std::size_t feature = 0; feature < codes.size(); ++feature) {
      codes[feature] = SynthFsCode(means[feature] + DrawStandardNormal(random));
    }
    builder.AddRow(codes);
  }
}

}  // namespace

ZipfDistribution::ZipfDistribution(double beta, int largest) {
  CHECK(largest >= 1 && std::isfinite(beta));
  double total = 0;
  for (int value = 1; value <= largest; ++value) cumulative_.push_back(total += std::pow(value, -beta));
  for (double& sum : cumulative_) sum /= total;
}

int ZipfDistribution::Draw(RandomSource& random) const {
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, random.NextUnit());
  return static_cast<int>(found - cumulative_.begin()) + 1;
}

double ZipfDistribution::Probability(int value) const {
  const auto index = static_cast<std::size_t>(value) - 1;
  return cumulative_[index] - (index == 0 ? 0 : cumulative_[index - 1]);
}

Schema SynthFsSchema() {
  const UniformBins bins{.min = -kBinWidth, .max = kSynthFsLargestMean + kBinWidth, .bins = kSynthFsBins};
  const RealType type = RealType::Create({bins, std::nullopt}).value();
  SchemaSpec spec;
  for (int feature = 0; feature < kSynthFsFeatures; ++feature) {
    spec.columns.push_back({fmt::format("{}", feature), type, false, true, std::nullopt});
  }
  return Schema::Create(std::move(spec)).value();
}

std::uint32_t SynthFsCode(double value) {
  const double bin = std::floor(value / kBinWidth) + 1;
  return static_cast<std::uint32_t>(std::clamp(bin, 0.0, static_cast<double>(kSynthFsBins - 1)));
}

absl::StatusOr<SynthFsRows> GenerateSynthFs(const SynthFsOptions& options) {
  if (!(options.beta >= 0 && options.beta <= kSynthFsMaxBeta)) {
    return InvalidArgument("SynthFS with beta = {}; it must be between 0 and {}", options.beta, kSynthFsMaxBeta);
  }
  if (options.clients < 1 || options.clients > kSynthFsMaxClients) {
    return InvalidArgument("SynthFS with {} clients; there must be between 1 and {}", options.clients,
                           kSynthFsMaxClients);
  }
  const ZipfDistribution zipf(options.beta, kSynthFsLargestMean);
  TableBuilder builder(SynthFsSchema().domain());
  Partition partition{.clients = options.clients};
  for (std::size_t client = 0; client < options.clients; ++client) {
    AddClient(client, options, zipf, builder);
    partition.client_of_row.insert(partition.client_of_row.end(), kSynthFsRowsOfClient,
                                   static_cast<std::uint32_t>(client));
  }
  return SynthFsRows{std::move(builder).Build(), std::move(partition)};
}

}  // namespace flaim
