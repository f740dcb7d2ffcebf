#include "algorithms/spending/spending_testing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace flaim {
namespace {

// A score moves by two records, which are 2 * 16 units of a summed score.
constexpr long double kScoreMoveSquared = 32.0L * 32.0L;

long double Variance(const Rational& sigma_squared) {
  return static_cast<long double>(sigma_squared.numerator()) / static_cast<long double>(sigma_squared.denominator());
}

long double OfMarginals(long double marginals, const Rational& sigma_squared) {
  return marginals / (2 * Variance(sigma_squared));
}

long double OfChoice(const Rational& epsilon) { return Variance(epsilon) * Variance(epsilon) / 8; }

template <typename Value>
Value OneOf(std::initializer_list<Value> values, RandomSource& random) {
  return values.begin()[random.NextBelow(values.size())];
}

int Between(int low, int high, RandomSource& random) {
  return low + static_cast<int>(random.NextBelow(static_cast<std::uint64_t>(high - low + 1)));
}

Rounds RandomRounds(RandomSource& random) {
  switch (random.NextBelow(3)) {
    case 0:
      return Annealed{1.5 + 14.5 * random.NextUnit()};
    case 1:
      return FixedRounds{Between(1, 40, random)};
    default:
      return ChooseThenMeasure{.rounds = Between(1, 40, random),
                               .choosing_rounds = Between(1, 12, random),
                               .marginals = Between(1, 40, random),
                               .choices_at_once = Between(0, 5, random),
                               .one_way_share = 0.1 + 0.8 * random.NextUnit()};
  }
}

}  // namespace

long double AuditRound(const Method& method, const RoundSpending& round, int attributes, std::size_t known,
                       std::size_t candidates) {
  long double cost = 0;
  if (round.one_way_sigma_squared) cost += OfMarginals(attributes, *round.one_way_sigma_squared);
  if (!round.sigma_squared) return cost;
  if (std::holds_alternative<ChooseThenMeasure>(method.rounds)) {
    cost += OfMarginals(static_cast<long double>(known), *round.sigma_squared);
  }
  if (method.selection == Selection::kNoisySums) return cost;
  cost += OfMarginals(round.selections * round.choices, *round.sigma_squared);
  for (int selection = 0; selection < round.selections; ++selection) {
    if (method.selection == Selection::kSummedScores) {
      const Rational sigma_squared = round.ScoreSigmaSquared(candidates).value();
      cost += kScoreMoveSquared * static_cast<long double>(candidates) / (2 * Variance(sigma_squared));
    }
    if (method.selection == Selection::kScoreOfSum) cost += OfChoice(round.epsilon);
    if (method.selection != Selection::kLocal) continue;
    cost += round.choices * OfChoice(round.epsilon);
    if (method.stepping == LocalStepping::kMeasuring) cost += OfMarginals(round.choices - 1, *round.sigma_squared);
  }
  return cost;
}

long double Audit::WorstClient(int participations) const {
  std::vector<long double> costs = rounds;
  std::sort(costs.begin(), costs.end(), std::greater<>());
  costs.resize(std::min(costs.size(), static_cast<std::size_t>(participations)));
  return std::accumulate(costs.begin(), costs.end(), initialisation);
}

long double Audit::AllRounds() const { return std::accumulate(rounds.begin(), rounds.end(), initialisation); }

Audit Replay(const Method& method, int attributes, SpendingPlan& plan, RandomSource& random, int max_rounds) {
  Audit audit;
  if (const std::optional<RoundSpending> first = plan.Initialisation()) {
    audit.initialisation = AuditRound(method, *first, attributes, 0, 1);
  }
  const std::uint64_t odds = 1 + random.NextBelow(4);
  const std::size_t pairs = random.NextBelow(50);
  std::size_t chosen = 0;
  bool was_last = false;
  while (std::ssize(audit.rounds) < max_rounds) {
    const std::size_t known = chosen + (plan.WatchesNext() ? pairs : 0);
    const std::optional<RoundSpending> round = plan.Next(known).value();
    if (!round) {
      audit.has_ended = was_last || audit.rounds.empty();
      break;
    }
    if (was_last) break;
    was_last = round->is_last;
    audit.rounds.push_back(AuditRound(method, *round, attributes, known, 1 + random.NextBelow(5)));
    const int most = round->selections * round->choices;
    chosen += random.NextBelow(odds) == 0 ? static_cast<std::size_t>(Between(0, most, random))
                                          : static_cast<std::size_t>(most);
    plan.Observe(random.NextBelow(odds) != 0);
  }
  return audit;
}

bool PaysForAllRounds(const Method& method) {
  return method.accounting == Accounting::kPaper || method.membership == Membership::kPool;
}

Method RandomMethod(RandomSource& random) {
  Method method;
  method.selection = OneOf({Selection::kNone, Selection::kRandom, Selection::kLocal, Selection::kSummedScores,
                            Selection::kNoisySums, Selection::kScoreOfSum},
                           random);
  method.penalty = OneOf({Penalty::kNone, Penalty::kOracle, Penalty::kProxy}, random);
  method.one_ways = OneOf({OneWays::kFirstRound, OneWays::kEveryRound}, random);
  method.membership = OneOf({Membership::kPresent, Membership::kPresent, Membership::kPool}, random);
  method.accounting = OneOf({Accounting::kPaper, Accounting::kCapped}, random);
  method.participation_cap = Between(1, 5, random);
  method.rounds = RandomRounds(random);
  method.local_steps = random.NextBelow(2) == 0 ? 1 : Between(1, 4, random);
  method.stepping = OneOf({LocalStepping::kPeeling, LocalStepping::kMeasuring}, random);
  method.selection_share = 0.02 + 0.9 * random.NextUnit();
  return method;
}

PrivacyBudget RandomBudget(RandomSource& random) {
  const double epsilon = std::pow(10, -1 + 2 * random.NextUnit());
  return PrivacyBudget::Create(epsilon, std::pow(10, -9 + 5 * random.NextUnit())).value();
}

}  // namespace flaim
