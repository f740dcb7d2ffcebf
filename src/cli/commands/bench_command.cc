#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/parallel.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/number_range.h"
#include "cli/interruption.h"
#include "cli/peak_memory.h"
#include "cli/reports/secagg_report.h"
#include "io/byte_sink.h"
#include "secagg/cost/session_cost.h"

namespace flaim {
namespace {

using secagg::MaskCipher;
using secagg::SessionSetting;
using secagg::SumKind;

constexpr double kCoreSecondsMax = 900;
constexpr const char* kAes = "aes";
constexpr const char* kChaCha = "chacha";
constexpr int kMostClients = 100'000;
constexpr int kMostEntries = 100'000'000;

struct SecaggFlags {
  std::vector<int> clients = {10, 100, 1'000, 10'000};
  std::vector<int> entries = {10'000, 1'000'000};
  std::vector<double> dropout_percents = {0, 5};
  double colluder_percent = 5;
  double sigma = 20;
  int ring_bits = 32;
  std::string cipher = kAes;
  std::optional<int> threads;
  std::string json;
  bool all = false;
};

// A sum to be measured, secure and plain.
struct Combination {
  SessionSetting setting;
  double dropout_percent = 0;
  double estimated_core_seconds = 0;

  std::string InWords() const {
    return fmt::format("{} clients x {} entries, {:g}% dropout", setting.bounds.invited, setting.entries,
                       dropout_percent);
  }
};

// Vanishing is rounded up, so that somebody does; colluding down.
int ShareOf(int clients, double percent) { return static_cast<int>(std::ceil(clients * percent / 100)); }

absl::StatusOr<Combination> Combine(const SecaggFlags& flags, int clients, int entries, double dropout_percent) {
  const double most_dropout = *std::max_element(flags.dropout_percents.begin(), flags.dropout_percents.end());
  Combination combination;
  combination.dropout_percent = dropout_percent;
  SessionSetting& setting = combination.setting;
  setting.bounds = {.invited = clients,
                    .dropouts = ShareOf(clients, most_dropout),
                    .colluders = static_cast<int>(clients * flags.colluder_percent / 100)};
  setting.vanishing = ShareOf(clients, dropout_percent);
  setting.entries = static_cast<std::uint32_t>(entries);
  setting.ring_bits = flags.ring_bits;
  setting.cipher = flags.cipher == kChaCha ? MaskCipher::kChaCha20 : MaskCipher::kAes128Ctr;
  ASSIGN_OR_RETURN(setting.sigma_squared, Rational::RoundUp(flags.sigma * flags.sigma));
  ASSIGN_OR_RETURN(const secagg::SessionTerms terms, TermsOf(setting));
  combination.estimated_core_seconds = EstimatedCoreSeconds(terms);
  return combination;
}

absl::StatusOr<std::vector<Combination>> AllCombinations(const SecaggFlags& flags) {
  std::vector<Combination> combinations;
  for (const int entries : flags.entries) {
    for (const int clients : flags.clients) {
      for (const double dropout_percent : flags.dropout_percents) {
        ASSIGN_OR_RETURN(combinations.emplace_back(), Combine(flags, clients, entries, dropout_percent));
      }
    }
  }
  return combinations;
}

absl::StatusOr<MeasuredSum> Measure(const Combination& combination, SumKind kind, Parallel& parallel,
                                    ProgressLine& line) {
  SessionSetting setting = combination.setting;
  setting.kind = kind;
  RestartPeakMemory();
  ASSIGN_OR_RETURN(secagg::SessionCost cost,
                   MeasureSession(setting, parallel, {.progress = line, .may_go_on = Interruption::Check}));
  return MeasuredSum{.setting = setting,
                     .cost = std::move(cost),
                     .dropout_percent = combination.dropout_percent,
                     .peak_megabytes = PeakMegabytes()};
}

nlohmann::json ToJson(const SecaggFlags& flags, int threads, const std::vector<MeasuredSum>& sums,
                      const std::vector<Combination>& skipped) {
  nlohmann::json json = {{"threads", threads},
                         {"sigma", flags.sigma},
                         {"cipher", flags.cipher},
                         {"sums", nlohmann::json::array()},
                         {"skipped", nlohmann::json::array()},
                         {"asked_for", Verdict(sums)}};
  for (const MeasuredSum& sum : sums) json["sums"].push_back(ToJson(sum));
  for (const Combination& combination : skipped) {
    json["skipped"].push_back({{"clients", combination.setting.bounds.invited},
                               {"entries", combination.setting.entries},
                               {"dropout_percent", combination.dropout_percent},
                               {"estimated_core_s", combination.estimated_core_seconds}});
  }
  return json;
}

void PrintReport(const std::vector<MeasuredSum>& sums, Console& console) {
  std::vector<std::vector<std::string>> lines;
  for (const MeasuredSum& sum : sums) lines.push_back(SumLine(sum));
  console.PrintTable(SumTitles(), lines);
  for (const std::string& line : Verdict(sums)) console.Print(line);
}

absl::Status BenchSecagg(const SecaggFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const std::vector<Combination> combinations, AllCombinations(flags));
  std::unique_ptr<ByteSink> sink;
  if (!flags.json.empty()) {
    ASSIGN_OR_RETURN(sink, CreateFile(flags.json));
  }
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()));
  const Interruption interruption;
  const SystemClock clock;
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  std::vector<MeasuredSum> sums;
  std::vector<Combination> skipped;
  absl::Status status;
  for (const Combination& combination : combinations) {
    if (combination.estimated_core_seconds > kCoreSecondsMax && !flags.all) {
      skipped.push_back(combination);
      continue;
    }
    for (const SumKind kind : {SumKind::kSecure, SumKind::kPlain}) {
      absl::StatusOr<MeasuredSum> sum = Measure(combination, kind, parallel, line);
      line.Clear();
      status = sum.status();
      if (!status.ok()) break;
      console.Note(fmt::format("{}: the {} sum took {}", combination.InWords(),
                               kind == SumKind::kSecure ? "secure" : "plain", ShortDuration(sum->cost.wall_seconds)));
      sums.push_back(*std::move(sum));
    }
    if (!status.ok()) break;
  }
  for (const Combination& combination : skipped) {
    console.Warn(fmt::format("left out: {} takes about {} on one core; --all runs it", combination.InWords(),
                             ShortDuration(combination.estimated_core_seconds)));
  }
  if (flags.json != "-") PrintReport(sums, console);
  if (absl::IsCancelled(status)) return absl::CancelledError("interrupted; what is shown was finished before");
  RETURN_IF_ERROR(status);
  if (sink == nullptr) return absl::OkStatus();
  RETURN_IF_ERROR(sink->Write(ToJson(flags, parallel.threads(), sums, skipped).dump(2) + "\n"));
  return sink->Commit();
}

