#include "model/inference/condition.h"

#include <cmath>
#include <map>
#include <utility>

#include "base/status.h"

namespace flaim {
namespace {

// For each attribute that something is known about, whether each of its values is allowed by all of the evidence.
using AllowedValues = std::map<AttributeIndex, std::vector<bool>>;

absl::StatusOr<AllowedValues> Intersect(const Domain& domain, std::span<const Evidence> evidence) {
  AllowedValues all;
  for (const auto& [attribute, allowed] : evidence) {
    if (attribute < 0 || attribute >= domain.size()) {
      return InvalidArgument("the model has no attribute number {}", attribute);
    }
    const Attribute& column = domain[attribute];
    std::vector<bool> is_allowed(static_cast<std::size_t>(column.size), false);
    for (const std::uint32_t code : allowed) {
      if (code >= column.size) return InvalidArgument("column '{}' has no code {}", column.name, code);
      is_allowed[code] = true;
    }
    const auto [known, is_new] = all.try_emplace(attribute, is_allowed);
    for (std::size_t code = 0; code < is_allowed.size(); ++code) {
      known->second[code] = known->second[code] && is_allowed[code];
    }
  }
  return all;
}

// Of a model without bins: every value by itself.
Levels LevelsOf(const Model& model) {
  if (model.levels() != nullptr) return *model.levels();
  std::vector<std::vector<double>> none(static_cast<std::size_t>(model.domain().size()));
  return Levels::Create(Bins::OfSingleValues(model.domain()), std::move(none)).value();
}

// P(a value is allowed | its bin), for each bin.
std::vector<double> AllowedShares(const Levels& levels, AttributeIndex attribute, const std::vector<bool>& is_allowed) {
  std::vector<double> shares(static_cast<std::size_t>(levels.bins().bins()[attribute].size), 0.0);
  for (std::uint32_t value = 0; value < is_allowed.size(); ++value) {
    if (is_allowed[value]) shares[levels.bins().BinOf(attribute, value)] += levels.Share(attribute, value);
  }
  return shares;
}

// The shares among the allowed values. A bin without any has become impossible, and keeps the shares that it has.
Levels Restrict(const Levels& levels, const AllowedValues& allowed) {
  const Bins& bins = levels.bins();
  std::vector<std::vector<double>> shares;
  for (AttributeIndex attribute = 0; attribute < bins.values().size(); ++attribute) {
    std::vector<double>& own = shares.emplace_back(levels.SharesOf(attribute));
    const auto known = allowed.find(attribute);
    if (known == allowed.end() || !bins.HasBins(attribute)) continue;
    const std::vector<double> of_bin = AllowedShares(levels, attribute, known->second);
    for (std::uint32_t value = 0; value < own.size(); ++value) {
      if (of_bin[bins.BinOf(attribute, value)] > 0 && !known->second[value]) own[value] = 0;
    }
  }
  return Levels::Create(bins, std::move(shares)).value();
}

}  // namespace

absl::StatusOr<Model> Condition(const Model& model, std::span<const Evidence> evidence, Parallel& parallel) {
  ASSIGN_OR_RETURN(const AllowedValues allowed, Intersect(model.domain(), evidence));
  const Levels levels = LevelsOf(model);
  std::vector<Clique> cliques = model.layout().cliques();
  std::vector<double> potentials(model.potentials().begin(), model.potentials().end());
  for (const auto& [attribute, is_allowed] : allowed) {
    cliques.push_back(Clique({attribute}));
    for (const double share : AllowedShares(levels, attribute, is_allowed)) potentials.push_back(std::log(share));
  }
  // One-way cliques leave the tree as it is.
  absl::StatusOr<Model> conditioned = Model::Create(model.tree().domain(), std::move(cliques), std::move(potentials), 1,
                                                    model.tree().cells(), parallel);
  const double total =
      conditioned.ok() ? model.total() * std::exp(conditioned->log_partition() - model.log_partition()) : 0;
  if (!(total > 0)) return InvalidArgument("under the model, no record fits the condition");
  if (model.levels() != nullptr) conditioned = std::move(*conditioned).WithLevels(Restrict(levels, allowed));
  return std::move(*conditioned).WithTotal(total);
}

}  // namespace flaim
