#include "cli/flags/simulation_flags.h"

#include <utility>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/flags/method_flags.h"
#include "data/schema/schema_file.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
void AddSimulationFlags(CLI::App& command, SimulationFlags& flags) {
  command
      .add_option(
          "--partition", flags.request.partition,
          "Who holds which row: column:NAME (a column of the data with whole numbers), iid:CLIENTS, "
          "label-skew:CLIENTS:BETA:COLUMN (uneven classes of a column), or clusters:CLIENTS (rows that are alike)")
      ->required();
  AddMethodFlags(command, flags.request.run.method);
  AddParticipationFlags(command, flags.request.run);
  command
      .add_flag("--split-noise", flags.splits_noise,
                "Noise comes in shares from all clients of a round, as over the network, with a surplus for the "
                "dropouts and colluders that it must bear")
      ->group("As over the network");
  AddGroupFlags(command, flags.group);
  AddModelFlags(command, flags.fit);
  command.add_flag(
      "--paper-fit", flags.request.run.paper_fit,
      "Fit as far as the paper does: mirror descent, 12 steps a round and 125 at the end, a model of up to "
      "10 Mi cells that grows with the budget spent");
  command.add_flag("--published-code", flags.request.research.is_published_code,
                   "The method as the published code runs it, with its mistakes, for comparisons: NOT private");
  command.add_option("--seed", flags.request.seed,
                     "Of partition, availability, noise and rows [a fresh one, which is printed]");
  command.parse_complete_callback([&command, &flags] {
    if (flags.request.run.paper_fit && command.count("--memory") == 0) flags.fit.request.memory = kPaperMemory;
  });
}

absl::StatusOr<SimulationSettings> ReadSimulationSettings(const SimulationFlags& flags) {
  ASSIGN_OR_RETURN(Schema schema, LoadSchema(flags.fit.schema));
  SimulationRequest request = flags.request;
  request.fit = flags.fit.request;
  if (flags.splits_noise) {
    request.groups = {.noise = SplitNoise{flags.group.bounds}, .least_members = flags.group.minimum_sites};
  }
  return MakeSimulationSettings(request, std::move(schema));
}

void ExplainSimulation(const SimulationSettings& settings, Console& console) {
  const RunPlan& plan = settings.fit.plan;
  ExplainSettings(settings.fit, console);
  console.Note(fmt::format("method {}: {}", plan.title, plan.method.summary));
  console.Note(plan.method.IsOneTable()
                   ? "  it holds everybody's rows in one place: who takes part in a round plays no role"
                   : fmt::format("  who takes part: {}", plan.availability_text));
  for (const std::string& reason : settings.ReasonsNotPrivate()) {
    console.Warn(fmt::format("WARNING: this method is NOT private, with secure noise neither: {}.", reason));
  }
  if (settings.research.is_published_code) {
    const PrivacyBudget& budget = settings.fit.budget();
    console.Warn(fmt::format("WARNING: it claims epsilon {:g}, and costs a client up to epsilon {:.3g} (delta {:g}).",
                             budget.epsilon(), EpsilonOf(plan.terms().allowance, budget.delta()), budget.delta()));
  }
}

}  // namespace flaim
