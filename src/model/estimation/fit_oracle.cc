#include "model/estimation/fit_oracle.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace flaim {

FitOracle::FitOracle(std::unique_ptr<BeliefPropagation> propagation, std::span<const double> fixed, Parallel& parallel)
    : propagation_(std::move(propagation)),
      parallel_(parallel),
      free_cells_(propagation_->layout().cells() - fixed.size()),
      potentials_(propagation_->layout().cells()),
      marginals_(potentials_.size()),
      direction_(potentials_.size()) {
  std::copy(fixed.begin(), fixed.end(), potentials_.begin() + static_cast<std::ptrdiff_t>(free_cells_));
}

double FitOracle::Infer(std::span<const double> potentials, std::span<double> marginals) {
  CHECK(potentials.size() == free_cells_ && marginals.size() == free_cells_);
  std::copy(potentials.begin(), potentials.end(), potentials_.begin());
  const double log_partition = propagation_->Run(potentials_, marginals_, parallel_);
  std::copy_n(marginals_.begin(), free_cells_, marginals.begin());
  return log_partition;
}

double FitOracle::MaximumScore(std::span<const double> potentials) {
  std::copy(potentials.begin(), potentials.end(), potentials_.begin());
  return propagation_->MaximumScore(potentials_, parallel_);
}

void FitOracle::CovarianceTimes(std::span<const double> direction, std::span<double> product) {
  CHECK(direction.size() == free_cells_ && product.size() == free_cells_);
  std::copy(direction.begin(), direction.end(), direction_.begin());
  propagation_->CovarianceTimes(direction_, marginals_, parallel_);
  std::copy_n(marginals_.begin(), free_cells_, product.begin());
}

FitOracle::Calibrated FitOracle::Finish(std::span<const double> potentials) && {
  std::copy(potentials.begin(), potentials.end(), potentials_.begin());
  const double log_partition = propagation_->Run(potentials_, marginals_, parallel_);
  return {std::move(propagation_), std::move(potentials_), log_partition};
}

}  // namespace flaim
