#include <optional>
#include <string>
#include <string_view>

#include "algorithms/choices/choices.h"
#include "base/status.h"

namespace flaim {
namespace {

bool IsPool(const Method& method) { return method.membership == Membership::kPool; }

bool IsChosenByClients(const Method& method) {
  return method.selection == Selection::kLocal || method.selection == Selection::kRandom;
}

bool AsksClients(const Method& method) {
  return IsChosenByClients(method) || method.selection == Selection::kSummedScores;
}

bool IsChosenBySums(const Method& method) {
  return method.selection == Selection::kSummedScores || method.selection == Selection::kNoisySums ||
         method.selection == Selection::kScoreOfSum;
}

bool CannotBeExact(const Method& method) {
  if (method.ChoosesThenMeasures()) return method.participation_cap > 1;
  return method.IsAnnealed() || method.selection == Selection::kSummedScores;
}

struct Contradiction {
  bool (*is_in)(const Method& method);
  std::string_view in_words;
};

constexpr Contradiction kContradictions[] = {
    {[](const Method& method) {
       return method.IsAnnealed() && method.membership == Membership::kPresent &&
              method.accounting != Accounting::kPaper;
     },
     "annealed rounds have no fixed number, so a participation cap cannot be planned for: use accounting paper, or a "
     "fixed number of rounds"},
    {[](const Method& method) { return method.pool_share_at_start > 0 && !IsPool(method); },
     "wait-for is for a pool that keeps counts (membership pool)"},
    {[](const Method& method) { return IsPool(method) && AsksClients(method); },
     "the clients of a pool have gone: they cannot choose, or score, any more"},
    {[](const Method& method) { return method.IsOneTable() && AsksClients(method); },
     "where all rows are in one table, there are no clients that could choose, or score"},
    {[](const Method& method) { return method.weighting == Weighting::kSameRows && !method.IsOneTable(); },
     "marginals count as measured only where all are of the same rows, in one table"},
    {[](const Method& method) {
       return !method.ChoosesThenMeasures() && method.weighting == Weighting::kHeterogeneity &&
              IsChosenByClients(method);
     },
     "weighting by heterogeneity needs sums to which whole groups contribute"},
    {[](const Method& method) { return method.local_steps > 1 && !IsChosenByClients(method); },
     "local steps are for clients that choose by themselves"},
    {[](const Method& method) { return method.accounting == Accounting::kExact && CannotBeExact(method); },
     "the exact accountant needs a schedule that is fixed in advance, without summed scores, and for FLAIM-Once a "
     "participation cap of 1: use accounting cap"},
    {[](const Method& method) { return !method.ChoosesThenMeasures() && method.selection == Selection::kNoisySums; },
     "choosing from noisy sums is for rounds that choose and then measure, as in flaim-once"},
    {[](const Method& method) { return method.ChoosesThenMeasures() && !IsChosenBySums(method); },
     "rounds that choose and then measure need a selection by sums"},
    {[](const Method& method) { return method.ChoosesThenMeasures() && method.accounting == Accounting::kPaper; },
     "the paper's accounting does not know rounds that choose and then measure"},
    {[](const Method& method) { return method.ChoosesThenMeasures() && method.one_ways == OneWays::kFirstRound; },
     "one-ways first contradicts rounds that choose and then measure: each of them measures the one-way marginals"},
};

}  // namespace

absl::Status CheckMethod(const Method& method) {
  for (const Choice& choice : AllChoices()) {
    const std::optional<ChoiceValue> value = choice.get(method);
    const std::string misfit = value ? ExplainMisfit(choice, *value) : "";
    if (!misfit.empty()) return InvalidArgument("{}: {}", choice.name, misfit);
  }
  for (const Contradiction& contradiction : kContradictions) {
    if (contradiction.is_in(method)) return InvalidArgument("{}", contradiction.in_words);
  }
  return absl::OkStatus();
}

}  // namespace flaim
