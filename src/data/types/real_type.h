#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/types/bin_edges.h"
#include "data/types/encoded.h"

namespace flaim {

// Equally wide bins from min to max.
struct UniformBins {
  static constexpr std::int64_t kDefaultBins = 32;

  double min = 0;
  double max = 0;
  std::int64_t bins = kDefaultBins;

  bool operator==(const UniformBins&) const = default;
};

struct RealSpec {
  // Equal bins, or explicit edges: n + 1 increasing numbers for n bins.
  std::variant<UniformBins, std::vector<double>> bins;
  // Decoded values are written with this many decimals; without it, with about two digits more than the bin width has.
  std::optional<int> decimals;

  bool operator==(const RealSpec&) const = default;
};

// Finite real numbers in bins [edge, next edge); the last bin includes its upper end.
class RealType {
 public:
  static constexpr int kMaxDecimals = 15;

  // Refuses bounds that are not finite and increasing, bins that double precision cannot tell apart, and decimals so
  // few that some bin contains no such number.
  static absl::StatusOr<RealType> Create(RealSpec spec);

  const RealSpec& spec() const { return spec_; }
  std::uint32_t size() const { return bins_.size(); }
  Encoded Encode(std::string_view text) const;
  // What Encode gives for a text that means this number.
  Encoded EncodeNumber(double number) const;
  // Appends a number that is uniform among those of the bin with the chosen decimals. It encodes to `code` again.
  void Decode(std::uint32_t code, RandomSource& random, std::string& out) const;

  bool operator==(const RealType& that) const { return spec_ == that.spec_; }

 private:
  // The numbers k / 10^decimals, first <= k <= last, are those of a bin.
  struct DecimalGrid {
    std::int64_t first;
    std::int64_t last;
    int decimals;
  };

  RealType(RealSpec spec, BinEdges<double> bins);
  bool IsInBin(double value, std::uint32_t bin) const;
  std::optional<DecimalGrid> FindGrid(std::uint32_t bin) const;
  std::optional<DecimalGrid> GridOf(std::uint32_t bin) const;
  double DrawAnywhere(std::uint32_t bin, RandomSource& random) const;

  RealSpec spec_;
  BinEdges<double> bins_;
  // Found once, unless there are very many bins; then empty. Copies share them.
  std::shared_ptr<const std::vector<std::optional<DecimalGrid>>> grids_;
};

}  // namespace flaim
