#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "algorithms/loop/run.h"
#include "algorithms/spending/spending.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "partition/partition.h"
#include "privacy/accountants/exact_accountant.h"
#include "simulation/research/research.h"
#include "simulation/simulated_federation.h"

// Whole methods on small simulated federations.
namespace flaim {

// A table dealt out to clients.
struct DealtStudy {
  Table table;
  Partition partition;
};

// Five attributes of 3, 2, 4, 2 and 3 values: the second follows the first and the fourth the third, mostly. Each row
// goes to a client at random, except the last client, which has none if there is more than one.
DealtStudy MakeStudy(std::size_t rows, std::size_t clients, std::uint64_t seed = 1);
// One more row at the end, for this client.
DealtStudy WithRow(const DealtStudy& study, const std::vector<std::uint32_t>& row, ClientIndex client);

// What went over a port: each request in words, and each answer.
struct Tape {
  using Answer = std::variant<Group, NoisyMarginals, NoisyCounts, SumChoice, LocalChoices>;
  std::vector<std::string> requests = {};
  std::vector<Answer> answers = {};
};

struct RunSettings {
  PrivacyBudget budget = PrivacyBudget::Create(1, 1e-5).value();
  Availability availability = Poisson{0.5};
  NoiseOrigin noise = WholeNoise{};
  std::uint64_t seed = 1;
  int threads = 1;
  std::optional<Workload> workload = {};  // all pairs, if none is given
  const Tape* replayed = nullptr;         // given back instead of what the federation answers
  ResearchSettings research = {};
};

struct FinishedRun {
  Tape tape;
  absl::StatusOr<FittedModel> model = absl::UnknownError("not run");
  std::vector<RoundReport> reports;
  std::unique_ptr<Parallel> parallel;
  std::unique_ptr<Research> research;               // only of methods that are not private
  std::unique_ptr<SimulatedFederation> federation;  // none if the method was refused
};

// A central method is run on one client that holds everything.
FinishedRun RunStudy(const Method& method, const DealtStudy& study, const RunSettings& settings);

// All presets, with few rounds. Where the exact accountant is theirs, they keep to zCDP here: calibrating takes longer
// than the run itself.
std::vector<Method> SmallPresets();
// The same with the accounting that they have.
std::vector<Method> SmallPresetsWithTheirAccounting();

// In the names of tests.
void PrintTo(const Method& method, std::ostream* out);

// The model, to the last bit.
std::string Fingerprint(const FittedModel& fitted);

// What one account has paid, by the formulas of the privacy page: sensitivity^2 / (2 sigma^2) and epsilon^2 / 8.
long double AuditAccount(const AccountBook& accounts, AccountIndex account);
// What it has paid for, one after the other.
std::vector<Step> ScheduleOf(const AccountBook& accounts, AccountIndex account);

}  // namespace flaim
