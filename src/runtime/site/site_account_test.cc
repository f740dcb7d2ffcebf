#include "runtime/site/site_account.h"

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/release/release.h"
#include "runtime/site/site_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;

Manifest Capped(int cap) {
  MethodChanges method = PresetForTest("naive-flaim");
  method.Set("accounting", "cap");
  method.Set("cap", cap);
  method.Set("rounds", 6);
  return ManifestForTest(std::move(method));
}

Manifest With(const std::string& preset) { return ManifestForTest(PresetForTest(preset)); }

Manifest SummedScores() {
  MethodChanges method = PresetForTest("flaim-once");
  method.Set("selection", "summed-scores");
  method.Set("accounting", "cap");
  return ManifestForTest(std::move(method));
}

SumRequest Counts(std::int64_t round, const std::string& query = "counts") {
  return CountsForTest(round, query, {Clique({0})});
}

SumRequest Initialisation(std::int64_t round) {
  SumRequest request = Counts(round, "one-ways");
  request.is_initialisation = true;
  return request;
}

SumRequest Attempt(int attempt, SumRequest request) {
  request.attempt = attempt;
  return request;
}

SumRequest WithNoise(const Rational& sigma_squared, SumRequest request) {
  std::get<CountsRequest>(request.body).sigma_squared = sigma_squared;
  return request;
}

// An account over real files.
class Account {
 public:
  // The ledger may hold more than the study may cost, or less.
  explicit Account(const Manifest& manifest, double times_the_allowance = 1)
      : study_(StudyForTest(manifest).value()),
        total_(times_the_allowance == 1
                   ? study_.plan.terms().allowance
                   : Rho::RoundDown(times_the_allowance * study_.plan.terms().allowance.ToDouble())) {
    Reopen();
  }

  void Reopen() {
    account_.reset();
    records_.reset();
    ledger_.reset();
    // Of a promise that affords any total that a test wants.
    const PrivacyBudget budget = PrivacyBudget::Create(100, 0.1).value();
    ledger_.emplace(
        Ledger::OpenOrCreate(path(), {.data_name = "a site", .budget = budget, .total = total()}, clock_).value());
    records_.emplace(SiteRecords::Open(folder_ / "records.log", study_.domain()).value());
    account_.emplace(study_, *ledger_, *records_);
  }

  // The ledger, or the records, as they were after so many payments; 0 is before the first.
  void Keep(const std::string& name) { std::filesystem::copy_file(folder_ / name, folder_ / (name + ".kept")); }
  void Restore(const std::string& name) {
    account_.reset();
    records_.reset();
    ledger_.reset();
    std::filesystem::rename(folder_ / (name + ".kept"), folder_ / name);
    Reopen();
  }

  const Study& study() const { return study_; }
  Rho total() const { return total_; }
  std::string path() const { return folder_ / "site.ledger"; }
  SiteAccount& operator*() { return *account_; }
  SiteAccount* operator->() { return &*account_; }
  SiteRecords& records() { return *records_; }
  Model model() { return ModelForTest(study_.domain(), parallel_); }

  absl::Status Pay(const SumRequest& request) {
    const std::string encoded = Encode(request).request;
    if (std::holds_alternative<LocalSelection>(request.body)) {
      return account_->PayForChoice(request, encoded, SessionForTest(++sessions_)).status();
    }
    return account_->Pay(request, Encode(request).request, SessionForTest(++sessions_), "secure").status();
  }

