#include <cmath>
#include <memory>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/command_line.h"
#include "nlohmann/json.hpp"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/gaussian_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

struct BudgetFlags {
  double epsilon = 0;
  double delta = 1e-6;
  std::vector<std::int64_t> marginals = {1, 10, 100};
  bool json = false;
};

// What the budget buys when all of it measures `marginals` marginals once each: the noise in every cell.
struct MeasuringOnly {
  std::int64_t marginals = 0;
  double sigma_zcdp = 0;
  double sigma_exact = 0;
  double sigma_continuous = 0;
};

// What it buys when 90% of it measures and 10% selects, over a number of rounds, as AIM splits it.
struct SelectAndMeasure {
  std::int64_t rounds = 0;
  double sigma = 0;
  double selection_epsilon = 0;
};

absl::StatusOr<MeasuringOnly> BuyMeasurements(const PrivacyBudget& budget, std::int64_t marginals) {
  MeasuringOnly result;
  const auto count = static_cast<double>(marginals);
  result.marginals = marginals;
  result.sigma_zcdp = std::sqrt(count / (2 * RhoFor(budget).ToDouble()));
  result.sigma_continuous = std::sqrt(count) * SigmaFor(MuFor(budget));
  ASSIGN_OR_RETURN(const Rational variance, Rational::RoundUp(result.sigma_zcdp * result.sigma_zcdp));
  const std::vector<Step> plan = {GaussianMechanism{variance, marginals}};
  ASSIGN_OR_RETURN(const double scale, CalibrateNoise(plan, budget));
  result.sigma_exact = scale * result.sigma_zcdp;
  return result;
}

SelectAndMeasure BuyRounds(const PrivacyBudget& budget, std::int64_t rounds) {
  const double rho_per_round = RhoFor(budget).ToDouble() / static_cast<double>(rounds);
  return {rounds, std::sqrt(1 / (2 * 0.9 * rho_per_round)), std::sqrt(8 * 0.1 * rho_per_round)};
}

nlohmann::json ToJson(const PrivacyBudget& budget, const std::vector<MeasuringOnly>& measuring,
                      const std::vector<SelectAndMeasure>& rounds) {
  nlohmann::json result = {{"epsilon", budget.epsilon()},
                           {"delta", budget.delta()},
                           {"adjacency", "add or remove one record"},
                           {"rho", RhoFor(budget).ToDouble()},
                           {"mu", MuFor(budget).value()}};
  for (const MeasuringOnly& row : measuring) {
    result["measuring_only"].push_back({{"marginals", row.marginals},
                                        {"sigma_zcdp", row.sigma_zcdp},
                                        {"sigma_exact", row.sigma_exact},
                                        {"sigma_continuous", row.sigma_continuous}});
  }
  for (const SelectAndMeasure& row : rounds) {
    result["select_and_measure"].push_back(
        {{"rounds", row.rounds}, {"sigma", row.sigma}, {"selection_epsilon", row.selection_epsilon}});
  }
  return result;
}

void PrintBudget(const PrivacyBudget& budget, const std::vector<MeasuringOnly>& measuring,
                 const std::vector<SelectAndMeasure>& rounds, Console& console) {
  console.Print(
      fmt::format("epsilon {:g}, delta {:g}, for adding or removing one record\n", budget.epsilon(), budget.delta()));
  console.Print(
      fmt::format("  rho {:.6f}   zCDP: what the ledger counts in; holds however releases are chosen along the way",
                  RhoFor(budget).ToDouble()));
  console.Print(fmt::format("  mu  {:.6f}   Gaussian DP: the limit for continuous Gaussian noise alone\n",
                            MuFor(budget).value()));

  console.Print("If all of it measures marginals once each, the noise in every cell has standard deviation");
  std::vector<std::vector<std::string>> lines;
  for (const MeasuringOnly& row : measuring) {
    lines.push_back({fmt::format("{}", row.marginals), fmt::format("{:.2f}", row.sigma_zcdp),
                     fmt::format("{:.2f}", row.sigma_exact), fmt::format("{:.2f}", row.sigma_continuous)});
  }
  console.PrintTable({"marginals", "by zCDP (ledger)", "exact, fixed plan", "continuous limit"}, lines);

  console.Print("\nIf 90% of it measures and 10% selects, one of each a round, as AIM does");
  lines.clear();
  for (const SelectAndMeasure& row : rounds) {
    lines.push_back({fmt::format("{}", row.rounds), fmt::format("{:.2f}", row.sigma),
                     fmt::format("{:.4f}", row.selection_epsilon)});
  }
  console.PrintTable({"rounds", "noise per cell", "epsilon of a selection"}, lines);
}

absl::Status RunBudget(const BudgetFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(flags.epsilon, flags.delta));
  std::vector<MeasuringOnly> measuring;
  for (const std::int64_t marginals : flags.marginals) {
    ASSIGN_OR_RETURN(measuring.emplace_back(), BuyMeasurements(budget, marginals));
  }
  std::vector<SelectAndMeasure> rounds;
  for (const std::int64_t count : {10, 50, 200}) rounds.push_back(BuyRounds(budget, count));
  if (flags.json) {
    console.Print(ToJson(budget, measuring, rounds).dump(2));
  } else {
    PrintBudget(budget, measuring, rounds, console);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBudgetCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<BudgetFlags>();
  CLI::App* command =
      program.add_subcommand("budget", "What an (epsilon, delta) promise is worth: rho, mu and the noise it buys");
  command->add_option("--epsilon", flags->epsilon, "The promise: smaller is more private")->required();
  command->add_option("--delta", flags->delta, "The probability of a worse loss; well below 1 / number of people")
      ->capture_default_str();
  command->add_option("--marginals", flags->marginals, "Numbers of marginals to price")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return RunBudget(*flags, console); }; });
}

}  // namespace flaim
