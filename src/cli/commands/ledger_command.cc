#include <cmath>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/clock.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/exit_code.h"
#include "io/hex.h"
#include "nlohmann/json.hpp"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/budget/budget_refusal.h"
#include "privacy/ledger/ledger_report.h"

namespace flaim {
namespace {

struct LedgerFlags {
  std::string path;
  std::string data_name;
  double epsilon = 0;
  double delta = 1e-6;
  std::string noted_head;
  bool json = false;
};

std::string UtcTime(std::int64_t time_us) {
  const std::time_t seconds = time_us / 1'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void PrintSummary(const LedgerSummary& summary, Console& console) {
  const PrivacyBudget& budget = summary.terms.budget;
  console.Print(fmt::format("data      {}", summary.terms.data_name));
  console.Print(fmt::format("promise   epsilon {:g}, delta {:g}, for adding or removing one record", budget.epsilon(),
                            budget.delta()));
  const double total = summary.terms.total.ToDouble();
  console.Print(fmt::format("counted   by the {}", AccountantInWords(summary.terms)));
  console.Print(fmt::format("spent     rho {:.6f} of {:.6f} ({:.1f}%), which is epsilon {:.4f} at delta {:g}",
                            summary.spent.ToDouble(), total, 100 * summary.spent.ToDouble() / total,
                            summary.epsilon_spent, budget.delta()));
  console.Print(fmt::format("entries   {} debits, {} releases", summary.debits, summary.releases));
  console.Print(fmt::format("head      {}", ToHex(summary.head)));
}

// What the ledger is worth, once it is known to be sound.
absl::Status Verdict(const LedgerSummary& summary, const std::string& path) {
  if (summary.seeded_releases > 0) {
    return NotPrivate(
        fmt::format("{} is NOT PRIVATE: the noise of {} of its {} releases came from a seed, so it keeps no promise",
                    path, summary.seeded_releases, summary.releases));
  }
  if (summary.is_within_promise) return absl::OkStatus();
  return BudgetRefused("{} is beyond its promise: epsilon {:.4f} was spent, and {:g} promised, at delta {:g}", path,
                       summary.epsilon_spent, summary.terms.budget.epsilon(), summary.terms.budget.delta());
}

// In round numbers, for a table; `--json` has the exact fractions.
std::string InShort(const Mechanism& mechanism) {
  if (const auto* gaussian = std::get_if<GaussianMechanism>(&mechanism)) {
    const std::string noise = fmt::format("Gaussian, sigma {:.2f}", std::sqrt(gaussian->sigma_squared.ToDouble()));
    return gaussian->sensitivity_squared == 1
               ? noise
               : fmt::format("{}, sensitivity^2 {}", noise, gaussian->sensitivity_squared);
  }
  const auto& exponential = std::get<ExponentialMechanism>(mechanism);
  return fmt::format("exponential, epsilon {:.4f}, sensitivity {}", exponential.epsilon.ToDouble(),
                     exponential.sensitivity);
}

// A debit and what became of it.
struct DebitLine {
  std::int64_t sequence;
  std::int64_t time_us;
  const DebitEntry* debit;
  std::string noise;
};

std::vector<DebitLine> DebitLines(const LedgerReport& report) {
  std::map<std::int64_t, std::string> provenance_of_debit;
  for (const LedgerRow& row : report.rows) {
    if (const auto* release = std::get_if<ReleaseEntry>(&row.entry))
      provenance_of_debit[release->debit] = release->provenance;
  }
  std::vector<DebitLine> lines;
  for (const LedgerRow& row : report.rows) {
    const auto* debit = std::get_if<DebitEntry>(&row.entry);
    if (debit == nullptr) continue;
    const auto provenance = provenance_of_debit.find(row.sequence);
    lines.push_back({row.sequence, row.time_us, debit,
                     provenance == provenance_of_debit.end() ? "no value (spent)" : provenance->second});
  }
  return lines;
}

nlohmann::json ToJson(const LedgerReport& report) {
  const LedgerSummary& summary = report.summary;
  nlohmann::json debits = nlohmann::json::array();
  for (const DebitLine& line : DebitLines(report)) {
    const Charge& charge = line.debit->charge;
    debits.push_back({{"entry", line.sequence},
                      {"time_utc", UtcTime(line.time_us)},
                      {"run", charge.run},
                      {"round", charge.round},
                      {"query", charge.query},
                      {"mechanism", ToString(charge.mechanism)},
                      {"attempt", line.debit->attempt},
                      {"rho", line.debit->cost.ToDouble()},
                      {"rho_cumulative", line.debit->cumulative.ToDouble()},
                      {"noise", line.noise}});
  }
  return {{"data", summary.terms.data_name},
          {"epsilon", summary.terms.budget.epsilon()},
          {"delta", summary.terms.budget.delta()},
          {"adjacency", "add or remove one record"},
          {"accountant", summary.terms.exact_run ? "exact" : "zcdp"},
          {"accountant_run", summary.terms.exact_run ? nlohmann::json(*summary.terms.exact_run) : nlohmann::json()},
          {"epsilon_spent", summary.epsilon_spent},
          {"is_within_promise", summary.is_within_promise && summary.seeded_releases == 0},
          {"is_private", summary.seeded_releases == 0},
          {"rho_total", summary.terms.total.ToDouble()},
          {"rho_spent", summary.spent.ToDouble()},
          {"head", ToHex(summary.head)},
          {"debits", debits}};
}

absl::Status CreateLedger(const LedgerFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(flags.epsilon, flags.delta));
  const SystemClock clock;
  RETURN_IF_ERROR(Ledger::Create(flags.path, {flags.data_name, budget, RhoFor(budget)}, clock).status());
  console.Note(fmt::format("{} keeps the account of '{}': rho {:.6f} for all releases together", flags.path,
                           flags.data_name, RhoFor(budget).ToDouble()));
  return absl::OkStatus();
}

absl::Status ShowLedger(const LedgerFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const LedgerReport report, ReadLedger(flags.path));
  if (flags.json) {
    console.Print(ToJson(report).dump(2));
    return Verdict(report.summary, flags.path);
  }
  PrintSummary(report.summary, console);
  std::vector<std::vector<std::string>> lines;
  for (const DebitLine& line : DebitLines(report)) {
    const Charge& charge = line.debit->charge;
    lines.push_back({fmt::format("{}", line.sequence), UtcTime(line.time_us), charge.run,
                     fmt::format("{}", charge.round), charge.query, InShort(charge.mechanism),
                     fmt::format("{:.6f}", line.debit->cost.ToDouble()),
                     fmt::format("{:.6f}", line.debit->cumulative.ToDouble()), line.noise});
  }
  if (!lines.empty()) {
    console.Print("");
    console.PrintTable({"entry", "time (UTC)", "run", "round", "query", "mechanism", "rho", "sum", "noise"}, lines);
  }
  return Verdict(report.summary, flags.path);
}

