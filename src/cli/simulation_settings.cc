#include "cli/simulation_settings.h"

#include <utility>

#include "CLI/CLI.hpp"
#include "algorithms/federated/choice_names.h"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "cli/method_flags.h"
#include "cli/number_range.h"
#include "privacy/zcdp_accountant.h"

namespace flaim {
namespace {

// What a model of the paper's size takes, by the reckoning of memory_limit.h.
constexpr const char* kPaperMemory = "4G";

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
  AddParticipationFlags(command, flags.request);
  command
      .add_flag("--split-noise", flags.splits_noise,
                "Noise comes in shares from all clients of a round, as over the network, with a surplus for the "
                "dropouts and colluders that it must bear")
      ->group("As over the network");
  AddGroupFlags(command, flags.group);
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
  ASSIGN_OR_RETURN(FederatedPlan plan, MakeFederatedPlan(flags.request, options, fit.schema.domain().size()));
  return SimulationSettings{.fit = std::move(fit),
                            .plan = std::move(plan),
                            .partition = partition,
                            .group = flags.splits_noise ? std::optional(flags.group) : std::nullopt,
                            .seed = flags.seed.has_value() ? *flags.seed : FreshSeed()};
}

void ExplainSimulation(const SimulationSettings& settings, Console& console) {
  const FederatedPlan& plan = settings.plan;
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
