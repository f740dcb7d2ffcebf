#include "runtime/site/guarded_rows.h"

#include "base/status.h"

namespace flaim::runtime {
namespace {

template <typename Value>
absl::StatusOr<Value> Guarded(absl::StatusOr<Value> value) {
  if (value.ok()) return value;
  if (absl::IsInvalidArgument(value.status())) {
    return absl::InternalError("the site's rows could not be counted: `flaim site doctor` shows why");
  }
  return absl::InternalError(
      fmt::format("the site's rows could not be counted: {}", std::string(value.status().message())));
}

}  // namespace

absl::StatusOr<CliqueCounts> GuardedRows::Count(std::span<const Clique> cliques, Parallel&) {
  RETURN_IF_ERROR(parallel_.StopIfAsked());
  return Guarded(rows_.Count(cliques, parallel_));
}

absl::StatusOr<ShareDistance> GuardedRows::Distance(const Clique& clique, const PublicShares& shares) {
  RETURN_IF_ERROR(parallel_.StopIfAsked());
  return Guarded(rows_.Distance(clique, shares));
}

}  // namespace flaim::runtime
