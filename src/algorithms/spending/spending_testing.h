#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/spending/spending.h"
#include "base/random_source.h"

namespace flaim {

// An accountant that knows nothing of the plan's arithmetic: the formulas of the privacy page in floating point.

// What a round costs one client that takes part, in zCDP. `known` marginals are measured again or watched; scores are
// looked at for `candidates` of them.
long double AuditRound(const Method& method, const RoundSpending& round, int attributes, std::size_t known,
                       std::size_t candidates);

// The costs of all that a plan asks for, from its beginning to its end.
struct Audit {
  long double initialisation = 0;
  std::vector<long double> rounds;
  bool has_ended = false;  // with its last round, and nothing after it
  // What the client pays that serves in the `participations` most expensive rounds, and in the initialisation.
  long double WorstClient(int participations) const;
  long double AllRounds() const;
};

// Replays a plan as a run would, with random outcomes. At most `max_rounds`.
Audit Replay(const Method& method, int attributes, SpendingPlan& plan, RandomSource& random, int max_rounds = 100'000);

// Whether each client takes part in every round, because it is in a pool or the accounting says so.
bool PaysForAllRounds(const Method& method);

// Any combination of choices; CheckMethod may refuse it. At most 40 rounds, 5 participations and 4 local steps.
Method RandomMethod(RandomSource& random);
PrivacyBudget RandomBudget(RandomSource& random);

}  // namespace flaim
