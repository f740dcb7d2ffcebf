#include "audit/subjects.h"

#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

#include "algorithms/loop/run.h"
#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "algorithms/spending/within_ledger.h"
#include "audit/among_others.h"
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

namespace fs = std::filesystem;

constexpr ClientIndex kClients = 3;
constexpr ClientIndex kOwner = 0;     // of the record
constexpr ClientIndex kColluder = 2;  // who tells its noise
constexpr secagg::GroupBounds kBounds{.dropout_share = 0, .colluders = 1};
constexpr int kRounds = 3;  // of AugFLAIM
// A run is killed at one of its first releases.
constexpr int kReleasesToDieAt = 6;
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
                                                           const PrivacyBudget& budget,
                                                           SumNoise noise = SumNoise::kWhole) {
  if (canary.is_about_choices && !method.ChoosesThenMeasures()) {
    method.rounds = FixedRounds{1};
    method.selection_share = kChoosingShare;
  }
  const Domain& domain = canary.with.domain();
  ASSIGN_OR_RETURN(Workload workload, AllKWay(domain, 2));
  ASSIGN_OR_RETURN(std::shared_ptr<const SpendingPlan> plan, MakeSpendingPlan(method, budget, domain.size(), noise));
  return std::make_shared<const Setting>(
      Setting{std::move(method), OptionsFor(budget), canary, std::move(workload), std::move(plan)});
}

// Whatever was drawn before a crash is not drawn again after it. Noise is drawn between a debit and its value, so this
// is where a copy of the ledger is as a crash between the two would leave it.
class NoiseOfOneLife final : public NoiseSource {
 public:
  NoiseOfOneLife(std::uint64_t seed, int life, std::function<void(int draw)> on_draw)
      : seed_(seed), life_(life), on_draw_(std::move(on_draw)) {}
  std::unique_ptr<RandomSource> For(const ReleaseName& name) override {
    on_draw_(++draws_);
    return std::make_unique<SeededRandomSource>(seed_, fmt::format("life {}, {}", life_, name.ToString()));
  }

 private:
  std::uint64_t seed_;
  int life_;
  std::function<void(int)> on_draw_;
  int draws_ = 0;
};

// AIM from what its ledger has, until it is done or killed.
absl::Status LiveOnce(const Setting& setting, bool has_record, Ledger& ledger, NoiseSource& noise,
                      std::optional<Death> death, RunTranscript& transcript) {
  Parallel alone(1);
  NoRounds no_rounds;
  const Table& rows = has_record ? setting.canary.with : setting.canary.without;
  ASSIGN_OR_RETURN(std::vector<WeightedQuery> queries, WeightedCompletion(setting.workload, setting.options.weights));
  ASSIGN_OR_RETURN(
      const std::unique_ptr<OneTable> table,
      OneTable::Create(std::make_shared<TableRows>(rows), std::move(queries), 1 << 16, ledger, noise, alone));
  WatchedFederation watched(*table, setting.canary, OneDraw{}, transcript, death);
  const WithinLedger affordable(setting.plan->Clone(), ledger, setting.options.run);
  return RunMethod(setting.method, setting.options, affordable, setting.workload, watched, alone, no_rounds).status();
}

Death DeathOf(std::uint64_t seed) {
  constexpr Moment kMoments[] = {Moment::kDrawn, Moment::kRecorded, Moment::kSeen};
  return {.answer = 1 + static_cast<int>(seed % kReleasesToDieAt),
          .moment = kMoments[seed / kReleasesToDieAt % std::size(kMoments)]};
}

absl::Status PutBack(const ScratchFile& copy, const ScratchFile& file) {
  std::error_code error;
  fs::rename(copy.path(), file.path(), error);
  if (error) return FailedPrecondition("'{}' cannot be put back: {}", file.path(), error.message());
  return absl::OkStatus();
}

