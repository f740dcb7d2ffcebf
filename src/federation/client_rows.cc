#include "federation/client_rows.h"

#include "base/status.h"
#include "marginal/kernels/count.h"

namespace flaim {

absl::StatusOr<std::vector<std::int64_t>> TableRows::Count(const Clique& clique) {
  ASSIGN_OR_RETURN(const Marginal marginal, CountMarginal(table_, clique));
  return std::vector<std::int64_t>(marginal.counts().begin(), marginal.counts().end());
}

}  // namespace flaim
