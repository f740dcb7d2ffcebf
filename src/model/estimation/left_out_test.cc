#include "model/estimation/left_out.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/estimation/estimation.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Measurement Flat(const Domain& domain, Clique clique) {
  const auto cells = static_cast<std::size_t>(CellCount(domain, clique).value());
  return {std::move(clique), std::vector<double>(cells, 100.0 / static_cast<double>(cells)), 1};
}

TEST(LeftOut, IsWhatTheModelWasTooLargeWith) {
  const Domain domain = Domain::Create({{"a", 4}, {"b", 4}, {"c", 4}}).value();
  FitReport report;
  for (const Clique& clique : {Clique({0}), Clique({1}), Clique({2}), Clique({0, 1}), Clique({1, 2}), Clique({0, 2})}) {
    report.measurements.push_back(Flat(domain, clique));
  }
  Parallel alone(1);
  const auto left_out = [&](std::int64_t max_cells) {
    const EstimationProblem problem{domain, report.measurements, {}, 100, max_cells};
    const Estimate estimate = EstimateFromWhatFits(problem, nullptr, {}, alone).value();
    return LeftOutOf(estimate.model, report);
  };
  EXPECT_THAT(left_out(1000), IsEmpty());
  EXPECT_THAT(left_out(40), ElementsAre(Clique({0, 2})));
  EXPECT_THAT(left_out(20), ElementsAre(Clique({1, 2}), Clique({0, 2})));
}

}  // namespace
}  // namespace flaim
