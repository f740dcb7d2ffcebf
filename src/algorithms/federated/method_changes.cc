#include "algorithms/federated/method_changes.h"

#include <vector>

#include "algorithms/federated/choice_names.h"
#include "algorithms/methods/presets.h"
#include "base/status.h"
#include "io/message_text.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr double kMostRoundsPerColumn = 100'000;

template <typename Value, typename Field>
void Apply(const std::string& name, Field& field) {
  if (!name.empty()) field = ValueNamed<Value>(name);
}

template <typename Number, typename Field>
void Apply(const std::optional<Number>& number, Field& field) {
  if (number) field = *number;
}

absl::Status ApplyOnce(const MethodChanges& changes, Method& method) {
  auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
  if (once == nullptr) {
    if (!changes.choosing_rounds && !changes.marginals && !changes.choices_at_once && !changes.one_way_share) {
      return absl::OkStatus();
    }
    return InvalidArgument(
        "--choosing-rounds, --marginals, --choices-at-once and --one-way-share are for methods that choose first and "
        "then measure, such as flaim-once; the rounds of {} are all alike",
        method.name);
  }
  Apply(changes.choosing_rounds, once->choosing_rounds);
  Apply(changes.marginals, once->marginals);
  Apply(changes.choices_at_once, once->choices_at_once);
  Apply(changes.one_way_share, once->one_way_share);
  return absl::OkStatus();
}

absl::Status ApplyRounds(const MethodChanges& changes, Method& method) {
  if (changes.rounds && !changes.anneal.empty()) {
    return InvalidArgument("--rounds and --anneal contradict each other: give one of them");
  }
  if (!changes.anneal.empty()) {
    const std::optional<double> per_attribute = ParseReal(changes.anneal);
    if (!per_attribute || !(*per_attribute > 0 && *per_attribute <= kMostRoundsPerColumn)) {
      return InvalidArgument("--anneal={} is not a number of rounds per column: write --anneal or, e.g., --anneal=8",
                             changes.anneal);
    }
    method.rounds = Annealed{*per_attribute};
  } else if (changes.rounds) {
    if (auto* once = std::get_if<ChooseThenMeasure>(&method.rounds)) {
      // A pool that waits for everybody then does all in one round.
      if (method.membership == Membership::kPresent) {
        const ChooseThenMeasure suited = ChooseThenMeasure::For(*changes.rounds);
        once->rounds = suited.rounds;
        once->choosing_rounds = suited.choosing_rounds;
        once->marginals = suited.marginals;
      }
    } else {
      method.rounds = FixedRounds{*changes.rounds};
    }
  }
  return ApplyOnce(changes, method);
}

void ApplyChoices(const MethodChanges& changes, Method& method) {
  Apply<Selection>(changes.selection, method.selection);
  Apply<Heterogeneity>(changes.penalty, method.heterogeneity);
  Apply<OneWays>(changes.one_ways, method.one_ways);
  if (!changes.one_way_candidates.empty()) {
    method.one_way_candidates = ValueNamed<OneWayCandidates>(changes.one_way_candidates) == OneWayCandidates::kKept;
  }
  Apply<Weighting>(changes.weighting, method.weighting);
  Apply<Membership>(changes.membership, method.membership);
  Apply(changes.wait_for, method.pool_share_at_start);
  Apply<Accounting>(changes.accounting, method.accounting);
  Apply(changes.cap, method.participation_cap);
  Apply(changes.local_steps, method.local_steps);
  Apply<LocalStepping>(changes.local_stepping, method.stepping);
  Apply(changes.noise_penalty, method.noise_penalty);
  Apply(changes.selection_share, method.selection_share);
  method.as_published = method.as_published || changes.as_published;
}

absl::Status CheckCentral(const MethodChanges& changes, const Method& method) {
  const bool has_federated_flags = !changes.selection.empty() || !changes.penalty.empty() ||
                                   !changes.one_ways.empty() || !changes.weighting.empty() ||
                                   !changes.membership.empty() || changes.wait_for || changes.cap ||
                                   changes.local_steps || !changes.local_stepping.empty() || changes.as_published;
  if (!method.IsOneTable() || !has_federated_flags) return absl::OkStatus();
  return InvalidArgument(
      "{} has no clients that could choose, wait or decline: of the choices, only --rounds, --anneal, --accounting, "
      "--one-way-candidates, --noise-penalty and --selection-share change it",
      method.name);
}

// What was asked for in so many words, and would change nothing.
absl::Status CheckFlagsMatter(const MethodChanges& changes, const Method& method) {
  const bool is_once = std::holds_alternative<ChooseThenMeasure>(method.rounds);
  const bool is_pool = method.membership == Membership::kPool;
  RETURN_IF_ERROR(CheckCentral(changes, method));
  if (changes.cap && method.accounting == Accounting::kPaper) {
    return InvalidArgument("--cap contradicts --accounting paper, which pays for every round: use --accounting cap");
  }
  if (changes.cap && is_pool) {
    return InvalidArgument("--cap has no use in a pool: a client uploads once, and pays for every round after that");
  }
  if (changes.cap && *changes.cap > 1 && is_once && method.accounting == Accounting::kExact) {
    return InvalidArgument(
        "--cap {} contradicts --accounting exact, which {} has for one round only: use --accounting "
        "cap",
        *changes.cap, method.name);
  }
  if (changes.wait_for && !is_pool) {
    return InvalidArgument("--wait-for has no use without a pool (--membership pool): nobody's counts are kept");
  }
  if (!changes.penalty.empty() && method.selection != Selection::kLocal) {
    return InvalidArgument(
        "--penalty has no use with --selection {}: it is for clients that choose from their own rows",
        std::string(ChoiceOf(method.selection).name));
  }
  if (is_once && method.one_ways == OneWays::kFirstRound) {
    return InvalidArgument("--one-ways first contradicts {}, whose every round measures them", method.name);
  }
  if (!changes.local_stepping.empty() && method.local_steps == 1) {
    return InvalidArgument("--local-stepping has no use with a single step: give --local-steps 2 or more");
  }
  if (method.as_published && is_once) {
    return InvalidArgument("--as-published has no use with {}, of which there is no published code", method.name);
  }
  return absl::OkStatus();
}

}  // namespace

std::string ExplainUnknownMethod(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : AllMethods()) {
    if (method.name == name) return "";
    names.push_back(method.name);
  }
  const std::vector<std::string_view> options(names.begin(), names.end());
  return fmt::format("there is no method {}.{} There are {}", QuoteForMessage(name), SuggestNearest(name, options),
                     fmt::join(names, ", "));
}

absl::StatusOr<Method> MakeMethod(const MethodChanges& changes) {
  ASSIGN_OR_RETURN(Method method, FindMethod(changes.method));
  ApplyChoices(changes, method);
  RETURN_IF_ERROR(ApplyRounds(changes, method));
  RETURN_IF_ERROR(CheckFlagsMatter(changes, method));
  RETURN_IF_ERROR(CheckMethod(method));
  return method;
}

}  // namespace flaim
