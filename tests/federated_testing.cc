#include "federated_testing.h"

#include <algorithm>
#include <utility>

#include "algorithms/methods/presets.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "federation/client_answer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "simulation/research/published_code.h"

namespace flaim {
namespace {

// Writes down what is asked, and gives back what is played instead of what the federation answers. The federation is
// asked all the same, so its accounts and its traffic are those of the requests.
class TapedFederation final : public Federation {
 public:
  TapedFederation(Federation& inner, Tape& tape, const Tape* replayed)
      : inner_(inner), tape_(tape), replayed_(replayed) {}

  const Domain& domain() const override { return inner_.domain(); }
  std::int64_t clients() const override { return inner_.clients(); }

  absl::StatusOr<Group> Gather(const GroupRequest& request) override {
    return Answered(inner_.Gather(request), fmt::format("gather {} {} {}", static_cast<int>(request.membership),
                                                        request.upload_cells, request.is_initialisation));
  }
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override {
    return Answered(inner_.SumCounts(request),
                    fmt::format("{}: counts {} sigma^2 {} by {}, {}", request.name.ToString(), InWords(request.cliques),
                                request.sigma_squared.ToString(), static_cast<int>(request.contributors),
                                request.choices_per_client));
  }
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override {
    return Answered(
        inner_.SumScores(request),
        fmt::format("{}: scores {} sigma^2 {} shares {}", request.name.ToString(), InWords(request.candidates),
                    request.sigma_squared.ToString(), InWords(SharesFor(request, alone_).value())));
  }
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override {
    std::string expected;
    for (std::size_t i = 0; i < request.candidates.size(); ++i) {
      expected += fmt::format("{}\n", fmt::join(request.expected(i), " "));
    }
    return Answered(inner_.ChooseBySum(request),
                    fmt::format("{}: by sum {} epsilon {} penalties {} expected {}", request.name.ToString(),
                                InWords(request.candidates), request.epsilon.ToString(),
                                fmt::join(request.penalty_records, " "), expected));
  }
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override {
    return Answered(inner_.ChooseLocally(request),
                    fmt::format("{}: locally {} of {} epsilon {} penalties {} shares {}", request.name.ToString(),
                                request.steps, InWords(request.candidates), request.epsilon.ToString(),
                                fmt::join(request.penalty_records, " "), InWords(SharesFor(request, alone_).value())));
  }
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override {
    return Answered(inner_.ChooseAtRandom(request),
                    fmt::format("{}: {} of {}", request.name.ToString(), request.steps, InWords(request.candidates)));
  }

 private:
  static std::string InWords(const std::vector<Clique>& cliques) {
    std::string words;
    for (const Clique& clique : cliques) words += fmt::format("{} ", fmt::join(clique.attributes(), ","));
    return words;
  }
  static std::string InWords(const std::vector<WeightedQuery>& queries) {
    std::string words;
    for (const auto& [clique, weight] : queries) {
      words += fmt::format("{}*{} ", fmt::join(clique.attributes(), ","), weight);
    }
    return words;
  }
  static std::string InWords(const ModelShares& shares) {
    std::string words;
    for (const auto& part : {shares.of_candidates, shares.of_attributes}) {
      for (const PublicShares& own : part) words += fmt::format("{}\n", fmt::join(own.units(), " "));
    }
    return words;
  }

  template <typename Answer>
  absl::StatusOr<Answer> Answered(absl::StatusOr<Answer> answer, std::string request) {
    const std::size_t position = tape_.requests.size();
    tape_.requests.push_back(std::move(request));
    if (!answer.ok()) return answer;
    if (replayed_ != nullptr) {
      if (position >= replayed_->answers.size()) return absl::InternalError("more is asked than before");
      const auto* recorded = std::get_if<Answer>(&replayed_->answers[position]);
      if (recorded == nullptr) return absl::InternalError("something else is asked than before");
      answer = *recorded;
    }
    tape_.answers.emplace_back(*answer);
    return answer;
  }

  Federation& inner_;
  Tape& tape_;
  const Tape* replayed_;
  Parallel alone_{1};
};

class KeepReports final : public RoundSink {
 public:
  explicit KeepReports(std::vector<RoundReport>& reports) : reports_(reports) {}
  void Report(const RoundReport& report, const Model&) override { reports_.push_back(report); }

