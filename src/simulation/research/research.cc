#include "simulation/research/research.h"

#include <algorithm>

#include "algorithms/choices/method_words.h"
#include "simulation/research/published_code.h"

namespace flaim {
namespace {

// Knows how many rows are in each sum. Everything else is as released.
class KnowsTrueSizes final : public Insider {
 public:
  explicit KnowsTrueSizes(const Oracle& oracle) : oracle_(oracle) {}

  std::optional<std::vector<Measurement>> Weighted(const ReleasedMarginals& released, Weighting weighting,
                                                   double total) const override {
    if (weighting != Weighting::kTrueSizes) return std::nullopt;
    std::vector<Measurement> weighted;
    for (const ReleasedMarginal& marginal : released.all()) {
      const std::int64_t rows = oracle_.RowsIn(marginal.group.round, marginal.measured.clique, marginal.contributors);
      weighted.push_back(ScaledTo(total, std::max(1.0, static_cast<double>(rows)), marginal.measured));
    }
    return weighted;
  }

 private:
  const Oracle& oracle_;
};

}  // namespace

std::unique_ptr<Research> MakeResearch(const Method& method, const ResearchSettings& settings, const Table& everybody) {
  if (IsPrivate(method) && !settings.is_published_code) return nullptr;
  std::unique_ptr<Research> research(new Research{Oracle(everybody, method.penalty == Penalty::kOracle), nullptr});
  if (settings.is_published_code) {
    research->insider = MakePublishedInsider(research->oracle);
  } else {
    research->insider = std::make_unique<KnowsTrueSizes>(research->oracle);
  }
  return research;
}

std::vector<std::string> ReasonsNotPrivate(const Method& method, const ResearchSettings& settings) {
  std::vector<std::string> reasons = ReasonsNotPrivate(method);
  if (settings.is_published_code) {
    reasons.emplace_back(
        "the published code takes scores at half their sensitivity and the true number of rows, and leaves one-way "
        "marginals unpaid");
  }
  return reasons;
}

}  // namespace flaim
