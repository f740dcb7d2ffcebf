#include "audit/subjects.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "algorithms/loop/run.h"
#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "algorithms/spending/within_ledger.h"
#include "audit/scratch_folder.h"
#include "audit/watched_federation.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "one_table/one_table.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger.h"
#include "simulation/simulated_federation.h"

namespace flaim {
namespace {

constexpr ClientIndex kClients = 3;
constexpr ClientIndex kOwner = 0;     // of the record
constexpr ClientIndex kColluder = 2;  // who tells its noise
constexpr secagg::GroupBounds kBounds{.dropout_share = 0, .colluders = 1};
// A run is killed after one of its first releases.
constexpr int kReleasesToDieAfter = 6;
// Of the budget, where choices are to give the record away.
constexpr double kChoosingShare = 0.9;

// What all runs of a subject share.
struct Setting {
  Method method;
  RunOptions options;
  Canary canary;
  Workload workload;
  std::shared_ptr<const SpendingPlan> plan;
};

// Few iterations: what is audited does not depend on a good fit.
RunOptions OptionsFor(const PrivacyBudget& budget) {
  return {.budget = budget, .round_fit = {.max_iterations = 20}, .last_fit = {.max_iterations = 20}, .run = "audit"};
}

absl::StatusOr<std::shared_ptr<const Setting>> MakeSetting(Method method, const Canary& canary,
                                                           const PrivacyBudget& budget) {
  if (canary.is_about_choices && !method.ChoosesThenMeasures()) {
    method.rounds = FixedRounds{1};
    method.selection_share = kChoosingShare;
  }
  const Domain& domain = canary.with.domain();
  ASSIGN_OR_RETURN(Workload workload, AllKWay(domain, 2));
  ASSIGN_OR_RETURN(std::shared_ptr<const SpendingPlan> plan, MakeSpendingPlan(method, budget, domain.size()));
  return std::make_shared<const Setting>(
      Setting{std::move(method), OptionsFor(budget), canary, std::move(workload), std::move(plan)});
}

// Whatever was drawn before a crash is not drawn again after it.
class NoiseOfOneLife final : public NoiseSource {
 public:
  NoiseOfOneLife(std::uint64_t seed, int life) : seed_(seed), life_(life) {}
  std::unique_ptr<RandomSource> For(const ReleaseName& name) override {
    return std::make_unique<SeededRandomSource>(seed_, fmt::format("life {}, {}", life_, name.ToString()));
  }

