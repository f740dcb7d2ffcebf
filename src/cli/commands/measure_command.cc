#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "app/ledger/data_ledger.h"
#include "app/ledger/run_binding.h"
#include "base/provenance.h"
#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/account_flags.h"
#include "cli/interruption.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "io/byte_sink.h"
#include "marginal/kernels/count.h"
#include "marginal/private_rows.h"
#include "marginal/workload_spec.h"
#include "nlohmann/json.hpp"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/budget/budget_refusal.h"
#include "privacy/ledger/ledger.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

struct MeasureFlags {
  std::string data;
  std::string schema;
  std::string workload = "all:1";
  double epsilon = 0;
  double delta = 1e-6;
  AccountFlags ledger;
  std::string run = "measure";
  std::string output;
  std::optional<std::uint64_t> seed;
};

// The same noise for every marginal of the workload: one record is in one cell of each, so m marginals with variance
// sigma^2 cost m / (2 sigma^2).
absl::StatusOr<GaussianMechanism> EqualShare(const PrivacyBudget& budget, std::size_t marginals) {
  // A part in a million above the exact variance, so that rounding the costs up still fits the budget.
  const double variance = static_cast<double>(marginals) / (2 * RhoFor(budget).ToDouble()) * (1 + 1e-6);
  ASSIGN_OR_RETURN(const Rational sigma_squared, Rational::RoundUp(variance));
  return GaussianMechanism{sigma_squared};
}

// Refuses the run before it starts: one that stops half-way has paid for marginals that nobody gets.
absl::Status CheckAffordable(const Ledger& ledger, const std::vector<ReleaseName>& names,
                             const GaussianMechanism& mechanism) {
  const auto unpaid =
      std::count_if(names.begin(), names.end(), [&](const ReleaseName& name) { return !ledger.HasValue(name); });
  Rho cost;
  for (auto i = unpaid; i > 0; --i) cost = cost + CostOf(mechanism);
  if (cost <= ledger.left()) return absl::OkStatus();
  return BudgetRefused(
      "this run costs rho {:.6g} for {} marginals, but of the {:.6g} that the ledger allows for '{}' only {:.6g} is "
      "left. Ask for less "
      "(--epsilon, --workload); a budget does not come back",
      cost.ToDouble(), unpaid, ledger.terms().total.ToDouble(), ledger.terms().data_name, ledger.left().ToDouble());
}

nlohmann::json MeasuredMarginal(const Domain& domain, const Clique& clique, const NoisyCounts& noisy) {
  nlohmann::json columns = nlohmann::json::array();
  nlohmann::json shape = nlohmann::json::array();
  for (const AttributeIndex attribute : clique) {
    columns.push_back(domain[attribute].name);
    shape.push_back(domain[attribute].size);
  }
  return {{"columns", columns}, {"shape", shape}, {"counts", noisy.values}};
}

std::unique_ptr<RandomSource> NoiseSource(const MeasureFlags& flags, Console& console) {
  if (!flags.seed.has_value()) return std::make_unique<SecureRandomSource>();
  console.Warn("WARNING: --seed makes the noise repeatable: the result is NOT private and is stamped so.");
  return std::make_unique<SeededRandomSource>(*flags.seed, "measure");
}

