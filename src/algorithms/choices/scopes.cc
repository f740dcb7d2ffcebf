#include "algorithms/choices/scopes.h"

namespace flaim {
bool HasRounds(const Method& method) {
  return method.selection != Selection::kNone || method.one_ways == OneWays::kEveryRound;
}

bool HasRoundsToChoose(const Method& method) {
  return HasRounds(method) && !(method.ChoosesThenMeasures() && method.membership == Membership::kPool);
}

namespace scopes {

constinit const Scope kEveryMethod = {[](const Method&) { return true; }, "every method"};
constinit const Scope kChoiceFromOwnRows = {[](const Method& method) { return method.selection == Selection::kLocal; },
                                            "clients that choose from their own rows (selection local)"};
constinit const Scope kChoiceByClients = {[](const Method& method) {
                                            return method.selection == Selection::kLocal ||
                                                   method.selection == Selection::kRandom;
                                          },
                                          "clients that choose by themselves (selection local or random)"};
constinit const Scope kSeveralLocalSteps = {[](const Method& method) { return method.local_steps > 1; },
                                            "clients that choose several marginals in a round (local-steps 2 or more)"};
constinit const Scope kScores = {
    [](const Method& method) { return method.selection != Selection::kNone && method.selection != Selection::kRandom; },
    "methods that choose by scores (selection neither none nor random)"};
constinit const Scope kPool = {[](const Method& method) { return method.membership == Membership::kPool; },
                               "a pool that keeps counts (membership pool)"};
constinit const Scope kCap = {
    [](const Method& method) {
      return method.accounting != Accounting::kPaper && method.membership == Membership::kPresent;
    },
    "clients that pay for the rounds they serve in (accounting cap or exact, and no pool, to which a client uploads "
    "once)"};
constinit const Scope kFixedRounds = {
    [](const Method& method) { return HasRoundsToChoose(method) && !method.IsAnnealed(); },
    "methods with a number of rounds that is fixed, and not by a pool that does all in one"};
constinit const Scope kAnnealedRounds = {
    [](const Method& method) { return HasRoundsToChoose(method) && method.IsAnnealed(); },
    "methods with rounds that are alike"};
constinit const Scope kChooseThenMeasure = {[](const Method& method) { return method.ChoosesThenMeasures(); },
                                            "methods that choose first and then measure, such as flaim-once"};

}  // namespace scopes
}  // namespace flaim
