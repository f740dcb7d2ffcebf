#include "algorithms/spending/within_ledger.h"

#include <algorithm>
#include <cmath>

#include "algorithms/loop/release_names.h"
#include "base/status.h"

namespace flaim {
namespace {

// A marginal with more than four times the planned noise would rather spoil the model.
constexpr double kLeastShare = 1.0 / 16;

// What `left` is of `cost`, with two units for rounding two costs up.
double ShareOf(Rho cost, Rho left) { return (left.ToDouble() - Rho::FromUnits(2).ToDouble()) / cost.ToDouble(); }

std::optional<Rational> MoreNoise(const Rational& sigma_squared, double share) {
  const absl::StatusOr<Rational> more = Rational::RoundUp(sigma_squared.ToDouble() / share);
  return more.ok() ? std::optional(*more) : std::nullopt;
}

std::optional<Rational> LessEpsilon(const Rational& epsilon, double share) {
  const absl::StatusOr<Rational> less = Rational::RoundDown(epsilon.ToDouble() * std::sqrt(share));
  return less.ok() && less->numerator() > 0 ? std::optional(*less) : std::nullopt;
}

}  // namespace

std::unique_ptr<SpendingPlan> WithinLedger::Clone() const {
  auto clone = std::make_unique<WithinLedger>(planned_->Clone(), ledger_, run_);
  clone->begun_ = begun_;
  clone->round_ = round_;
  clone->left_ = left_;
  clone->is_over_ = is_over_;
  return clone;
}

std::optional<RoundSpending> WithinLedger::Initialisation() const {
  std::optional<RoundSpending> first = planned_->Initialisation();
  const ReleaseName name = OneWaysName(run_, kInitialRound);
  const bool was_lost = ledger_.Attempts(name) > (ledger_.HasValue(name) ? 1 : 0);
  if (!first || !was_lost) return first;
  if (const std::optional<Mechanism> paid = ledger_.RecordedMechanism(name)) {
    if (const auto* sums = std::get_if<GaussianMechanism>(&*paid)) first->one_way_sigma_squared = sums->sigma_squared;
    return first;
  }
  const Rho cost = planned_->Spent();
  const double share = ShareOf(cost, ledger_.left());
  if (cost <= ledger_.left() || share <= 0) return first;
  first->one_way_sigma_squared =
      MoreNoise(*first->one_way_sigma_squared, share).value_or(*first->one_way_sigma_squared);
  return first;
}

absl::StatusOr<std::optional<RoundSpending>> WithinLedger::Next(std::size_t known) {
  if (IsOver()) return std::nullopt;
  ASSIGN_OR_RETURN(round_, planned_->Next(known));
  ++begun_;
  return Afford();
}

absl::StatusOr<std::optional<RoundSpending>> WithinLedger::NextAfter(const absl::Status& refusal) {
  if (ledger_.left() >= left_) return refusal;
  return Afford();
}

bool WithinLedger::AsOnRecord(bool improved) const {
  if (IsOver()) return improved;
  for (const bool answer : {improved, !improved}) {
    const std::unique_ptr<SpendingPlan> planned = planned_->Clone();
    planned->Observe(answer);
    const absl::StatusOr<std::optional<RoundSpending>> next = planned->Next(0);
    if (next.ok() && *next && !RecordOf(begun_ + 1).Contradicts(**next)) return answer;
  }
  return improved;
}

bool WithinLedger::Recorded::Contradicts(const RoundSpending& round) const {
  return (epsilon && *epsilon != round.epsilon) || (sigma_squared && sigma_squared != round.sigma_squared);
}

WithinLedger::Recorded WithinLedger::RecordOf(std::int64_t begun) const {
  const std::int64_t number = begun + (planned_->Initialisation() ? kInitialRound : 0);
  const std::optional<Mechanism> selected = ledger_.RecordedMechanism(SelectionName(run_, number, 0));
  const std::optional<Mechanism> measured = ledger_.RecordedMechanism(ChosenName(run_, number, 0));
  Recorded recorded;
  if (const auto* paid = selected ? std::get_if<ExponentialMechanism>(&*selected) : nullptr) {
    recorded.epsilon = paid->epsilon;
  }
  if (const auto* paid = measured ? std::get_if<GaussianMechanism>(&*measured) : nullptr) {
    recorded.sigma_squared = paid->sigma_squared;
  }
  return recorded;
}

std::optional<RoundSpending> WithinLedger::Afford() {
  if (!round_ || !round_->sigma_squared) return round_;
  RoundSpending round = *round_;
  left_ = ledger_.left();
  const Recorded recorded = RecordOf(begun_);
  const Rho selection = CostOf(ExponentialMechanism{round.epsilon});
  const Rho measurement = CostOf(GaussianMechanism{*round.sigma_squared});
  const Rho cost = (recorded.epsilon ? Rho() : selection) + (recorded.sigma_squared ? Rho() : measurement);
  if (cost + selection + measurement <= left_) return round;

  // Only a last round, which took what was left, can have been paid otherwise. (The ledger refuses what is on record
  // with other parameters while it has plenty: that is not this run.)
  const bool was_last = recorded.Contradicts(round);
  round.epsilon = recorded.epsilon.value_or(round.epsilon);
  if (recorded.sigma_squared) round.sigma_squared = recorded.sigma_squared;
  const bool is_paid = cost == Rho();
  const bool is_planned_last = round.is_last || was_last;
  round.is_last = is_over_ = is_planned_last || !is_paid;
  if (is_paid || (is_planned_last && cost <= left_)) return round;
  return ShareOfRound(round, recorded, ShareOf(cost, left_));
}

std::optional<RoundSpending> WithinLedger::ShareOfRound(RoundSpending round, const Recorded& recorded, double share) {
  if (share < kLeastShare) return std::nullopt;
  const std::optional<Rational> epsilon = recorded.epsilon ? round.epsilon : LessEpsilon(round.epsilon, share);
  const std::optional<Rational> sigma_squared =
      recorded.sigma_squared ? round.sigma_squared : MoreNoise(*round.sigma_squared, share);
  if (!epsilon || !sigma_squared) return std::nullopt;
  round.epsilon = *epsilon;
  round.sigma_squared = sigma_squared;
  return round;
}

}  // namespace flaim
