#include "algorithms/selection/selector.h"

#include "base/check.h"

namespace flaim {
namespace {

// Only one-way marginals are measured.
class NoSelector final : public Selector {
 public:
  absl::StatusOr<Choices> Select(const RoundSpending&, const ReleaseName&, const Group&, const MethodRun&,
                                 RunState&) override {
    return Choices{};
  }
};

}  // namespace

std::unique_ptr<Selector> MakeSelector(const Method& method) {
  switch (method.selection) {
    case Selection::kNone:
      return std::make_unique<NoSelector>();
    case Selection::kRandom:
      return SelectAtRandom();
    case Selection::kLocal:
      return SelectLocally();
    case Selection::kSummedScores:
      return SelectBySummedScores();
    case Selection::kNoisySums:
      return SelectFromNoisySums();
    case Selection::kScoreOfSum:
      return SelectByScoreOfCounts();
  }
  CHECK(false, "no such selection");
}

}  // namespace flaim