 private:
  std::vector<RoundReport>& reports_;
};

}  // namespace

DealtStudy MakeStudy(std::size_t rows, std::size_t clients, std::uint64_t seed) {
  SeededRandomSource random(seed, "study");
  TableBuilder builder(Domain::Create({{"a", 3}, {"b", 2}, {"c", 4}, {"d", 2}, {"e", 3}}).value());
  Partition partition{.clients = clients};
  for (std::size_t row = 0; row < rows; ++row) {
    const auto a = static_cast<std::uint32_t>(random.NextBelow(6) < 3 ? 0 : 1 + random.NextBelow(2));
    const auto c = static_cast<std::uint32_t>(random.NextBelow(4));
    const auto b = static_cast<std::uint32_t>(random.NextBelow(10) == 0 ? random.NextBelow(2) : a > 0);
    const auto d = static_cast<std::uint32_t>(random.NextBelow(10) == 0 ? random.NextBelow(2) : c > 1);
    builder.AddRow(std::vector<std::uint32_t>{a, b, c, d, static_cast<std::uint32_t>(random.NextBelow(3))});
    partition.client_of_row.push_back(
        static_cast<std::uint32_t>(random.NextBelow(std::max<std::size_t>(1, clients - 1))));
  }
  return {std::move(builder).Build(), std::move(partition)};
}

DealtStudy WithRow(const DealtStudy& study, const std::vector<std::uint32_t>& row, ClientIndex client) {
  TableBuilder builder(study.table.domain());
  builder.AddRow(row);
  const Table parts[] = {study.table, std::move(builder).Build()};
  DealtStudy larger{Table::Concatenate(study.table.domain(), parts), study.partition};
  larger.partition.client_of_row.push_back(client);
  return larger;
}

FinishedRun RunStudy(const Method& method, const DealtStudy& study, const RunSettings& settings) {
  FinishedRun run;
  const int attributes = study.table.domain().size();
  const auto plan = settings.research.is_published_code ? MakePublishedSpending(method, settings.budget, attributes)
                                                        : MakeSpendingPlan(method, settings.budget, attributes);
  if (!plan.ok()) {
    run.model = plan.status();
    return run;
  }
  const ClientTerms terms = (*plan)->client_terms();
  SimulationOptions simulation{.seed = settings.seed,
                               .availability = settings.availability,
                               .trust = TrustOf(method),
                               .allowance = terms.allowance,
                               .participation_cap = terms.participation_cap,
                               .noise = settings.noise};
  run.research = MakeResearch(method, settings.research, study.table);
  if (run.research) simulation.oracle = &run.research->oracle;
  Partition partition = study.partition;
  if (method.IsOneTable()) {
    partition = {.client_of_row = std::vector<std::uint32_t>(study.table.rows()), .clients = 1};
    if (std::holds_alternative<Trace>(simulation.availability)) simulation.availability = Everybody{};
  }
  run.parallel = std::make_unique<Parallel>(settings.threads);
  run.federation =
      SimulatedFederation::Create(study.table, partition.client_of_row, partition.clients, simulation, *run.parallel)
          .value();
  TapedFederation taped(*run.federation, run.tape, settings.replayed);
  RunOptions options{.budget = settings.budget};
  options.round_fit.max_iterations = 200;
  options.last_fit.max_iterations = 200;
  KeepReports reports(run.reports);
  const Workload workload = settings.workload ? *settings.workload : AllKWay(study.table.domain(), 2).value();
  run.model = RunMethod(method, options, **plan, workload, taped, *run.parallel, reports,
                        run.research ? run.research->insider.get() : nullptr);
  return run;
}

std::vector<Method> SmallPresets() {
  std::vector<Method> presets = SmallPresetsWithTheirAccounting();
  for (Method& method : presets) {
    if (method.accounting == Accounting::kExact) method.accounting = Accounting::kCapped;
  }
  return presets;
}

std::vector<Method> SmallPresetsWithTheirAccounting() {
  std::vector<Method> presets = AllMethods();
  for (Method& method : presets) {
    if (auto* fixed = std::get_if<FixedRounds>(&method.rounds)) fixed->rounds = 4;
    if (auto* once = std::get_if<ChooseThenMeasure>(&method.rounds)) {
      once->rounds = std::min(once->rounds, 4);
      once->choosing_rounds = std::min(once->choosing_rounds, 2);
      once->marginals = 5;
    }
  }
  return presets;
}

void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

std::string Fingerprint(const FittedModel& fitted) {
  std::string bits = fmt::format("{} {}\n", fitted.model.total(), fitted.report.noise);
  for (const Clique& clique : fitted.chosen) bits += fmt::format("{};", fmt::join(clique.attributes(), ","));
  bits += fmt::format("\n{}", fmt::join(fitted.model.potentials(), " "));
  return bits;
}

std::vector<Step> ScheduleOf(const AccountBook& accounts, AccountIndex account) {
  std::vector<Step> steps;
  for (const SharedDebit& debit : accounts.debits()) {
    if (std::find(debit.payers.begin(), debit.payers.end(), account) == debit.payers.end()) continue;
    std::visit([&](const auto& mechanism) { steps.emplace_back(mechanism); }, debit.mechanism);
  }
  return steps;
}

long double AuditAccount(const AccountBook& accounts, AccountIndex account) {
  const auto value = [](const Rational& rational) {
    return static_cast<long double>(rational.numerator()) / static_cast<long double>(rational.denominator());
  };
  long double paid = 0;
  for (const SharedDebit& debit : accounts.debits()) {
    if (std::find(debit.payers.begin(), debit.payers.end(), account) == debit.payers.end()) continue;
    if (const auto* gaussian = std::get_if<GaussianMechanism>(&debit.mechanism)) {
      paid += static_cast<long double>(gaussian->sensitivity_squared) / (2 * value(gaussian->sigma_squared));
    } else {
      const long double epsilon = value(std::get<ExponentialMechanism>(debit.mechanism).epsilon);
      paid += epsilon * epsilon / 8;
    }
  }
  return paid;
}

}  // namespace flaim