absl::Status Measure(const MeasureFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(flags.epsilon, flags.delta));
  ASSIGN_OR_RETURN(const std::string ledger_path, LedgerPathOf(flags.ledger, flags.data));
  ASSIGN_OR_RETURN(const Schema schema, LoadSchema(flags.schema));
  ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(flags.workload));
  ASSIGN_OR_RETURN(const Workload workload, MakeWorkload(schema.domain(), spec));
  ASSIGN_OR_RETURN(const GaussianMechanism mechanism, EqualShare(budget, workload.size()));
  ASSIGN_OR_RETURN(const Table table, ReadTable(flags.data, schema));
  const SystemClock clock;
  ASSIGN_OR_RETURN(Ledger ledger, OpenDataLedger(ledger_path, flags.data, budget, flags.seed.has_value(), clock));
  std::vector<ReleaseName> names;
  for (const WeightedQuery& query : workload)
    names.push_back({flags.run, 0, CliqueName(schema.domain(), query.clique)});
  RETURN_IF_ERROR(CheckAffordable(ledger, names, mechanism));
  const Interruption interruption;
  TableRows rows(table);
  Parallel parallel(1, Interruption::requested);
  RETURN_IF_ERROR(BindRun(ledger, flags.run, rows, parallel));
  // Made before anything is paid for, so that a folder that cannot be written to costs nothing.
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(flags.output));
  if (!flags.seed) {
    const auto others = ChargeInRegistry(ledger_path, {flags.data}, parallel);
    RETURN_IF_ERROR(Interruption::Check());
    WarnOfOtherLedgers(others, console);
  }

  const std::unique_ptr<RandomSource> noise = NoiseSource(flags, console);
  ProgressLine progress(std::cerr, console.ShowsProgress(), clock);
  std::string provenance;
  nlohmann::json marginals = nlohmann::json::array();
  for (std::size_t i = 0; i < workload.size(); ++i) {
    RETURN_IF_ERROR(Interruption::Check());
    const Clique& clique = workload[i].clique;
    ASSIGN_OR_RETURN(const Marginal marginal, CountMarginal(table, clique));
    ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, ledger.Debit(names[i], mechanism));
    ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), marginal.counts(), *noise));
    if (!IsSecureProvenance(noisy.provenance) || provenance.empty()) provenance = noisy.provenance;
    marginals.push_back(MeasuredMarginal(schema.domain(), clique, noisy));
    progress.Report({"measuring marginals", marginals.size(), workload.size(), ""});
  }

  const nlohmann::json document = {{"format", "flaim measurements 1"},
                                   {"epsilon", budget.epsilon()},
                                   {"delta", budget.delta()},
                                   {"adjacency", "add or remove one record"},
                                   {"noise", provenance},
                                   {"sigma_squared", mechanism.sigma_squared.ToString()},
                                   {"schema_is_private", !schema.spec().derived_from_private_rows},
                                   {"marginals", marginals}};
  RETURN_IF_ERROR(sink->Write(document.dump() + "\n"));
  RETURN_IF_ERROR(sink->Commit());
  console.Note(fmt::format("measured {} marginals with noise of standard deviation {:.2f} in every cell: {}",
                           workload.size(), std::sqrt(mechanism.sigma_squared.ToDouble()), flags.output));
  console.Note(fmt::format("promise of this run: epsilon {:g}, delta {:g}, for adding or removing one record",
                           budget.epsilon(), budget.delta()));
  console.Note(fmt::format("{}: spent rho {:.6f} of {:.6f}", ledger_path, ledger.spent().ToDouble(),
                           ledger.terms().total.ToDouble()));
  return absl::OkStatus();
}

}  // namespace

void AddMeasureCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<MeasureFlags>();
  CLI::App* command =
      program.add_subcommand("measure", "Release noisy marginals of a private table, paid for in its ledger");
  command->add_option("DATA", flags->data, "CSV file, plain or compressed (.gz, .xz, .zst)")->required();
  command->add_option("--schema", flags->schema, "Schema file")->required();
  command
      ->add_option("--workload", flags->workload, "all:K, all:K:CELLS, random:N:K:SEED, or a JSON file of column lists")
      ->capture_default_str();
  command->add_option("--epsilon", flags->epsilon, "What this run may cost")->required();
  command->add_option("--delta", flags->delta, "The probability of a worse loss")->capture_default_str();
  AddAccountFlags(*command, "DATA.ledger; a stream needs one", flags->ledger);
  command->add_option("--run", flags->run, "Name of the run: repeating a run returns its values again and pays nothing")
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "JSON file of noisy counts")->required();
  command->add_option("--seed", flags->seed, "Repeatable noise for research. NOT private; stamps the result");
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Measure(*flags, console); }; });
}

}  // namespace flaim
