#include "model/inference/small_model_testing.h"

#include <numeric>
#include <utility>

namespace flaim {

std::optional<Model> Calibrate(const RandomModel& random_model) {
  Parallel parallel(1);
  auto model =
      Model::Create(random_model.domain, random_model.cliques, random_model.potentials, 1000, 1 << 20, parallel);
  return model.ok() ? std::optional<Model>(std::move(*model)) : std::nullopt;
}

Clique AllAttributes(const Domain& domain) {
  std::vector<AttributeIndex> attributes(domain.size());
  std::iota(attributes.begin(), attributes.end(), 0);
  return Clique(attributes);
}

std::vector<std::uint32_t> DecodeRecord(const Domain& domain, std::size_t cell) {
  std::vector<std::uint32_t> record(domain.size());
  for (AttributeIndex attribute = domain.size() - 1; attribute >= 0; --attribute) {
    record[attribute] = static_cast<std::uint32_t>(cell % domain[attribute].size);
    cell /= domain[attribute].size;
  }
  return record;
}

}  // namespace flaim