 private:
  ScratchFolder folder_;
  Study study_;
  Rho total_;
  ManualClock clock_{std::chrono::system_clock::time_point(std::chrono::hours(500'000))};
  Parallel parallel_{1};
  std::optional<Ledger> ledger_;
  std::optional<SiteRecords> records_;
  std::optional<SiteAccount> account_;
  int sessions_ = 0;
};

TEST(SiteAccount, ServesInAsManyRoundsAsItsCapAndNotInOneMore) {
  Account account(Capped(2));
  EXPECT_TRUE(account.Pay(Counts(1)).ok());
  EXPECT_TRUE(account.Pay(Counts(4)).ok());
  for (int start = 0; start < 2; ++start, account.Reopen()) {
    EXPECT_EQ(account.records().RoundsServed(), 2);
    EXPECT_TRUE(absl::IsOutOfRange(account->Check(Counts(5))));
    EXPECT_TRUE(absl::IsOutOfRange(account.Pay(Counts(5))));
    EXPECT_TRUE(account->Check(Counts(4, "more of the same round")).ok());
  }
}

TEST(SiteAccount, InitialisesOnceAndBesideItsCap) {
  Account account(Capped(1));
  EXPECT_TRUE(account.Pay(Initialisation(1)).ok());
  for (int start = 0; start < 2; ++start, account.Reopen()) {
    EXPECT_EQ(account.records().RoundsServed(), 0);
    EXPECT_TRUE(account->Check(Attempt(2, Initialisation(1))).ok()) << "a sum that failed is tried again";
    EXPECT_TRUE(absl::IsOutOfRange(account->Check(Initialisation(2))));
  }
  EXPECT_TRUE(account.Pay(Counts(2)).ok());
  EXPECT_TRUE(absl::IsOutOfRange(account->Check(Counts(3))));
}

TEST(SiteAccount, TakesNoRoundBeyondItsCapForThatOfTheInitialisation) {
  Account account(Capped(1));
  ASSERT_TRUE(account.Pay(Counts(1)).ok());
  ASSERT_TRUE(account.Pay(Initialisation(2)).ok());
  EXPECT_TRUE(absl::IsOutOfRange(account->Check(Counts(2))));
}

TEST(SiteAccount, RefusesRequestsOfAnotherStudy) {
  Account account(Capped(2));
  SumRequest request = Counts(1);
  std::get<CountsRequest>(request.body).name.run = std::string(32, 'b');
  EXPECT_TRUE(absl::IsPermissionDenied(account->Check(request)));
  EXPECT_TRUE(absl::IsPermissionDenied(account.Pay(request)));
  EXPECT_EQ(account->spent(), Rho());
  EXPECT_EQ(account.records().RoundsServed(), 0);
}

struct KindsOfMethod {
  Manifest manifest;
  bool has_scores = false;
  bool has_local = false;
  bool has_random = false;
};

TEST(SiteAccount, GivesOnlyTheKindsThatItsMethodHas) {
  const KindsOfMethod cases[] = {{.manifest = With("naive-flaim"), .has_local = true},
                                 {.manifest = With("augflaim-private"), .has_local = true},
                                 {.manifest = With("flaim-random"), .has_random = true},
                                 {.manifest = With("fed-naive-bayes")},
                                 {.manifest = SummedScores(), .has_scores = true}};
  for (const KindsOfMethod& kinds : cases) {
    SCOPED_TRACE(kinds.manifest.request.method.preset);
    Account account(kinds.manifest);
    const Model model = account.model();
    EXPECT_TRUE(account->Check(Counts(1)).ok());
    EXPECT_EQ(account->Check(ScoresForTest(model, 1)).ok(), kinds.has_scores);
    EXPECT_EQ(account->Check(LocalForTest(model, 1)).ok(), kinds.has_local);
    EXPECT_EQ(account->Check(RandomForTest(1)).ok(), kinds.has_random);
  }
}

TEST(SiteAccount, MakesNoMoreChoicesThanItsMethod) {
  MethodChanges method = PresetForTest("naive-flaim");
  method.Set("local-steps", 2);
  Account account(ManifestForTest(method));
  const Model model = account.model();
  SumRequest request = LocalForTest(model, 1);
  std::get<LocalSelection>(request.body).steps = 2;
  EXPECT_TRUE(account->Check(request).ok());
  std::get<LocalSelection>(request.body).steps = 3;
  EXPECT_TRUE(absl::IsPermissionDenied(account->Check(request)));
}

Manifest About(const std::string& workload, Manifest manifest) {
  manifest.workload = workload;
  return manifest;
}

std::vector<Clique> AllCliques() {
  return {Clique({0}), Clique({1}), Clique({2}), Clique({0, 1}), Clique({0, 2}), Clique({1, 2}), Clique({0, 1, 2})};
}

// What the workload does not ask for is refused, whatever it costs, and whatever comes with it.
TEST(SiteAccount, CountsOnlyWhatTheWorkloadThatItConsentedToAsksFor) {
  const std::pair<const char*, std::vector<Clique>> cases[] = {
      {"[[\"a\", \"b\"]]", {Clique({0}), Clique({1}), Clique({2}), Clique({0, 1})}},
      {"[[\"b\"]]", {Clique({0}), Clique({1}), Clique({2})}},
      {"[[\"a\", \"c\"], [\"b\", \"c\"]]", {Clique({0}), Clique({1}), Clique({2}), Clique({0, 2}), Clique({1, 2})}},
      {"all:2", {Clique({0}), Clique({1}), Clique({2}), Clique({0, 1}), Clique({0, 2}), Clique({1, 2})}},
      {"all:3", AllCliques()}};
  for (const auto& [workload, agreed] : cases) {
    Account counting(About(workload, With("naive-flaim")));
    Account scoring(About(workload, SummedScores()));
    const Model model = scoring.model();
    for (const Clique& clique : AllCliques()) {
      const bool is_agreed = std::find(agreed.begin(), agreed.end(), clique) != agreed.end();
      SCOPED_TRACE(fmt::format("{} asks for {}", workload, CliqueName(counting.study().domain(), clique)));
      const SumRequest counts = CountsForTest(1, "counts", {Clique({0}), clique});
      EXPECT_EQ(counting->Check(counts).ok(), is_agreed);
      EXPECT_EQ(absl::IsPermissionDenied(counting->Check(counts)), !is_agreed);
      SumRequest scores = ScoresForTest(model, 1);
      std::get<ScoresRequest>(scores.body).candidates = {clique};
      EXPECT_EQ(absl::IsPermissionDenied(scoring->Check(scores)), !is_agreed);
    }
  }
  Account account(With("naive-flaim"));
  EXPECT_TRUE(absl::IsPermissionDenied(account.Pay(CountsForTest(1, "counts", {Clique({0, 1, 2})}))));
  EXPECT_TRUE(absl::IsPermissionDenied(account->Check(CountsForTest(1, "counts", {Clique()}))));
  EXPECT_EQ(account->spent(), Rho());
  EXPECT_FALSE(account.records().HasServed());
}

TEST(SiteAccount, ChoosesOnlyAmongMarginalsOfItsWorkloadWithThePlansWeights) {
  Account local(With("naive-flaim"));
  Account random(With("flaim-random"));
  const Model model = local.model();
  const auto check = [&](const std::vector<WeightedQuery>& candidates) {
    SumRequest choice = LocalForTest(model, 1);
    std::get<LocalSelection>(choice.body).candidates = candidates;
    std::get<LocalSelection>(choice.body).penalty_records.assign(candidates.size(), 0);
    SumRequest at_random = RandomForTest(1);
    std::get<RandomSelection>(at_random.body).candidates = candidates;
    EXPECT_EQ(local->Check(choice).ok(), random->Check(at_random).ok());
    return local->Check(choice);
  };
  EXPECT_TRUE(check({{Clique({0, 1}), 4}, {Clique({1}), 2}}).ok());
  for (const std::int64_t weight : {1, 3, 5, 1'000'000}) {
    EXPECT_TRUE(absl::IsPermissionDenied(check({{Clique({0, 2}), 4}, {Clique({0, 1}), weight}}))) << weight;
  }
  EXPECT_TRUE(absl::IsPermissionDenied(check({{Clique({0, 1}), 4}, {Clique({0, 1, 2}), 6}})));
}

TEST(SiteAccount, AddsToNoMoreMarginalsThanItIsAskedToPayFor) {
  Account account(With("naive-flaim"));
  ASSERT_TRUE(account.records().Choose({account.study().manifest.id, 1, "one"}, {Clique({0, 1})}).ok());
  ASSERT_TRUE(account.records().Choose({account.study().manifest.id, 1, "other"}, {Clique({1, 2})}).ok());
  SumRequest request = CountsForTest(1, "chosen", {Clique({0, 1}), Clique({0, 2}), Clique({1, 2})});
  auto& counts = std::get<CountsRequest>(request.body);
  counts.contributors = Contributors::kChoosers;
  EXPECT_TRUE(absl::IsPermissionDenied(account->Check(request)));
  counts.choices_per_client = 2;
  EXPECT_TRUE(account->Check(request).ok());
  counts.choices_per_client = 1;
  counts.name.round = 2;
  EXPECT_TRUE(account->Check(request).ok()) << "in this round it chose nothing";
}

TEST(SiteAccount, GivesNoMoreThanTheStudyMayCostHoweverMuchTheLedgerHolds) {
  Account account(Capped(3), 10);
  int paid = 0;
  while (account.Pay(WithNoise(Rational(100, 1), Counts(1, fmt::format("{}", paid)))).ok()) ++paid;
  EXPECT_GT(paid, 1);
  EXPECT_LE(account->spent(), account.study().plan.terms().allowance);
  EXPECT_GT(account->left(), account.study().plan.terms().allowance);
  account.Reopen();
  EXPECT_TRUE(absl::IsResourceExhausted(account->Check(WithNoise(Rational(100, 1), Counts(1, "one more")))));
}

TEST(SiteAccount, GivesNoMoreThanItsLedgerHolds) {
  Account account(Capped(3), 0.25);
  while (account.Pay(WithNoise(Rational(100, 1), Counts(1, fmt::format("{}", account->spent().units())))).ok()) {
  }
  EXPECT_LE(account->spent(), account.total());
  EXPECT_TRUE(absl::IsResourceExhausted(account->Check(WithNoise(Rational(100, 1), Counts(1, "one more")))));
}

TEST(SiteAccount, RefusesWhatItsBudgetDoesNotPay) {
  Account account(Capped(3));
  const SumRequest too_dear = WithNoise(Rational(1, 1), Counts(1));
  EXPECT_TRUE(absl::IsResourceExhausted(account->Check(too_dear)));
  EXPECT_TRUE(absl::IsResourceExhausted(account.Pay(too_dear)));
  EXPECT_EQ(account.records().RoundsServed(), 0);

  const Rho cost = CostOf(MechanismOf(std::get<CountsRequest>(WithNoise(Rational(100, 1), Counts(1)).body)));
  int paid = 0;
  while (account.Pay(WithNoise(Rational(100, 1), Counts(1, fmt::format("{}", paid)))).ok()) ++paid;
  EXPECT_GT(paid, 1);
  EXPECT_LT(account->left(), cost);
  EXPECT_LE(account->spent(), account.total());
  account.Reopen();
  EXPECT_TRUE(absl::IsResourceExhausted(account->Check(WithNoise(Rational(100, 1), Counts(1, "one more")))));
}

TEST(SiteAccount, PaysForEachAttemptAndForNoneTwice) {
  Account account(Capped(2));
  ASSERT_TRUE(account.Pay(Counts(1)).ok());
  const Rho once = account->spent();
  for (int start = 0; start < 2; ++start, account.Reopen()) {
    EXPECT_TRUE(absl::IsAlreadyExists(account->Check(Counts(1))));
    EXPECT_TRUE(absl::IsAlreadyExists(account.Pay(Counts(1))));
    EXPECT_EQ(account->spent(), once);
  }
  ASSERT_TRUE(account.Pay(Attempt(2, Counts(1))).ok());
  EXPECT_EQ(account->spent(), once + once);
  EXPECT_TRUE(absl::IsAlreadyExists(account->Check(Attempt(2, Counts(1)))));
  EXPECT_EQ(account.records().RoundsServed(), 1) << "both were of one round";

  const LedgerReport report = ReadLedger(account.path()).value();
  EXPECT_EQ(report.summary.debits, 2);
  EXPECT_EQ(report.summary.releases, 2);
  EXPECT_THAT(NameOf(std::get<DebitEntry>(report.rows[3].entry).charge).query, HasSubstr("attempt 2"));
}

TEST(SiteAccount, PaysOnceForAChoiceHoweverOftenItIsTold) {
  Account account(With("naive-flaim"));
  const Model model = account.model();
  SumRequest request = LocalForTest(model, 1);
  // Two of these are more than there is.
  const double epsilon = std::sqrt(8 * 0.6 * account.total().ToDouble());
  std::get<LocalSelection>(request.body).epsilon = Rational::RoundDown(epsilon).value();
  const std::string encoded = Encode(request).request;
  SeededRandomSource noise(1);
  const std::vector<std::int64_t> scores = {1, 2, 3};
  LocalPayments payments = account->PayForChoice(request, encoded, SessionForTest(1)).value();
  ASSERT_EQ(payments.selections.size(), 1U);
  const NoisyChoice chosen = ReleaseExponential(std::move(payments.selections[0]), scores, noise).value();
  account.Reopen();
  const SumRequest again = Attempt(2, request);
  absl::StatusOr<LocalPayments> free = account->PayForChoice(again, encoded, SessionForTest(2));
  ASSERT_TRUE(free.ok()) << free.status();
  ASSERT_TRUE(free->selections[0].IsResend());
  EXPECT_EQ(ReleaseExponential(std::move(free->selections[0]), scores, noise)->index, chosen.index);
  std::get<LocalSelection>(request.body).name.query = "another";
  EXPECT_TRUE(absl::IsResourceExhausted(account->Check(request)));
}

TEST(SiteAccount, CountsARandomChoiceAsServiceThoughItIsFree) {
  MethodChanges method = PresetForTest("flaim-random");
  method.Set("accounting", "cap");
  Account account(ManifestForTest(method));
  ASSERT_TRUE(account->ServeForFree(RandomForTest(1), Encode(RandomForTest(1)).request, SessionForTest(1)).ok());
  EXPECT_EQ(account->spent(), Rho());
  EXPECT_TRUE(absl::IsOutOfRange(account->Check(RandomForTest(2))));
  EXPECT_TRUE(account->Check(Counts(1)).ok());
}

// Two payments of each kind that there is.
TEST(SiteAccount, NoticesALedgerThatDidNotPayForAllThatWasGiven) {
  const Manifest manifests[] = {With("naive-flaim"), With("naive-flaim"), SummedScores()};
  for (int kind = 0; kind < 3; ++kind) {
    const auto ask = [&](Account& account, const Model& model, const std::string& query) {
      SumRequest request = kind == 0 ? Counts(1) : kind == 1 ? LocalForTest(model, 1) : ScoresForTest(model, 1);
      std::visit([&](auto& body) { body.name.query = query; }, request.body);
      EXPECT_TRUE(account.Pay(request).ok());
    };
    for (const int paid_before : {0, 1, 2}) {
      SCOPED_TRACE(fmt::format("kind {}, the ledger as of payment {}", kind, paid_before));
      Account account(manifests[kind]);
      const Model model = account.model();
      if (paid_before == 0) account.Keep("site.ledger");
      ask(account, model, "one");
      if (paid_before == 1) account.Keep("site.ledger");
      ask(account, model, "two");
      if (paid_before == 2) account.Keep("site.ledger");
      ask(account, model, "three");
      EXPECT_TRUE(account->CheckBooks().ok());
      account.Restore("site.ledger");
      // What was served last may have been killed before it was paid.
      EXPECT_EQ(absl::IsDataLoss(account->CheckBooks()), paid_before < 2);
    }
  }
}

TEST(SiteAccount, NoticesRecordsThatDoNotKnowOfAPayment) {
  Account account(Capped(3));
  ASSERT_TRUE(account.Pay(Counts(1, "one")).ok());
  account.Keep("records.log");
  ASSERT_TRUE(account.Pay(Counts(1, "two")).ok());
  EXPECT_TRUE(account->CheckBooks().ok());
  account.Restore("records.log");
  EXPECT_TRUE(absl::IsDataLoss(account->CheckBooks()));
}

TEST(SiteAccount, ForgivesOneMissingPaymentForEachTimeThatItWasKilled) {
  Account account(Capped(3));
  for (int kill = 0; kill < 3; ++kill) {
    ASSERT_TRUE(account.Pay(Counts(1, fmt::format("paid {}", kill))).ok());
    const SumRequest unpaid = Counts(1, fmt::format("unpaid {}", kill));
    ASSERT_TRUE(account.records().Serve(SessionForTest(100 + kill), Encode(unpaid).request).ok());
    account.Reopen();
    EXPECT_TRUE(account->CheckBooks().ok()) << kill;
    account.Reopen();
    EXPECT_TRUE(account->CheckBooks().ok()) << kill;
  }
  for (const char* query : {"unpaid", "and another"}) {
    ASSERT_TRUE(account.records().Serve(SessionForTest(200), Encode(Counts(1, query)).request).ok());
  }
  EXPECT_TRUE(absl::IsDataLoss(account->CheckBooks()));
}

// The round that flaim-once asks for when nothing was chosen yet: the one-ways alone, with all of the noise.
SumRequest OneWaysOfThePlan(const Study& study) {
  const auto plan = study.plan.spending->Clone();
  SumRequest request = CountsForTest(1, "one-ways", {Clique({0}), Clique({1}), Clique({2})});
  return WithNoise(*plan->Next(0).value()->one_way_sigma_squared, std::move(request));
}

TEST(SiteAccount, HoldsEachRoundAgainstThePlanWhereTheNoiseIsExact) {
  Account account(With("flaim-once"));
  const SumRequest planned = OneWaysOfThePlan(account.study());
  const Rational noise = std::get<CountsRequest>(planned.body).sigma_squared;
  EXPECT_TRUE(absl::IsPermissionDenied(
      account->Check(WithNoise(Rational(noise.numerator() - 1, noise.denominator()), planned))));
  EXPECT_TRUE(absl::IsPermissionDenied(
      account->Check(WithNoise(Rational(noise.numerator() + 1, noise.denominator()), planned))));
  EXPECT_TRUE(account.Pay(planned).ok());
  account.Reopen();
  EXPECT_TRUE(
      absl::IsPermissionDenied(account->Check(CountsForTest(1, "again", {Clique({0}), Clique({1}), Clique({2})}))))
      << "the one-ways are measured once, however large the noise";
}

TEST(SiteAccount, TakesNoSecondRoundForAnInitialisationWhereTheNoiseIsExact) {
  Account account(With("flaim-once"));
  SumRequest request = OneWaysOfThePlan(account.study());
  request.is_initialisation = true;
  EXPECT_TRUE(absl::IsPermissionDenied(account->Check(request)));
}

}  // namespace
}  // namespace flaim::runtime
