#include "model/inference/model.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {

absl::StatusOr<Model> Model::Create(const Domain& domain, std::vector<Clique> cliques, std::vector<double> potentials,
                                    double total, std::int64_t max_cells, Parallel& parallel) {
  if (!(total > 0) || !std::isfinite(total)) return InvalidArgument("a model needs a positive number of records");
  ASSIGN_OR_RETURN(JunctionTree tree, JunctionTree::Build(domain, cliques, max_cells));
  CliqueLayout layout(domain, std::move(cliques));
  if (std::ssize(potentials) != layout.cells()) {
    return InvalidArgument("the cliques have {} cells, but there are {} potentials", layout.cells(), potentials.size());
  }
  for (const double potential : potentials) {
    if (!(potential < std::numeric_limits<double>::infinity())) {
      return InvalidArgument("a potential is not a number below infinity");
    }
  }
  auto oracle = std::make_unique<BeliefPropagation>(std::move(tree), std::move(layout));
  std::vector<double> marginals(potentials.size());
  const double log_partition = oracle->Run(potentials, marginals, parallel);
  if (!std::isfinite(log_partition)) return InvalidArgument("the potentials exclude every record");
  return Model(std::move(oracle), std::move(potentials), log_partition, total);
}

Model::Model(std::unique_ptr<BeliefPropagation> calibrated, std::vector<double> potentials, double log_partition,
             double total)
    : calibrated_(std::move(calibrated)),
      potentials_(std::move(potentials)),
      log_partition_(log_partition),
      total_(total) {
  CHECK(std::ssize(potentials_) == layout().cells() && std::isfinite(log_partition_) && total_ > 0);
}

Model Model::WithTotal(double total) && {
  CHECK(total > 0);
  total_ = total;
  return std::move(*this);
}

Model Model::WithLevels(Levels levels) && {
  CHECK(levels_ == nullptr && levels.bins().bins() == tree().domain());
  levels_ = std::make_unique<const Levels>(std::move(levels));
  return std::move(*this);
}

double Model::LogDensity(std::span<const std::uint32_t> record) const {
  CHECK(std::ssize(record) == domain().size());
  const auto bin_of = [&](AttributeIndex attribute) {
    return levels_ ? levels_->bins().BinOf(attribute, record[attribute]) : record[attribute];
  };
  double score = -log_partition_;
  for (int clique = 0; clique < layout().size(); ++clique) {
    std::int64_t cell = 0;
    for (const AttributeIndex attribute : layout().cliques()[clique]) {
      cell = cell * tree().domain()[attribute].size + bin_of(attribute);
    }
    score += potentials_[layout().offset(clique) + cell];
  }
  if (levels_ == nullptr) return score;
  for (AttributeIndex attribute = 0; attribute < domain().size(); ++attribute) {
    if (levels_->bins().HasBins(attribute)) score += std::log(levels_->Share(attribute, record[attribute]));
  }
  return score;
}

}  // namespace flaim
