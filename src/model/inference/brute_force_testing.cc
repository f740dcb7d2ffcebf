#include "model/inference/brute_force_testing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "fmt/ranges.h"
#include "model/inference/clique_layout.h"

namespace flaim {
namespace {

std::int64_t Records(const Domain& domain) {
  std::int64_t records = 1;
  for (const Attribute& attribute : domain.attributes()) records *= attribute.size;
  return records;
}

std::vector<std::int64_t> Decode(const Domain& domain, std::int64_t record) {
  std::vector<std::int64_t> codes(domain.size());
  for (int attribute = domain.size() - 1; attribute >= 0; --attribute) {
    codes[attribute] = record % domain[attribute].size;
    record /= domain[attribute].size;
  }
  return codes;
}

std::int64_t CellOf(const Domain& domain, const Clique& clique, const std::vector<std::int64_t>& codes) {
  std::int64_t cell = 0;
  for (const AttributeIndex attribute : clique) cell = cell * domain[attribute].size + codes[attribute];
  return cell;
}

std::vector<double> Scores(const RandomModel& model) {
  const CliqueLayout layout(model.domain, model.cliques);
  std::vector<double> scores;
  for (std::int64_t record = 0; record < Records(model.domain); ++record) {
    const std::vector<std::int64_t> codes = Decode(model.domain, record);
    double score = 0;
    for (int i = 0; i < layout.size(); ++i) {
      score += model.potentials[layout.offset(i) + CellOf(model.domain, layout.cliques()[i], codes)];
    }
    scores.push_back(score);
  }
  return scores;
}

double LogSumExp(const std::vector<double>& scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  if (std::isinf(best)) return best;
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - best);
  return best + std::log(sum);
}

}  // namespace

std::string RandomModel::Describe() const {
  std::string text = "cliques";
  for (const Clique& clique : cliques) text += fmt::format(" {}", clique.attributes());
  return text;
}

RandomModel MakeRandomModel(std::uint64_t seed, const RandomModelOptions& options) {
  SeededRandomSource random(seed, "random model");
  std::vector<Attribute> attributes(1 + random.NextBelow(6));
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    attributes[i] = {fmt::format("a{}", i), 1 + static_cast<std::int64_t>(random.NextBelow(4))};
  }
  RandomModel model{Domain::Create(attributes).value(), {}, {}};
  const std::uint64_t count = random.NextBelow(7);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<AttributeIndex> members;
    for (AttributeIndex attribute = 0; attribute < model.domain.size(); ++attribute) {
      if (random.NextBelow(5) < 2) members.push_back(attribute);
    }
    model.cliques.emplace_back(members);
    if (random.NextBelow(8) == 0) model.cliques.emplace_back(members);
  }
  const CliqueLayout layout(model.domain, model.cliques);
  for (std::int64_t i = 0; i < layout.cells(); ++i) {
    const double value = options.magnitude * (2 * random.NextUnit() - 1);
    const bool is_zero = random.NextUnit() < options.zero_probability;
    model.potentials.push_back(is_zero ? -std::numeric_limits<double>::infinity() : value);
  }
  return model;
}

std::vector<double> MarginalByBruteForce(const RandomModel& model, const Clique& clique) {
  const std::vector<double> scores = Scores(model);
  const double log_partition = LogSumExp(scores);
  std::vector<double> marginal(CellCount(model.domain, clique).value(), 0);
  for (std::size_t record = 0; record < scores.size(); ++record) {
    const std::vector<std::int64_t> codes = Decode(model.domain, static_cast<std::int64_t>(record));
    marginal[CellOf(model.domain, clique, codes)] += std::exp(scores[record] - log_partition);
  }
  return marginal;
}

BruteForceInference InferByBruteForce(const RandomModel& model) {
  const CliqueLayout layout(model.domain, model.cliques);
  const std::vector<double> scores = Scores(model);
  BruteForceInference result{LogSumExp(scores), *std::max_element(scores.begin(), scores.end()),
                             std::vector<double>(layout.cells(), 0)};
  for (std::size_t record = 0; record < scores.size(); ++record) {
    const std::vector<std::int64_t> codes = Decode(model.domain, static_cast<std::int64_t>(record));
    for (int i = 0; i < layout.size(); ++i) {
      result.marginals[layout.offset(i) + CellOf(model.domain, layout.cliques()[i], codes)] +=
          std::exp(scores[record] - result.log_partition);
    }
  }
  return result;
}

}  // namespace flaim
