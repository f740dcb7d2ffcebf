#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "algorithms/methods/method.h"
#include "privacy/budget/budget.h"

namespace flaim {

// What each client is asked to agree to: how much its rows may cost in all, and in how many groups it serves beside the
// initialisation.
struct ClientTerms {
  Rho allowance;
  int participation_cap = 1;
};

// What one round may spend.
struct RoundSpending {
  std::optional<Rational> one_way_sigma_squared;  // if the one-way marginals are measured
  int selections = 0;                             // one after the other
  int choices = 0;                                // marginals to choose in each; for local choices, of each client
  Rational epsilon{0, 1};                         // of a choice by the exponential mechanism
  double score_rho = 0;                           // of a look at summed scores
  std::optional<Rational> sigma_squared;          // of each chosen marginal, new or measured again
  int measured = 0;                               // how many of those are planned for
  bool is_last = false;

  double Sigma() const;
  // The noise of the sum of scores of this many candidates.
  absl::StatusOr<Rational> ScoreSigmaSquared(std::size_t candidates) const;
};

// How a method spends a client's allowance, round by round. No client that serves in the initialisation and in at most
// `participation_cap` groups is asked for more than its allowance; the client's own account makes sure of it.
class SpendingPlan {
 public:
  virtual ~SpendingPlan() = default;

  // Another of the same plan, as far as it has come: a plan is made once, and each run has a copy.
  virtual std::unique_ptr<SpendingPlan> Clone() const = 0;

  virtual ClientTerms client_terms() const = 0;
  // The one-way marginals alone, before the first round; nothing if the rounds measure them.
  virtual std::optional<RoundSpending> Initialisation() const = 0;
  // Whether the next round measures candidates, to choose from what it finds.
  virtual bool WatchesNext() const { return false; }
  // The next round, in which `known` marginals are measured that are known by now, because they were chosen before or
  // are watched; nothing after the last.
  virtual absl::StatusOr<std::optional<RoundSpending>> Next(std::size_t known) = 0;
  // The same round for less, or nothing, when the account refused to pay for it, because others had spent from it
  // meanwhile. The refusal, where there are no others.
  virtual absl::StatusOr<std::optional<RoundSpending>> NextAfter(const absl::Status& refusal) { return refusal; }
  virtual bool IsOver() const = 0;
  // Whether the last round taught more than its noise hid.
  virtual void Observe(bool improved) = 0;
  // 0 when that is open.
  virtual int PlannedRounds() const = 0;
  // Of the whole, what the rounds up to now have used.
  virtual double ShareSpent() const = 0;
  // By whoever was in the initialisation and in all rounds up to now.
  virtual Rho Spent() const = 0;
};

// Refuses a budget that does not pay for a round. Under exact accounting the promise holds for the noise named; zCDP
// covers both.
absl::StatusOr<std::unique_ptr<SpendingPlan>> MakeSpendingPlan(const Method& method, const PrivacyBudget& budget,
                                                               int attributes, SumNoise noise = SumNoise::kWhole);

}  // namespace flaim
