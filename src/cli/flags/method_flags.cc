#include "cli/flags/method_flags.h"

#include "CLI/CLI.hpp"
#include "algorithms/federated/choice_names.h"
#include "cli/flags/number_range.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr int kMost = 100'000;

template <typename Value>
void AddChoice(CLI::App& command, const char* flag, std::string& variable, const char* about) {
  command.add_option(flag, variable, fmt::format("{} [the preset's]", about))->check(CLI::IsMember(NamesOf<Value>()));
}

void AddRoundFlags(CLI::App& command, MethodChanges& changes) {
  command.add_option("--rounds", changes.rounds, "How many rounds [the preset's]")->check(CLI::Range(1, kMost));
  command.add_flag("--anneal{8}", changes.anneal,
                   "As many rounds as pay off, with falling noise: --anneal, or --anneal=N for N rounds per column at "
                   "first [8]");
  command.add_option("--choosing-rounds", changes.choosing_rounds, "FLAIM-Once: the first rounds, which also choose")
      ->check(CLI::Range(1, kMost));
  command.add_option("--marginals", changes.marginals, "FLAIM-Once: how many to choose over all rounds")
      ->check(CLI::Range(1, kMost));
  command
      .add_option("--choices-at-once", changes.choices_at_once,
                  "FLAIM-Once: marginals chosen from one look at the scores; 0 is all of a round")
      ->check(CLI::Range(0, kMost));
  command.add_option("--one-way-share", changes.one_way_share, "FLAIM-Once: of what is spent on counts, for one-ways")
      ->check(Between(0, 1));
}

std::string ExplainBadRate(const std::string& text) {
  const std::optional<double> rate = ParseReal(text);
  if (rate && *rate > 0 && *rate <= 1) return "";
  if (rate && *rate == 0) return "with a rate of 0 nobody would ever take part: give more than 0, and at most 1";
  return fmt::format("{} is not a rate: give more than 0, and at most 1", text);
}

}  // namespace

void AddMethodFlags(CLI::App& command, MethodChanges& changes) {
  command.add_option("--method", changes.method, "The method: `flaim methods` lists them")
      ->required()
      ->check(CLI::Validator(ExplainUnknownMethod, "NAME"));
  AddRoundFlags(command, changes);
  AddChoice<Selection>(command, "--selection", changes.selection,
                       "Who chooses the marginals to measure, and from what");
  AddChoice<Heterogeneity>(command, "--penalty", changes.penalty,
                           "What a client's score allows for being unlike others");
  AddChoice<OneWays>(command, "--one-ways", changes.one_ways, "When one-way marginals are measured");
  AddChoice<OneWayCandidates>(command, "--one-way-candidates", changes.one_way_candidates,
                              "Whether one-way marginals can be chosen");
  AddChoice<Weighting>(command, "--weighting", changes.weighting, "How much a measurement counts in the fit");
  AddChoice<Membership>(command, "--membership", changes.membership, "Who answers in a round");
  command.add_option("--wait-for", changes.wait_for, "Share of the clients that must be in the pool at first")
      ->check(Between(0, 1));
  AddChoice<Accounting>(command, "--accounting", changes.accounting, "What a client's rows are charged for");
  command.add_option("--cap", changes.cap, "In how many rounds a client serves before it declines [1]")
      ->check(CLI::Range(1, kMost));
  command.add_option("--local-steps", changes.local_steps, "Marginals that a client chooses in a round [1]")
      ->check(CLI::Range(1, 100));
  AddChoice<LocalStepping>(command, "--local-stepping", changes.local_stepping,
                           "What a client does between two local steps");
  command
      .add_option("--noise-penalty", changes.noise_penalty,
                  "How many times the noise that measuring a marginal adds is taken off its score [the preset's]")
      ->check(Between(0, 1000));
  command.add_option("--selection-share", changes.selection_share, "Of the budget, for choosing [the preset's]")
      ->check(Between(0, 1));
  command.add_flag("--as-published", changes.as_published,
                   "With the published code's mistakes, for comparisons. NOT private");
}

void AddParticipationFlags(CLI::App& command, FederatedRequest& request) {
  command
      .add_option("--participation", request.participation,
                  fmt::format("The share of the clients that is there in a round [{}]", kDefaultParticipation))
      ->check(CLI::Validator(ExplainBadRate, "0 to 1"));
  command
      .add_option("--availability", request.availability,
                  "Who is there: poisson (each client by chance), turns (in a random order), all, or trace:FILE (a "
                  "line of clients for each round) [turns; poisson with --accounting paper; all with "
                  "--participation 1]")
      ->check(CLI::Validator(ExplainBadAvailability, "poisson|turns|all|trace:FILE"));
}

void AddGroupFlags(CLI::App& command, GroupFlags& flags) {
  constexpr const char* kGroup = "As over the network";
  command.add_option("--minimum-sites", flags.minimum_sites, "The fewest sites whose numbers are ever added up")
      ->check(CLI::Range(2, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--dropouts", flags.bounds.dropout_share,
                  "The share of a round's sites that may vanish while a sum is made; one more, and it is not made")
      ->check(Between(0, 1))
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--colluders", flags.bounds.colluders,
                  "How many sites may work with the coordinator against the others; paid for with more noise")
      ->check(CLI::Range(0, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
}

}  // namespace flaim
