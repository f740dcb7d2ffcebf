#include "model/inference/small_levels_testing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/inference/clique_layout.h"

namespace flaim {
namespace {

void Shuffle(std::vector<std::uint32_t>& values, RandomSource& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.NextBelow(i)]);
}

// Every bin once or twice.
std::vector<std::uint32_t> RandomBinOfValue(std::int64_t bins, RandomSource& random) {
  std::vector<std::uint32_t> bin_of_value;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    bin_of_value.insert(bin_of_value.end(), 1 + random.NextBelow(2), bin);
  }
  Shuffle(bin_of_value, random);
  return bin_of_value;
}

}  // namespace

Levels RandomLevels(const Domain& bins, RandomSource& random) {
  std::vector<Attribute> attributes = bins.attributes();
  std::vector<std::vector<std::uint32_t>> bin_of_value(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (random.NextBelow(2) == 0) continue;
    std::vector<std::uint32_t> drawn = RandomBinOfValue(attributes[i].size, random);
    if (std::ssize(drawn) == attributes[i].size) continue;
    attributes[i].size = std::ssize(drawn);
    bin_of_value[i] = std::move(drawn);
  }
  Bins gathered = Bins::Create(Domain::Create(std::move(attributes)).value(), std::move(bin_of_value)).value();
  std::vector<std::vector<double>> shares(static_cast<std::size_t>(bins.size()));
  for (AttributeIndex attribute = 0; attribute < bins.size(); ++attribute) {
    if (!gathered.HasBins(attribute)) continue;
    std::vector<double>& own = shares[static_cast<std::size_t>(attribute)];
    own.resize(gathered.Of(attribute).size());
    for (double& share : own) share = random.NextBelow(5) == 0 ? 0 : random.NextUnit();
    for (const std::vector<std::uint32_t>& values : gathered.ValuesByBin(attribute)) own[values.front()] += 0.01;
  }
  return Levels::Create(std::move(gathered), std::move(shares)).value();
}

RandomModel OverValues(const RandomModel& over_bins, const Levels& levels) {
  const Bins& bins = levels.bins();
  RandomModel over_values{bins.values(), over_bins.cliques, {}};
  const CliqueLayout layout(over_bins.domain, over_bins.cliques);
  for (int i = 0; i < layout.size(); ++i) {
    const Clique& clique = layout.cliques()[i];
    const std::int64_t cells = CellCount(bins.values(), clique).value();
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      std::int64_t rest = cell;
      std::int64_t bin_cell = 0;
      std::int64_t stride = 1;
      for (auto attribute = clique.attributes().rbegin(); attribute != clique.attributes().rend(); ++attribute) {
        const std::int64_t values = bins.values()[*attribute].size;
        bin_cell += stride * bins.BinOf(*attribute, static_cast<std::uint32_t>(rest % values));
        stride *= bins.bins()[*attribute].size;
        rest /= values;
      }
      over_values.potentials.push_back(over_bins.potentials[layout.offset(i) + bin_cell]);
    }
  }
  for (AttributeIndex attribute = 0; attribute < bins.values().size(); ++attribute) {
    if (!bins.HasBins(attribute)) continue;
    over_values.cliques.push_back(Clique({attribute}));
    for (const double share : levels.SharesOf(attribute)) over_values.potentials.push_back(std::log(share));
  }
  return over_values;
}

}  // namespace flaim
