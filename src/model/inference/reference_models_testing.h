#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/seeded_random_source.h"
#include "data/schema/schema_file.h"
#include "fmt/format.h"
#include "model/inference/model.h"

namespace flaim {

// Models over the columns of Adult for the clique sets of model_cliques.json in the reference data ("1way", "tree2",
// "3way_1MB", ...), each with all one-ways, and with seeded random potentials. Nothing when the data is absent.
inline std::optional<Model> ReferenceModel(const std::string& name) {
  const std::string folder = FLAIM_DATA_DIR;
  const absl::StatusOr<Schema> schema = LoadSchema(folder + "/aim_adult-domain.json");
  std::ifstream file(folder + "/reference/aim_adult/model_cliques.json");
  if (!schema.ok() || !file) return std::nullopt;
  const Domain& domain = schema->domain();
  std::vector<Clique> cliques;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) cliques.push_back(Clique({attribute}));
  const nlohmann::json clique_sets = nlohmann::json::parse(file);
  for (const auto& names : clique_sets.at(name)) {
    std::vector<AttributeIndex> attributes;
    for (const auto& column : names) attributes.push_back(domain.Find(column.get<std::string>()).value());
    cliques.emplace_back(attributes);
  }
  SeededRandomSource random(1, "potentials");
  std::vector<double> potentials(CliqueLayout(domain, cliques).cells());
  for (double& potential : potentials) potential = 3 * random.NextUnit();
  Parallel parallel(1);
  return Model::Create(domain, cliques, std::move(potentials), 48842, 1 << 26, parallel).value();
}

inline std::string MissingReference() { return fmt::format("the reference data is not in {}", FLAIM_DATA_DIR); }

}  // namespace flaim
