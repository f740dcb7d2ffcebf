#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/fit_flags.h"
#include "marginal/completion.h"
#include "nlohmann/json.hpp"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/budget/charge.h"

namespace flaim {
namespace {

// On one core of an ordinary machine; measured on the Adult table, and off by a factor of three elsewhere.
constexpr double kSecondsPerScoredCell = 10e-9;
constexpr double kSecondsPerModelCell = 1.5e-6;

struct PlanFlags {
  FitFlags fit;
  std::int64_t rows = 10'000;
  bool json = false;
};

// A run of rounds, if each of them improves the model enough or if none does: the two ends of what can happen.
struct RoundRange {
  int count = 0;
  double first_sigma = 0;
  double last_sigma = 0;
};

// The marginals of one size among the workload and its subsets.
struct MarginalsOfSize {
  int columns = 0;
  std::vector<std::int64_t> cells;  // ascending

  double median() const { return static_cast<double>(cells[cells.size() / 2]); }
};

struct Plan {
  const FitSettings& settings;
  Rho allowance;
  double one_way_sigma = 0;
  double one_way_share = 0;  // of the budget
  RoundRange most{};
  RoundRange fewest{};
  std::vector<MarginalsOfSize> marginals{};
  double seconds_least = 0;
  double seconds_most = 0;
};

absl::StatusOr<RoundRange> SimulateRounds(const SpendingPlan& planned, bool improved) {
  const std::unique_ptr<SpendingPlan> plan = planned.Clone();
  RoundRange range;
  while (!plan->IsOver()) {
    ASSIGN_OR_RETURN(const std::optional<RoundSpending> round, plan->Next(0));
    if (range.count++ == 0) range.first_sigma = round->Sigma();
    range.last_sigma = round->Sigma();
    plan->Observe(improved);
  }
  return range;
}

absl::StatusOr<std::vector<MarginalsOfSize>> GroupBySize(const FitSettings& settings) {
  ASSIGN_OR_RETURN(const std::vector<Clique> completion, Completion(settings.workload));
  std::map<int, MarginalsOfSize> groups;
  for (const Clique& clique : completion) {
    ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(settings.schema.domain(), clique));
    groups[clique.size()].columns = clique.size();
    groups[clique.size()].cells.push_back(cells);
  }
  std::vector<MarginalsOfSize> sorted;
  for (auto& [columns, group] : groups) {
    std::sort(group.cells.begin(), group.cells.end());
    sorted.push_back(std::move(group));
  }
  return sorted;
}

// What noise alone adds to a marginal in L1, as a share of the records.
double NoiseShare(double sigma, double cells, double rows) {
  return std::sqrt(2 / std::numbers::pi) * sigma * cells / rows;
}

absl::StatusOr<Plan> MakePlan(const FitSettings& settings) {
  const int attributes = settings.schema.domain().size();
  Plan plan{.settings = settings, .allowance = RhoFor(settings.budget())};
  const SpendingPlan& spending = *settings.plan.spending;
  const GaussianMechanism one_ways{*spending.Initialisation()->one_way_sigma_squared, attributes};
  plan.one_way_sigma = std::sqrt(one_ways.sigma_squared.ToDouble());
  plan.one_way_share = CostOf(one_ways).ToDouble() / plan.allowance.ToDouble();
  ASSIGN_OR_RETURN(plan.most, SimulateRounds(spending, true));
  ASSIGN_OR_RETURN(plan.fewest, SimulateRounds(spending, false));
  ASSIGN_OR_RETURN(plan.marginals, GroupBySize(settings));
  double scored_cells = 0;
  for (const MarginalsOfSize& group : plan.marginals) {
    for (const std::int64_t cells : group.cells) scored_cells += static_cast<double>(cells);
  }
  const double scoring_seconds = kSecondsPerScoredCell * scored_cells;
  const double fitting_seconds = kSecondsPerModelCell * static_cast<double>(settings.max_model_cells);
  plan.seconds_least = plan.fewest.count * scoring_seconds;
  plan.seconds_most = plan.most.count * (scoring_seconds + fitting_seconds);
  return plan;
}

nlohmann::json ToJson(const Plan& plan, double rows) {
  const FitSettings& settings = plan.settings;
  nlohmann::json marginals = nlohmann::json::array();
  for (const MarginalsOfSize& group : plan.marginals) {
    marginals.push_back({{"columns", group.columns},
                         {"count", group.cells.size()},
                         {"cells_median", group.median()},
                         {"cells_largest", group.cells.back()},
                         {"error_at_first_noise", NoiseShare(plan.most.first_sigma, group.median(), rows)},
                         {"error_at_last_noise", NoiseShare(plan.fewest.last_sigma, group.median(), rows)}});
  }
  nlohmann::json too_large = nlohmann::json::array();
  for (const Clique& clique : QueriesTooLarge(settings))
    too_large.push_back(CliqueName(settings.schema.domain(), clique));
  return {{"epsilon", settings.budget().epsilon()},
          {"delta", settings.budget().delta()},
          {"adjacency", "add or remove one record"},
          {"rho", plan.allowance.ToDouble()},
          {"workload", settings.workload_text},
          {"workload_marginals", settings.workload.size()},
          {"one_ways", {{"sigma", plan.one_way_sigma}, {"share_of_budget", plan.one_way_share}}},
          {"rounds",
           {{"fewest", plan.fewest.count},
            {"most", plan.most.count},
            {"sigma_first", plan.most.first_sigma},
            {"sigma_last_least", plan.fewest.last_sigma}}},
          {"rows_assumed", rows},
          {"marginals", marginals},
          {"memory_bytes", settings.memory.bytes()},
          {"max_model_cells", settings.max_model_cells},
          {"queries_too_large", too_large},
          {"seconds_rough", {{"least", plan.seconds_least}, {"most", plan.seconds_most}}},
          {"run", RunNameOf(settings, std::nullopt)}};
}

std::string Percent(double share) {
  if (share >= 2) return ">200%";
  return share >= 0.1 ? fmt::format("{:.0f}%", 100 * share) : fmt::format("{:.2g}%", 100 * share);
}

void PrintErrors(const Plan& plan, double rows, Console& console) {
  console.Print(fmt::format(
      "\nWhat noise adds to a marginal that is measured, summed over its cells, in percent of {:.0f} records:", rows));
  std::vector<std::vector<std::string>> lines;
  for (const MarginalsOfSize& group : plan.marginals) {
    lines.push_back({fmt::format("{}", group.columns), fmt::format("{}", group.cells.size()),
                     fmt::format("{:.0f}", group.median()), fmt::format("{}", group.cells.back()),
                     Percent(NoiseShare(plan.most.first_sigma, group.median(), rows)),
                     Percent(NoiseShare(plan.fewest.last_sigma, group.median(), rows))});
  }
  console.PrintTable({"columns", "marginals", "median cells", "most cells", "first noise", "last noise"}, lines);
  console.Print(
      "For the median number of cells. More than 200% says nothing; the model shares what it learns between\n"
      "marginals, so it is often better than this where they overlap. --rows N for another number of records.");
}

void PrintPlan(const Plan& plan, double rows, Console& console) {
  const FitSettings& settings = plan.settings;
  console.Print(fmt::format("promise   epsilon {:g}, delta {:g}, for adding or removing one record: rho {:.6f}",
                            settings.budget().epsilon(), settings.budget().delta(), plan.allowance.ToDouble()));
  console.Print(fmt::format("one-ways  all {} columns first, with noise {:.1f} in every cell: {} of the budget",
                            settings.schema.domain().size(), plan.one_way_sigma, Percent(plan.one_way_share)));
  const bool is_fixed = plan.fewest.count == plan.most.count;
  console.Print(
      is_fixed
          ? fmt::format("rounds    {}, each with noise {:.1f} in every cell", plan.most.count, plan.most.first_sigma)
          : fmt::format("rounds    {} to {}, as the data demands, with noise falling from {:.1f} to {:.1f} "
                        "at the least",
                        plan.fewest.count, plan.most.count, plan.most.first_sigma, plan.fewest.last_sigma));
  PrintErrors(plan, rows, console);
  console.Print(fmt::format("\nmemory    {}: a model of at most {} cells ({})",
                            BytesInShort(static_cast<double>(settings.memory.bytes())), settings.max_model_cells,
                            BytesInShort(8.0 * static_cast<double>(settings.max_model_cells))));
  console.Print(fmt::format(
      "time      very roughly {} if the model stays small, {} if it grows to its limit early; plus reading the "
      "data",
      ShortDuration(std::max(1.0, plan.seconds_least)), ShortDuration(plan.seconds_most)));
}

absl::Status ShowPlan(const PlanFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const FitSettings settings, ReadFitSettings(flags.fit));
  ASSIGN_OR_RETURN(const Plan plan, MakePlan(settings));
  ExplainSettings(settings, console);
  const auto rows = static_cast<double>(flags.rows);
  if (flags.json) {
    console.Print(ToJson(plan, rows).dump(2));
  } else {
    PrintPlan(plan, rows, console);
  }
  return absl::OkStatus();
}

}  // namespace

void AddPlanCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* command = program.add_subcommand(
      "plan", "What a fit would take and give: noise, expected error, memory, time. Touches no data");
  AddFitFlags(*command, flags->fit);
  command->add_option("--rows", flags->rows, "A guess, from public knowledge, at the number of records")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 50));
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return ShowPlan(*flags, console); }; });
}

}  // namespace flaim
