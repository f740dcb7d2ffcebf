#include "marginal/private_rows.h"

#include <numeric>

#include "base/status.h"
#include "marginal/kernels/count.h"

namespace flaim {
namespace {

absl::Status CheckMeasurable(std::int64_t rows) {
  if (rows <= kMaxMeasuredRows) return absl::OkStatus();
  return InvalidArgument("there are more than {} rows, too many to be compared with a model; give a part of them",
                         kMaxMeasuredRows);
}

}  // namespace

absl::StatusOr<std::vector<std::int64_t>> PrivateRows::CountOne(const Clique& clique) {
  Parallel alone(1);
  ASSIGN_OR_RETURN(const CliqueCounts counts, Count(std::span(&clique, 1), alone));
  return std::vector<std::int64_t>(counts[0].begin(), counts[0].end());
}

absl::StatusOr<ShareDistance> PrivateRows::Distance(const Clique& clique, const PublicShares& shares) {
  ASSIGN_OR_RETURN(const std::vector<std::int64_t> counts, CountOne(clique));
  RETURN_IF_ERROR(CheckMeasurable(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
  return ShareDistanceOfCounts(counts, shares);
}

TableRows::TableRows(const Table& table) : table_(table), meter_(own_meter_) {}

TableRows::TableRows(const Table& table, ShareDistanceMeter& meter) : table_(table), meter_(meter) {}

TableRows::~TableRows() = default;

absl::StatusOr<CliqueCounts> TableRows::Count(std::span<const Clique> cliques, Parallel& parallel) {
  return CountCliques(table_, cliques, parallel);
}

absl::StatusOr<ShareDistance> TableRows::Distance(const Clique& clique, const PublicShares& shares) {
  RETURN_IF_ERROR(CheckMeasurable(static_cast<std::int64_t>(table_.rows())));
  return meter_.Measure(table_, clique, shares);
}

}  // namespace flaim