absl::StatusOr<Evidence> RunAim(const Setting& setting, const ScratchFolder& folder, bool has_record,
                                std::uint64_t seed) {
  const ManualClock clock(std::chrono::system_clock::time_point(std::chrono::hours(400'000)));
  const ScratchFile file(folder, fmt::format("{}.ledger", seed));
  const ScratchFile copy(folder, fmt::format("{}.copy", seed));
  RunTranscript transcript;
  const LedgerTerms terms{"a canary", setting.options.budget, RhoFor(setting.options.budget)};
  const Death death = DeathOf(seed);
  for (int life = 1; life <= 2; ++life) {
    if (life == 2 && death.moment == Moment::kDrawn) RETURN_IF_ERROR(PutBack(copy, file));
    ASSIGN_OR_RETURN(Ledger ledger, Ledger::OpenOrCreate(file.path(), terms, clock));
    NoiseOfOneLife noise(seed, life, [&](int draw) {
      std::error_code ignored;  // then there is nothing to put back
      if (life == 1 && draw == death.answer) fs::copy_file(file.path(), copy.path(), ignored);
    });
    const absl::Status status =
        LiveOnce(setting, has_record, ledger, noise, life == 1 ? std::optional(death) : std::nullopt, transcript);
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
  AmongOthers among_others(watched);
  Federation& port = setting.canary.is_among_others ? static_cast<Federation&>(among_others) : watched;
  RETURN_IF_ERROR(
      RunMethod(setting.method, setting.options, *setting.plan, setting.workload, port, alone, no_rounds).status());
  transcript.evidence.paid = federation->accounts().spent(kOwner).ToDouble();
  return transcript.evidence;
}

Subject MakeSubject(const Setting& setting, std::string attacker, Claim claim) {
  return {.method = setting.method.name,
          .canary = setting.canary.name,
          .attacker = std::move(attacker),
          .claim = std::move(claim),
          .run = {}};
}

// Of all that the plan lets a client spend.
Claim ZcdpClaim(const Setting& setting) {
  return ClaimOfRho(setting.options.budget, setting.plan->client_terms().allowance);
}

absl::StatusOr<std::vector<Subject>> SubjectsOfAim(const Canary& canary, const PrivacyBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting, MakeSetting(Aim(), canary, budget));
  ASSIGN_OR_RETURN(std::shared_ptr<const ScratchFolder> folder, ScratchFolder::Make());
  Subject subject = MakeSubject(*setting, "sees it across a crash", ZcdpClaim(*setting));
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
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting,
                   MakeSetting(std::move(method), canary, budget, SumNoise::kSplit));
  std::unique_ptr<SpendingPlan> plan = setting->plan->Clone();
  RETURN_IF_ERROR(plan->Next(setting->workload.size()).status());
  Setting later = *setting;
  later.plan = std::move(plan);
  return std::make_shared<const Setting>(std::move(later));
}

absl::StatusOr<std::vector<Subject>> SubjectsOfOnce(const Canary& canary, const PrivacyBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting, MakeSettingOfOnce(canary, budget));
  ASSIGN_OR_RETURN(const Claim claim,
                   ClaimOfOnce(budget, *setting->plan, canary.with.domain().size(), setting->workload.size()));
  std::vector<Subject> subjects;
  for (const bool has_colluder : {false, true}) {
    Subject subject = MakeSubject(*setting, has_colluder ? "knows a colluder's noise" : "sees sums only", claim);
    subject.claim.attained = has_colluder ? 1 : kAttainedByStrangers;
    subject.run = [setting, has_colluder](bool has_record, std::uint64_t seed) {
      Shares knowledge{.bounds = kBounds};
      if (has_colluder) knowledge.told = {kColluder};
      return RunSimulated(*setting, kClients, SplitNoise{kBounds}, std::move(knowledge), has_record, seed);
    };
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

// In each round all one-ways, a choice, and what was chosen.
absl::StatusOr<Claim> ClaimOfRounds(const Setting& setting) {
  const int attributes = setting.canary.with.domain().size();
  const std::unique_ptr<SpendingPlan> rehearsal = setting.plan->Clone();
  std::vector<Step> steps;
  while (!rehearsal->IsOver()) {
    ASSIGN_OR_RETURN(const std::optional<RoundSpending> round, rehearsal->Next(0));
    steps.emplace_back(GaussianMechanism{*round->one_way_sigma_squared, attributes});
    steps.emplace_back(ExponentialMechanism{round->epsilon});
    steps.emplace_back(GaussianMechanism{*round->sigma_squared});
  }
  return ClaimOfSchedule(setting.options.budget, steps);
}

// Once with the paper's accounting, and once with noise from the exact accountant.
absl::StatusOr<std::vector<Subject>> SubjectsOfAugFlaim(const Canary& canary, const PrivacyBudget& budget) {
  std::vector<Subject> subjects;
  for (const Accounting accounting : {Accounting::kPaper, Accounting::kExact}) {
    Method method = AugFlaimPrivate();
    method.rounds = FixedRounds{kRounds};
    method.accounting = accounting;
    if (accounting == Accounting::kExact) method.participation_cap = kRounds;
    ASSIGN_OR_RETURN(const std::shared_ptr<const Setting> setting,
                     MakeSetting(std::move(method), canary.is_about_choices ? OpposedAtHome() : canary, budget));
    ASSIGN_OR_RETURN(Claim claim, accounting == Accounting::kExact ? ClaimOfRounds(*setting) : ZcdpClaim(*setting));
    Subject subject = MakeSubject(*setting, "knows all other clients", std::move(claim));
    if (accounting == Accounting::kExact) subject.method += ", exact";
    subject.run = [setting](bool has_record, std::uint64_t seed) {
      return RunSimulated(*setting, 1, WholeNoise{}, OneDraw{}, has_record, seed);
    };
    subjects.push_back(std::move(subject));
  }
  return subjects;
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
