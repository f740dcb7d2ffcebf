#include "simulation/research/published_code.h"

#include <algorithm>
#include <utility>

#include "algorithms/spending/parts.h"
#include "algorithms/spending/round_shape.h"
#include "base/status.h"

namespace flaim {
namespace {

// Half the sensitivity is the same as twice the epsilon, which costs four times as much.
constexpr double kCostOfHalfSensitivity = 4;

// The plan of rounds that are paid for as they should be, with what the published code leaves unpaid.
class PublishedSpending final : public SpendingPlan {
 public:
  static absl::StatusOr<std::unique_ptr<SpendingPlan>> Create(const Method& method, const PrivacyBudget& budget,
                                                              int attributes) {
    Method paid = method;
    paid.stepping = LocalStepping::kPeeling;
    ASSIGN_OR_RETURN(std::unique_ptr<SpendingPlan> plan, MakeSpendingPlan(paid, budget, attributes));
    std::unique_ptr<PublishedSpending> published(
        new PublishedSpending(std::move(plan), RoundShape(method, attributes)));
    ASSIGN_OR_RETURN(published->round_, published->paid_->Clone()->Next(0));
    if (published->round_ && method.selection == Selection::kLocal) {
      const double rho_of_selection = published->round_->score_rho / published->shape_.selections();
      ASSIGN_OR_RETURN(published->round_->epsilon, EpsilonFor(rho_of_selection * kCostOfHalfSensitivity));
    }
    return published;
  }

  std::unique_ptr<SpendingPlan> Clone() const override {
    std::unique_ptr<PublishedSpending> clone(new PublishedSpending(paid_->Clone(), shape_));
    clone->round_ = round_;
    clone->gone_ = gone_;
    return clone;
  }

  ClientTerms client_terms() const override {
    ClientTerms terms = paid_->client_terms();
    terms.allowance = std::max(terms.allowance, AskedFor(std::min(PlannedRounds(), terms.participation_cap)));
    return terms;
  }

  std::optional<RoundSpending> Initialisation() const override {
    if (const std::optional<RoundSpending> paid = paid_->Initialisation()) return paid;
    RoundSpending unpaid;
    unpaid.one_way_sigma_squared = round_->one_way_sigma_squared;
    return unpaid;
  }

  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override {
    ASSIGN_OR_RETURN(std::optional<RoundSpending> next, paid_->Next(known));
    if (!next) return next;
    next->epsilon = round_->epsilon;
    ++gone_;
    return next;
  }

  bool IsOver() const override { return paid_->IsOver(); }
  void Observe(bool improved) override { paid_->Observe(improved); }
  int PlannedRounds() const override { return paid_->PlannedRounds(); }
  double ShareSpent() const override { return paid_->ShareSpent(); }
  Rho Spent() const override { return AskedFor(gone_); }

 private:
  PublishedSpending(std::unique_ptr<SpendingPlan> paid, RoundShape shape)
      : paid_(std::move(paid)), shape_(std::move(shape)) {}

  // Of a client that serves in the initialisation and in so many rounds.
  Rho AskedFor(int rounds) const {
    Rho asked_for = shape_.CostOfRound(*Initialisation());
    if (!round_) return asked_for;
    const Rho round = shape_.CostOfRound(*round_);
    for (int i = 0; i < rounds; ++i) asked_for = asked_for + round;
    return asked_for;
  }

  std::unique_ptr<SpendingPlan> paid_;
  RoundShape shape_;
  std::optional<RoundSpending> round_;  // nothing when there are none
  int gone_ = 0;
};

class PublishedInsider final : public Insider {
 public:
  explicit PublishedInsider(const Oracle& oracle) : oracle_(oracle) {}

  std::optional<double> Rows() const override { return static_cast<double>(std::max<std::int64_t>(oracle_.rows(), 1)); }

  std::optional<std::vector<Measurement>> Weighted(const ReleasedMarginals& released, Weighting weighting,
                                                   double total) const override {
    if (weighting == Weighting::kSameRows || weighting == Weighting::kHeterogeneity) return std::nullopt;
    std::vector<Measurement> weighted;
    for (const ReleasedMarginal& marginal : released.all()) {
      const double sum = marginal.Sum();
      if (sum == 0) continue;
      const double rows = weighting == Weighting::kTrueSizes ? TrueRowsIn(marginal) : sum;
      Measurement measurement = marginal.measured;
      for (double& value : measurement.values) value *= total / sum;
      const double scale = total / rows;
      if (weighting != Weighting::kInverseSigma) measurement.variance *= scale * scale;
      weighted.push_back(std::move(measurement));
    }
    return weighted;
  }

  bool LearnsBeforeChoosing() const override { return false; }

 private:
  double TrueRowsIn(const ReleasedMarginal& marginal) const {
    const std::int64_t rows = oracle_.RowsIn(marginal.group.round, marginal.measured.clique, marginal.contributors);
    return std::max(1.0, static_cast<double>(rows));
  }

  const Oracle& oracle_;
};

}  // namespace

absl::Status CheckHasPublishedCode(const Method& method) {
  if (std::holds_alternative<ChooseThenMeasure>(method.rounds)) {
    return InvalidArgument("published-code has no use in {}: it is for methods of which there is published code",
                           method.name);
  }
  if (method.IsOneTable()) {
    return InvalidArgument("published-code has no use in {}, whose published code makes none of the mistakes",
                           method.name);
  }
  if (std::holds_alternative<Annealed>(method.rounds)) {
    return InvalidArgument("the mistakes of the published code are known for a fixed number of rounds");
  }
  if (method.accounting == Accounting::kExact) {
    return InvalidArgument("the published code knows no exact accountant: use accounting paper, or cap");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SpendingPlan>> MakePublishedSpending(const Method& method, const PrivacyBudget& budget,
                                                                    int attributes) {
  RETURN_IF_ERROR(CheckHasPublishedCode(method));
  return PublishedSpending::Create(method, budget, attributes);
}

absl::Status RunAsPublished(RunPlan& plan, int attributes) {
  ASSIGN_OR_RETURN(plan.spending, MakePublishedSpending(plan.method, plan.options.budget, attributes));
  plan.title += " as published";
  return absl::OkStatus();
}

std::unique_ptr<Insider> MakePublishedInsider(const Oracle& oracle) {
  return std::make_unique<PublishedInsider>(oracle);
}

}  // namespace flaim
