#include "model/inference/condition.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/status.h"

namespace flaim {

absl::StatusOr<Model> Condition(const Model& model, std::span<const Evidence> evidence, Parallel& parallel) {
  std::vector<Clique> cliques = model.layout().cliques();
  std::vector<double> potentials(model.potentials().begin(), model.potentials().end());
  for (const auto& [attribute, allowed] : evidence) {
    if (attribute < 0 || attribute >= model.domain().size()) {
      return InvalidArgument("the model has no attribute number {}", attribute);
    }
    const Attribute& column = model.domain()[attribute];
    std::vector<double> mask(column.size, -std::numeric_limits<double>::infinity());
    for (const std::uint32_t code : allowed) {
      if (code >= column.size) return InvalidArgument("column '{}' has no code {}", column.name, code);
      mask[code] = 0;
    }
    cliques.push_back(Clique({attribute}));
    potentials.insert(potentials.end(), mask.begin(), mask.end());
  }
  // One-way cliques leave the tree as it is.
  absl::StatusOr<Model> conditioned =
      Model::Create(model.domain(), std::move(cliques), std::move(potentials), 1, model.tree().cells(), parallel);
  const double total =
      conditioned.ok() ? model.total() * std::exp(conditioned->log_partition() - model.log_partition()) : 0;
  if (!(total > 0)) return InvalidArgument("under the model, no record fits the condition");
  return std::move(*conditioned).WithTotal(total);
}

}  // namespace flaim
