#include "algorithms/bins/binning.h"

#include <string>
#include <utility>

#include "base/check.h"

namespace flaim {

std::vector<std::uint32_t> JoinNeighbours(std::span<const double> shares, double least) {
  std::vector<std::uint32_t> bins(shares.size());
  std::uint32_t bin = 0;
  double held = 0;       // by the open bin
  bool is_empty = true;  // the open bin
  const auto close = [&] {
    if (is_empty) return;
    ++bin;
    held = 0;
    is_empty = true;
  };
  for (std::size_t value = 0; value < shares.size(); ++value) {
    if (shares[value] >= least) close();
    bins[value] = bin;
    held += shares[value];
    is_empty = false;
    if (held >= least) close();
  }
  if (!is_empty && held < least && bin > 0) {
    for (std::size_t value = shares.size(); value-- > 0 && bins[value] == bin;) bins[value] = bin - 1;
  }
  return bins;
}

std::vector<std::uint32_t> JoinRare(std::span<const double> shares, double least) {
  std::uint32_t kept = 0;
  for (const double share : shares) kept += share >= least ? 1 : 0;
  std::vector<std::uint32_t> bins;
  std::uint32_t next = 0;
  for (const double share : shares) bins.push_back(share >= least ? next++ : kept);
  return bins;
}

Bins MakeBins(const Domain& domain, const std::vector<bool>& is_ordered, const std::vector<std::vector<double>>& shares,
              double least) {
  CHECK(std::ssize(shares) == domain.size() && std::ssize(is_ordered) == domain.size());
  std::vector<std::vector<std::uint32_t>> bins;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    const auto index = static_cast<std::size_t>(attribute);
    CHECK(std::ssize(shares[index]) == domain[attribute].size);
    bins.push_back(is_ordered[index] ? JoinNeighbours(shares[index], least) : JoinRare(shares[index], least));
    // Every value by itself, as Bins says it.
    bool is_trivial = true;
    for (std::size_t value = 0; value < bins.back().size(); ++value) is_trivial &= bins.back()[value] == value;
    if (is_trivial) bins.back().clear();
  }
  absl::StatusOr<Bins> made = Bins::Create(domain, std::move(bins));
  CHECK(made.ok(), "{}", std::string(made.status().message()));
  return *std::move(made);
}

}  // namespace flaim
