#pragma once

#include <string>
#include <utility>

#include "algorithms/spending/spending.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// A plan that pays from a ledger on disk, where a debit that a crash parted from its value is spent for nothing. What
// the ledger then lacks is taken off the last round, so that a run still ends with a model. What is on record already
// keeps its price. For one table, whose rounds choose one marginal each.
class WithinLedger final : public SpendingPlan {
 public:
  // The ledger must outlive the plan and its copies. `run` names the releases.
  WithinLedger(std::unique_ptr<SpendingPlan> planned, const Ledger& ledger, std::string run)
      : planned_(std::move(planned)), ledger_(ledger), run_(std::move(run)) {}

  std::unique_ptr<SpendingPlan> Clone() const override;
  ClientTerms client_terms() const override { return planned_->client_terms(); }
  std::optional<RoundSpending> Initialisation() const override { return planned_->Initialisation(); }
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override;
  bool IsOver() const override { return planned_->IsOver(); }
  void Observe(bool improved) override { planned_->Observe(improved); }
  int PlannedRounds() const override { return planned_->PlannedRounds(); }
  double ShareSpent() const override { return planned_->ShareSpent(); }
  Rho Spent() const override { return planned_->Spent(); }

 private:
  absl::StatusOr<RoundSpending> Afford(RoundSpending round) const;

  std::unique_ptr<SpendingPlan> planned_;
  const Ledger& ledger_;
  std::string run_;
  std::int64_t begun_ = 0;
};

}  // namespace flaim