void AddSecaggCommand(CLI::App& bench, Action& chosen) {
  auto flags = std::make_shared<SecaggFlags>();
  CLI::App* command =
      bench.add_subcommand("secagg", "Secure sums: what each party computes and sends, beside sums in the clear");
  command->add_option("--clients", flags->clients, "How many take part; several, with commas between")
      ->delimiter(',')
      ->check(CLI::Range(2, kMostClients))
      ->capture_default_str();
  command->add_option("--entries", flags->entries, "How long the vectors are; several, with commas between")
      ->delimiter(',')
      ->check(CLI::Range(1, kMostEntries))
      ->capture_default_str();
  command->add_option("--dropout", flags->dropout_percents, "How many percent vanish; several, with commas between")
      ->delimiter(',')
      ->check(Between(0, 50))
      ->capture_default_str();
  command->add_option("--colluders", flags->colluder_percent, "How many percent may work for the server")
      ->check(Between(0, 50))
      ->capture_default_str();
  command->add_option("--sigma", flags->sigma, "Of the noise in the sums; 0: none")
      ->check(Between(0, 1e5))
      ->capture_default_str();
  command->add_option("--ring-bits", flags->ring_bits, "Sums are modulo two to this; 0: as few as will do")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_option("--cipher", flags->cipher, "What makes the masks")
      ->check(CLI::IsMember({kAes, kChaCha}))
      ->capture_default_str();
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->add_option("--json", flags->json, "Write everything to this file, - for standard output");
  command->add_flag("--all", flags->all,
                    fmt::format("Also what takes more than {} on one core", ShortDuration(kCoreSecondsMax)));
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return BenchSecagg(*flags, console); }; });
}

}  // namespace

void AddBenchCommands(CLI::App& program, Action& chosen) {
  CLI::App* bench = program.add_subcommand("bench", "What protocols cost on this machine; without a name: which");
  bench->require_subcommand(0, 1);
  AddSecaggCommand(*bench, chosen);
  bench->callback([bench, &chosen] {
    if (!bench->get_subcommands().empty()) return;
    chosen = [bench](Console& console) {
      for (const CLI::App* command : bench->get_subcommands([](const CLI::App*) { return true; })) {
        console.Print(fmt::format("flaim bench {}: {}", command->get_name(), command->get_description()));
      }
      return absl::OkStatus();
    };
  });
}

}  // namespace flaim