 private:
  std::uint64_t seed_;
  int life_;
};

// AIM from what its ledger has, until it is done or killed.
absl::Status LiveOnce(const Setting& setting, bool has_record, Ledger& ledger, NoiseSource& noise,
                      std::optional<int> is_killed_after, RunTranscript& transcript) {
  Parallel alone(1);
  NoRounds no_rounds;
  const Table& rows = has_record ? setting.canary.with : setting.canary.without;
  ASSIGN_OR_RETURN(std::vector<WeightedQuery> queries, WeightedCompletion(setting.workload, setting.options.weights));
  ASSIGN_OR_RETURN(
      const std::unique_ptr<OneTable> table,
      OneTable::Create(std::make_shared<TableRows>(rows), std::move(queries), 1 << 16, ledger, noise, alone));
  WatchedFederation watched(*table, setting.canary, OneDraw{}, transcript, is_killed_after);
  const WithinLedger affordable(setting.plan->Clone(), ledger, setting.options.run);
  return RunMethod(setting.method, setting.options, affordable, setting.workload, watched, alone, no_rounds).status();
}

absl::StatusOr<Evidence> RunAim(const Setting& setting, const ScratchFolder& folder, bool has_record,
                                std::uint64_t seed) {
  const ManualClock clock(std::chrono::system_clock::time_point(std::chrono::hours(400'000)));
  const ScratchFile file(folder, fmt::format("{}.ledger", seed));
  RunTranscript transcript;
  const LedgerTerms terms{"a canary", setting.options.budget, RhoFor(setting.options.budget)};
  const int killed_after = 1 + static_cast<int>(seed % kReleasesToDieAfter);
  for (int life = 1; life <= 2; ++life) {
    ASSIGN_OR_RETURN(Ledger ledger, Ledger::OpenOrCreate(file.path(), terms, clock));
    NoiseOfOneLife noise(seed, life);
    const absl::Status status = LiveOnce(setting, has_record, ledger, noise,
                                         life == 1 ? std::optional(killed_after) : std::nullopt, transcript);
    transcript.evidence.paid = ledger.spent().ToDouble();
    if (status.ok()) break;
    if (!absl::IsCancelled(status)) return status;
  }
  return transcript.evidence;
}

// A federation in memory, in which everybody is in every group; the rows are dealt out in turn, and the record is the
// owner's.
absl::StatusOr<Evidence> RunSimulated(const Setting& setting, ClientIndex clients, const NoiseOrigin& origin,
                                      NoiseKnowledge knowledge, bool has_record, std::uint64_t seed) {
  const Table& rows = has_record ? setting.canary.with : setting.canary.without;
  std::vector<ClientIndex> client_of_row;
  for (std::size_t row = 0; row < rows.rows(); ++row) client_of_row.push_back(static_cast<ClientIndex>(row) % clients);
  if (has_record) client_of_row.back() = kOwner;
  const ClientTerms terms = setting.plan->client_terms();
  const SimulationOptions options{.seed = seed,
                                  .availability = Everybody{},
                                  .trust = TrustOf(setting.method),
                                  .allowance = terms.allowance,
                                  .participation_cap = terms.participation_cap,
                                  .noise = origin};
  Parallel alone(1);
  NoRounds no_rounds;
  ASSIGN_OR_RETURN(const std::unique_ptr<SimulatedFederation> federation,
                   SimulatedFederation::Create(rows, client_of_row, clients, options, alone));
  if (auto* shares = std::get_if<Shares>(&knowledge)) shares->seed = seed;
  RunTranscript transcript;
  WatchedFederation watched(*federation, setting.canary, std::move(knowledge), transcript);
  RETURN_IF_ERROR(
      RunMethod(setting.method, setting.options, *setting.plan, setting.workload, watched, alone, no_rounds).status());
  transcript.evidence.paid = federation->accounts().spent(kOwner).ToDouble();
  return transcript.evidence;
}

Subject MakeSubject(const Setting& setting, std::string attacker) {
  const Rho rho = RhoFor(setting.options.budget);
  return {.method = setting.method.name,
          .canary = setting.canary.name,
          .attacker = std::move(attacker),
          .claim = {.rho = rho, .curve = TradeOff::OfRho(rho)},
          .run = {}};
}

absl::StatusOr<std::vector<Subject>> SubjectsOfAim(const Canary& canary, const PrivacyBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting, MakeSetting(Aim(), canary, budget));
  ASSIGN_OR_RETURN(std::shared_ptr<const ScratchFolder> folder, ScratchFolder::Make());
  Subject subject = MakeSubject(*setting, "sees it across a crash");
  subject.run = [setting, folder](bool has_record, std::uint64_t seed) {
    return RunAim(*setting, *folder, has_record, seed);
  };
  return std::vector<Subject>{std::move(subject)};
}

// The clients serve in the second of two groups: by then the plan has worked out its noise, which takes the exact
// accountant longer than a run, and each run's copy knows it.
absl::StatusOr<std::shared_ptr<const Setting>> MakeSettingOfOnce(const Canary& canary, const PrivacyBudget& budget) {
  Method method = FlaimOnce();
  method.rounds = ChooseThenMeasure{.rounds = 2, .choosing_rounds = 2, .marginals = 1};
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting, MakeSetting(std::move(method), canary, budget));
  std::unique_ptr<SpendingPlan> plan = setting->plan->Clone();
  RETURN_IF_ERROR(plan->Next(setting->workload.size()).status());
  Setting later = *setting;
  later.plan = std::move(plan);
  return std::make_shared<const Setting>(std::move(later));
}

// The exact accountant's curve for a participation: all one-ways, and all pairs.
absl::StatusOr<Claim> ClaimOfOnce(const Setting& setting) {
  const int attributes = setting.canary.with.domain().size();
  const std::unique_ptr<SpendingPlan> rehearsal = setting.plan->Clone();
  const std::size_t watched = setting.workload.size();
  ASSIGN_OR_RETURN(const std::optional<RoundSpending> round, rehearsal->Next(watched));
  const std::vector<Step> steps = {GaussianMechanism{*round->one_way_sigma_squared, attributes},
                                   GaussianMechanism{*round->sigma_squared, static_cast<std::int64_t>(watched)}};
  Rho rho;
  for (const Step& step : steps) rho = rho + CostOf(std::get<GaussianMechanism>(step));
  ASSIGN_OR_RETURN(TradeOff curve, TradeOff::OfSchedule(steps));
  return Claim{.rho = rho, .curve = std::move(curve)};
}

absl::StatusOr<std::vector<Subject>> SubjectsOfOnce(const Canary& canary, const PrivacyBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting, MakeSettingOfOnce(canary, budget));
  ASSIGN_OR_RETURN(const Claim claim, ClaimOfOnce(*setting));
  std::vector<Subject> subjects;
  for (const bool has_colluder : {false, true}) {
    Subject subject = MakeSubject(*setting, has_colluder ? "knows a colluder's noise" : "sees sums only");
    subject.claim = claim;
    subject.claim.is_attained = has_colluder;
    subject.run = [setting, has_colluder](bool has_record, std::uint64_t seed) {
      Shares knowledge{.bounds = kBounds};
      if (has_colluder) knowledge.told = {kColluder};
      return RunSimulated(*setting, kClients, SplitNoise{kBounds}, std::move(knowledge), has_record, seed);
    };
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

absl::StatusOr<std::vector<Subject>> SubjectsOfAugFlaim(const Canary& canary, const PrivacyBudget& budget) {
  Method method = AugFlaimPrivate();
  method.rounds = FixedRounds{3};
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting, MakeSetting(std::move(method), canary, budget));
  Subject subject = MakeSubject(*setting, "knows all other clients");
  subject.run = [setting](bool has_record, std::uint64_t seed) {
    return RunSimulated(*setting, 1, WholeNoise{}, OneDraw{}, has_record, seed);
  };
  return std::vector<Subject>{std::move(subject)};
}

}  // namespace

std::vector<std::string> AuditedMethods() { return {"aim", "flaim-once", "augflaim-private"}; }

absl::StatusOr<std::vector<Subject>> SubjectsOf(const std::string& method, const Canary& canary,
                                                const PrivacyBudget& budget) {
  if (method == "aim") return SubjectsOfAim(canary, budget);
  if (method == "flaim-once") return SubjectsOfOnce(canary, budget);
  CHECK(method == "augflaim-private", "{} is not audited", method);
  return SubjectsOfAugFlaim(canary, budget);
}

}  // namespace flaim
