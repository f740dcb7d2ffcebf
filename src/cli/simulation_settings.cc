#include "cli/simulation_settings.h"

#include <utility>

#include "CLI/CLI.hpp"
#include "algorithms/federated/choice_names.h"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "cli/method_flags.h"
#include "cli/number_range.h"
#include "data/types/number_text.h"
#include "privacy/zcdp_accountant.h"

namespace flaim {
namespace {

// What a model of the paper's size takes, by the reckoning of memory_limit.h.
constexpr const char* kPaperMemory = "4G";

std::string ExplainBadRate(const std::string& text) {
  const std::optional<double> rate = ParseReal(text);
  if (rate && *rate > 0 && *rate <= 1) return "";
  if (rate && *rate == 0) return "with a rate of 0 nobody would ever take part: give more than 0, and at most 1";
  return fmt::format("{} is not a rate: give more than 0, and at most 1", text);
}

std::uint64_t FreshSeed() {
  SecureRandomSource random;
  return random.NextBelow(std::uint64_t{1} << 32);  // short enough to be typed again
}

}  // namespace

void AddSimulationFlags(CLI::App& command, SimulationFlags& flags) {
  command
      .add_option(
          "--partition", flags.partition,
          "Who holds which row: column:NAME (a column of the data with whole numbers), iid:CLIENTS, "
          "label-skew:CLIENTS:BETA:COLUMN (uneven classes of a column), or clusters:CLIENTS (rows that are alike)")
      ->required();
  AddMethodFlags(command, flags.request.method);
  command
      .add_option("--participation", flags.request.participation,
                  fmt::format("The share of the clients that is there in a round [{}]", kDefaultParticipation))
      ->check(CLI::Validator(ExplainBadRate, "0 to 1"));
  command
      .add_option("--availability", flags.request.availability,
                  "Who is there: poisson (each client by chance), turns (in a random order), all, or trace:FILE (a "
                  "line of clients for each round) [turns; poisson with --accounting paper; all with "
                  "--participation 1]")
      ->check(CLI::Validator(ExplainBadAvailability, "poisson|turns|all|trace:FILE"));
  AddModelFlags(command, flags.fit);
  command.add_flag(
      "--paper-fit", flags.request.paper_fit,
      "Fit as far as the paper does: mirror descent, 12 steps a round and 125 at the end, a model of up to "
      "10 Mi cells that grows with the budget spent");
  command.add_option("--seed", flags.seed,
                     "Of partition, availability, noise and rows [a fresh one, which is printed]");
  command.parse_complete_callback([&command, &flags] {
    if (flags.request.paper_fit && command.count("--memory") == 0) flags.fit.memory = kPaperMemory;
  });
}

absl::StatusOr<SimulationSettings> MakeSimulationSettings(const SimulationFlags& flags) {
  ASSIGN_OR_RETURN(const PartitionSpec partition, ParsePartitionSpec(flags.partition));
  FitFlags fit_flags = flags.fit;
  if (flags.request.paper_fit && !fit_flags.model_cells) fit_flags.model_cells = kPaperModelCells;
  ASSIGN_OR_RETURN(FitSettings fit, MakeFitSettings(fit_flags));
  FederatedOptions options{.budget = fit.budget};
  options.max_model_cells = fit.max_model_cells;
  ASSIGN_OR_RETURN(SimulationPlan plan, MakeSimulationPlan(flags.request, options, fit.schema.domain().size()));
  return SimulationSettings{.fit = std::move(fit),
                            .plan = std::move(plan),
                            .partition = partition,
                            .seed = flags.seed.has_value() ? *flags.seed : FreshSeed()};
}

void ExplainSimulation(const SimulationSettings& settings, Console& console) {
  const SimulationPlan& plan = settings.plan;
  ExplainSettings(settings.fit, console);
  console.Note(fmt::format("method {}: {}", plan.title, plan.method.summary));
  console.Note(plan.method.is_central
                   ? "  it holds everybody's rows in one place: who takes part in a round plays no role"
                   : fmt::format("  who takes part: {}", plan.availability_text));
  for (const std::string& reason : ReasonsNotPrivate(plan.method)) {
    console.Warn(fmt::format("WARNING: this method is NOT private, with secure noise neither: {}.", reason));
  }
  if (plan.method.as_published) {
    const PrivacyBudget& budget = settings.fit.budget;
    console.Warn(fmt::format("WARNING: it claims epsilon {:g}, and costs a client up to epsilon {:.3g} (delta {:g}).",
                             budget.epsilon(), EpsilonOf(plan.terms.allowance, budget.delta()), budget.delta()));
  }
}

}  // namespace flaim
