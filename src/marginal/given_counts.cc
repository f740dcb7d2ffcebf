#include "marginal/given_counts.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

std::string Name(const Domain& domain, const Clique& clique) { return QuoteForMessage(CliqueName(domain, clique)); }

}  // namespace

absl::Status GivenCounts::Take(const Clique& clique, std::span<const std::size_t> shape,
                               std::span<const std::int64_t> given, std::span<std::int64_t> cells) {
  RETURN_IF_ERROR(CheckShape(clique, shape));
  std::copy_n(given.begin(), cells.size(), cells.begin());
  return CheckCounts(clique, cells);
}

absl::Status GivenCounts::CheckShape(const Clique& clique, std::span<const std::size_t> shape) const {
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain_, clique));
  std::vector<std::size_t> sizes;
  for (const AttributeIndex attribute : clique) sizes.push_back(static_cast<std::size_t>(domain_[attribute].size));
  const bool is_flat = shape.size() == 1 && shape.front() == static_cast<std::size_t>(cells);
  if (is_flat || std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end())) return absl::OkStatus();
  return InvalidArgument("the counts of {} have another shape than the schema gives that marginal, which has {} cells",
                         Name(domain_, clique), cells);
}

absl::Status GivenCounts::CheckCounts(const Clique& clique, std::span<const std::int64_t> counts) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) {
    if (count < 0) return InvalidArgument("the counts of {} have a negative number", Name(domain_, clique));
    if (count > std::numeric_limits<std::int64_t>::max() - total) {
      return InvalidArgument("the counts of {} add up to more than 2^63", Name(domain_, clique));
    }
    total += count;
  }
  if (!records_) records_ = total;
  if (*records_ == total) return absl::OkStatus();
  return InvalidArgument(
      "the counts of {} add up to another number of records than those of other marginals; count all of them over the "
      "same rows, as of one moment, and do not leave out groups",
      Name(domain_, clique));
}

}  // namespace flaim
