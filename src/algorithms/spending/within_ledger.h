#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/spending/spending.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// A plan that pays from a ledger on disk. That may have less than was planned for: other runs pay from it, too, and a
// debit that a crash parted from its value is spent for nothing. So no round is taken for granted: one after which the
// ledger could not pay for another becomes the last and takes what is left, no more than was planned for these two; and
// where hardly anything is left, there is none. So a run that has its one-way marginals ends with a model.
//
// What is on record already keeps its price, and decides what a round taught: another processor may round a model
// otherwise and think otherwise. For one table, whose rounds choose one marginal each.
class WithinLedger final : public SpendingPlan {
 public:
  // The ledger must outlive the plan and its copies. `run` names the releases.
  WithinLedger(std::unique_ptr<SpendingPlan> planned, const Ledger& ledger, std::string run)
      : planned_(std::move(planned)), ledger_(ledger), run_(std::move(run)) {}

  std::unique_ptr<SpendingPlan> Clone() const override;
  ClientTerms client_terms() const override { return planned_->client_terms(); }
  // With all that is left, where their debit was lost and the ledger does not pay for them a second time.
  std::optional<RoundSpending> Initialisation() const override;
  absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) override;
  absl::StatusOr<std::optional<RoundSpending>> NextAfter(const absl::Status& refusal) override;
  bool IsOver() const override { return is_over_ || planned_->IsOver(); }
  void Observe(bool improved) override { planned_->Observe(AsOnRecord(improved)); }
  int PlannedRounds() const override { return planned_->PlannedRounds(); }
  double ShareSpent() const override { return planned_->ShareSpent(); }
  // By the run, with what it has lost in crashes.
  Rho Spent() const override { return ledger_.SpentBy(run_); }

 private:
  // What a round was paid, as far as its values are on record.
  struct Recorded {
    std::optional<Rational> epsilon;
    std::optional<Rational> sigma_squared;

    bool Contradicts(const RoundSpending& round) const;
  };

  Recorded RecordOf(std::int64_t begun) const;
  // The answer after which the plan goes on as the record does.
  bool AsOnRecord(bool improved) const;
  // The planned round, or what the ledger can still pay of it.
  std::optional<RoundSpending> Afford();
  // With this much of what is not on record yet; nothing where that is too little to be worth it.
  static std::optional<RoundSpending> ShareOfRound(RoundSpending round, const Recorded& recorded, double share);

  std::unique_ptr<SpendingPlan> planned_;
  const Ledger& ledger_;
  std::string run_;
  std::int64_t begun_ = 0;
  std::optional<RoundSpending> round_;  // as planned
  Rho left_;                            // when it was last asked what can be afforded
  bool is_over_ = false;
};

}  // namespace flaim
