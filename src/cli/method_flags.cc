#include "cli/method_flags.h"

#include <vector>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/choice_names.h"
#include "cli/number_range.h"
#include "data/message_text.h"
#include "data/types/number_text.h"

namespace flaim {
namespace {

constexpr int kMost = 100'000;

template <typename Value>
void AddChoice(CLI::App& command, const char* flag, std::string& variable, const char* about) {
  command.add_option(flag, variable, fmt::format("{} [the preset's]", about))->check(CLI::IsMember(NamesOf<Value>()));
}

template <typename Value, typename Field>
void Apply(const std::string& name, Field& field) {
  if (!name.empty()) field = ValueNamed<Value>(name);
}

template <typename Number, typename Field>
void Apply(const std::optional<Number>& number, Field& field) {
  if (number) field = *number;
}

void AddRoundFlags(CLI::App& command, MethodFlags& flags) {
  command.add_option("--rounds", flags.rounds, "How many rounds [the preset's]")->check(CLI::Range(1, kMost));
  command.add_flag("--anneal{8}", flags.anneal,
                   "As many rounds as pay off, with falling noise: --anneal, or --anneal=N for N rounds per column at "
                   "first [8]");
  command.add_option("--choosing-rounds", flags.choosing_rounds, "FLAIM-Once: the first rounds, which also choose")
      ->check(CLI::Range(1, kMost));
  command.add_option("--marginals", flags.marginals, "FLAIM-Once: how many to choose over all rounds")
      ->check(CLI::Range(1, kMost));
  command
      .add_option("--choices-at-once", flags.choices_at_once,
                  "FLAIM-Once: marginals chosen from one look at the scores; 0 is all of a round")
      ->check(CLI::Range(0, kMost));
  command.add_option("--one-way-share", flags.one_way_share, "FLAIM-Once: of what is spent on counts, for one-ways")
      ->check(Between(0, 1));
}

absl::Status ApplyOnce(const MethodFlags& flags, Method& method) {
  auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
  if (once == nullptr) {
    if (!flags.choosing_rounds && !flags.marginals && !flags.choices_at_once && !flags.one_way_share) {
      return absl::OkStatus();
    }
    return InvalidArgument(
        "--choosing-rounds, --marginals, --choices-at-once and --one-way-share are for methods that choose first and "
        "then measure, such as flaim-once; the rounds of {} are all alike",
        method.name);
  }
  Apply(flags.choosing_rounds, once->choosing_rounds);
  Apply(flags.marginals, once->marginals);
  Apply(flags.choices_at_once, once->choices_at_once);
  Apply(flags.one_way_share, once->one_way_share);
  return absl::OkStatus();
}

absl::Status ApplyRounds(const MethodFlags& flags, Method& method) {
  if (flags.rounds && !flags.anneal.empty()) {
    return InvalidArgument("--rounds and --anneal contradict each other: give one of them");
  }
  if (!flags.anneal.empty()) {
    const std::optional<double> per_attribute = ParseReal(flags.anneal);
    if (!per_attribute || !(*per_attribute > 0 && *per_attribute <= kMost)) {
      return InvalidArgument("--anneal={} is not a number of rounds per column: write --anneal or, e.g., --anneal=8",
                             flags.anneal);
    }
    method.rounds = Annealed{*per_attribute};
  } else if (flags.rounds) {
    if (auto* once = std::get_if<ChooseThenMeasure>(&method.rounds)) {
      // A pool that waits for everybody then does all in one round.
      if (method.membership == Membership::kPresent) {
        const ChooseThenMeasure suited = ChooseThenMeasure::For(*flags.rounds);
        once->rounds = suited.rounds;
        once->choosing_rounds = suited.choosing_rounds;
        once->marginals = suited.marginals;
      }
    } else {
      method.rounds = FixedRounds{*flags.rounds};
    }
  }
  return ApplyOnce(flags, method);
}

void ApplyChoices(const MethodFlags& flags, Method& method) {
  Apply<Selection>(flags.selection, method.selection);
  Apply<Heterogeneity>(flags.penalty, method.heterogeneity);
  Apply<OneWays>(flags.one_ways, method.one_ways);
  if (!flags.one_way_candidates.empty()) {
    method.one_way_candidates = ValueNamed<OneWayCandidates>(flags.one_way_candidates) == OneWayCandidates::kKept;
  }
  Apply<Weighting>(flags.weighting, method.weighting);
  Apply<Membership>(flags.membership, method.membership);
  Apply(flags.wait_for, method.pool_share_at_start);
  Apply<Accounting>(flags.accounting, method.accounting);
  Apply(flags.cap, method.participation_cap);
  Apply(flags.local_steps, method.local_steps);
  Apply<LocalStepping>(flags.local_stepping, method.stepping);
  Apply(flags.noise_penalty, method.noise_penalty);
  Apply(flags.selection_share, method.selection_share);
  method.as_published = method.as_published || flags.as_published;
}

absl::Status CheckCentral(const MethodFlags& flags, const Method& method) {
  const bool has_federated_flags = !flags.selection.empty() || !flags.penalty.empty() || !flags.one_ways.empty() ||
                                   !flags.weighting.empty() || !flags.membership.empty() || flags.wait_for ||
                                   flags.cap || flags.local_steps || !flags.local_stepping.empty() ||
                                   flags.as_published;
  if (!method.is_central || !has_federated_flags) return absl::OkStatus();
  return InvalidArgument(
      "{} has no clients that could choose, wait or decline: of the choices, only --rounds, --anneal, --accounting, "
      "--one-way-candidates, --noise-penalty and --selection-share change it",
      method.name);
}

// What was asked for in so many words, and would change nothing.
absl::Status CheckFlagsMatter(const MethodFlags& flags, const Method& method) {
  const bool is_once = std::holds_alternative<ChooseThenMeasure>(method.rounds);
  const bool is_pool = method.membership == Membership::kPool;
  RETURN_IF_ERROR(CheckCentral(flags, method));
  if (flags.cap && method.accounting == Accounting::kPaper) {
    return InvalidArgument("--cap contradicts --accounting paper, which pays for every round: use --accounting cap");
  }
  if (flags.cap && is_pool) {
    return InvalidArgument("--cap has no use in a pool: a client uploads once, and pays for every round after that");
  }
  if (flags.cap && *flags.cap > 1 && is_once && method.accounting == Accounting::kExact) {
    return InvalidArgument(
        "--cap {} contradicts --accounting exact, which {} has for one round only: use --accounting "
        "cap",
        *flags.cap, method.name);
  }
  if (flags.wait_for && !is_pool) {
    return InvalidArgument("--wait-for has no use without a pool (--membership pool): nobody's counts are kept");
  }
  if (!flags.penalty.empty() && method.selection != Selection::kLocal) {
    return InvalidArgument(
        "--penalty has no use with --selection {}: it is for clients that choose from their own rows",
        std::string(ChoiceOf(method.selection).name));
  }
  if (is_once && method.one_ways == OneWays::kFirstRound) {
    return InvalidArgument("--one-ways first contradicts {}, whose every round measures them", method.name);
  }
  if (!flags.local_stepping.empty() && method.local_steps == 1) {
    return InvalidArgument("--local-stepping has no use with a single step: give --local-steps 2 or more");
  }
  if (method.as_published && is_once) {
    return InvalidArgument("--as-published has no use with {}, of which there is no published code", method.name);
  }
  return absl::OkStatus();
}

}  // namespace

void AddMethodFlags(CLI::App& command, MethodFlags& flags) {
  command.add_option("--method", flags.method, "The method: `flaim methods` lists them")
      ->required()
      ->check(CLI::Validator(ExplainUnknownMethod, "NAME"));
  AddRoundFlags(command, flags);
  AddChoice<Selection>(command, "--selection", flags.selection, "Who chooses the marginals to measure, and from what");
  AddChoice<Heterogeneity>(command, "--penalty", flags.penalty, "What a client's score allows for being unlike others");
  AddChoice<OneWays>(command, "--one-ways", flags.one_ways, "When one-way marginals are measured");
  AddChoice<OneWayCandidates>(command, "--one-way-candidates", flags.one_way_candidates,
                              "Whether one-way marginals can be chosen");
  AddChoice<Weighting>(command, "--weighting", flags.weighting, "How much a measurement counts in the fit");
  AddChoice<Membership>(command, "--membership", flags.membership, "Who answers in a round");
  command.add_option("--wait-for", flags.wait_for, "Share of the clients that must be in the pool at first")
      ->check(Between(0, 1));
  AddChoice<Accounting>(command, "--accounting", flags.accounting, "What a client's rows are charged for");
  command.add_option("--cap", flags.cap, "In how many rounds a client serves before it declines [1]")
      ->check(CLI::Range(1, kMost));
  command.add_option("--local-steps", flags.local_steps, "Marginals that a client chooses in a round [1]")
      ->check(CLI::Range(1, 100));
  AddChoice<LocalStepping>(command, "--local-stepping", flags.local_stepping,
                           "What a client does between two local steps");
  command
      .add_option("--noise-penalty", flags.noise_penalty,
                  "How many times the noise that measuring a marginal adds is taken off its score [the preset's]")
      ->check(Between(0, 1000));
  command.add_option("--selection-share", flags.selection_share, "Of the budget, for choosing [the preset's]")
      ->check(Between(0, 1));
  command.add_flag("--as-published", flags.as_published,
                   "With the published code's mistakes, for comparisons. NOT private");
}

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

absl::StatusOr<Method> MakeMethod(const MethodFlags& flags) {
  ASSIGN_OR_RETURN(Method method, FindMethod(flags.method));
  ApplyChoices(flags, method);
  RETURN_IF_ERROR(ApplyRounds(flags, method));
  RETURN_IF_ERROR(CheckFlagsMatter(flags, method));
  RETURN_IF_ERROR(CheckMethod(method));
  return method;
}

}  // namespace flaim