absl::Status CheckLedger(const LedgerFlags& flags, Console& console) {
  std::optional<LedgerHash> noted_head;
  if (!flags.noted_head.empty()) {
    ASSIGN_OR_RETURN(noted_head, ParseLedgerHash(flags.noted_head));
  }
  ASSIGN_OR_RETURN(const LedgerSummary summary, VerifyLedger(flags.path, noted_head));
  PrintSummary(summary, console);
  console.Print("verified  every hash, cost and sum; one release at most for each debit");
  RETURN_IF_ERROR(Verdict(summary, flags.path));
  console.Print(fmt::format("promise   kept: epsilon {:.4f} of {:g} is spent", summary.epsilon_spent,
                            summary.terms.budget.epsilon()));
  return absl::OkStatus();
}

}  // namespace

void AddLedgerCommands(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<LedgerFlags>();
  CLI::App* ledger =
      program.add_subcommand("ledger", "The account of what was released from private data, and what it cost");
  ledger->require_subcommand(1);

  CLI::App* create = ledger->add_subcommand("create", "Open an account with a budget for all runs on one body of data");
  create->add_option("FILE", flags->path, "The ledger to make")->required();
  create->add_option("--data", flags->data_name, "What the data is called")->required();
  create->add_option("--epsilon", flags->epsilon, "The promise for all releases together")->required();
  create->add_option("--delta", flags->delta, "The probability of a worse loss")->capture_default_str();
  create->callback([flags, &chosen] { chosen = [flags](Console& console) { return CreateLedger(*flags, console); }; });

  CLI::App* show = ledger->add_subcommand("show", "List the debits, what became of them, and what is left");
  show->add_option("FILE", flags->path, "The ledger")->required();
  show->add_flag("--json", flags->json, "Print JSON");
  show->callback([flags, &chosen] { chosen = [flags](Console& console) { return ShowLedger(*flags, console); }; });

  CLI::App* verify = ledger->add_subcommand("verify", "Recompute every hash, cost and sum of a ledger");
  verify->add_option("FILE", flags->path, "The ledger")->required();
  verify->add_option("--head", flags->noted_head, "A head noted earlier: proves that nothing up to it was removed");
  verify->callback([flags, &chosen] { chosen = [flags](Console& console) { return CheckLedger(*flags, console); }; });
}

}  // namespace flaim
