#include <cmath>

#include "audit/audit.h"
#include "audit/black_box.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"

// The verdict on made-up evidence: continuous Gaussian noise, of which everything is known.
namespace flaim {
namespace {

constexpr int kRuns = 4000;

double Normal(RandomSource& random) {
  return std::sqrt(-2 * std::log(1 - random.NextUnit())) * std::cos(2 * M_PI * random.NextUnit());
}

// Runs that release one number at distance mu, by an attacker who believes the noise to have variance 1.
std::vector<Evidence> RunsOf(double mu, double shift, double sigma, std::uint64_t seed) {
  SeededRandomSource random(seed);
  std::vector<Evidence> runs(kRuns);
  for (Evidence& run : runs) {
    run.of_counts = mu * (shift + sigma * Normal(random)) - mu * mu / 2;
    run.price = run.paid = mu * mu / 2;
  }
  return runs;
}

Subject ClaimingMu(double mu) {
  const Rho rho = Rho::RoundUp(mu * mu / 2);
  Claim claim = ClaimOfRho(PrivacyBudget::Create(EpsilonOf(rho, 1e-6) + 1e-9, 1e-6).value(), rho);
  claim.attained = 1;
  return {.method = "made up", .canary = "", .attacker = "", .claim = std::move(claim), .run = {}};
}

std::vector<std::string> Failed(const AuditResult& result) {
  std::vector<std::string> names;
  for (const AuditCheck& check : result.checks) {
    if (!check.holds) names.push_back(check.name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Judge, PassesWhatIsAsClaimed) {
  const AuditResult result = Judge(ClaimingMu(1.5), RunsOf(1.5, 1.5, 1, 1), RunsOf(1.5, 0, 1, 2));
  EXPECT_EQ(Failed(result), Names());
  EXPECT_GT(result.share(), 0.9);
  EXPECT_LT(result.share(), 1);
  EXPECT_LT(result.mu_proven, 1.5);
}

TEST(Judge, NoticesNoiseThatIsSmallerThanSaid) {
  const AuditResult result = Judge(ClaimingMu(1.5), RunsOf(1.5, 1.5, 0.5, 1), RunsOf(1.5, 0, 0.5, 2));
  EXPECT_EQ(Failed(result), Names({"likelihood", "trade-off"}));
}

TEST(Judge, NoticesMoreReleasesThanWereClaimed) {
  EXPECT_EQ(Failed(Judge(ClaimingMu(1.5), RunsOf(2.2, 2.2, 1, 1), RunsOf(2.2, 0, 1, 2))),
            Names({"books", "divergence", "trade-off"}));
}

TEST(Judge, NoticesWhatWasNotPaidFor) {
  std::vector<Evidence> with = RunsOf(1.5, 1.5, 1, 1);
  with[17].paid /= 2;
  EXPECT_EQ(Failed(Judge(ClaimingMu(1.5), with, RunsOf(1.5, 0, 1, 2))), Names({"books"}));
}

TEST(Judge, NoticesThatItDidNotComeNearTheClaim) {
  EXPECT_EQ(Failed(Judge(ClaimingMu(1.5), RunsOf(1, 1, 1, 1), RunsOf(1, 0, 1, 2))), Names({"reach"}));
}

TEST(Judge, NoticesAClaimThatIsMoreThanThePromise) {
  Subject subject = ClaimingMu(1.5);
  subject.claim.promised = PrivacyBudget::Create(subject.claim.promised.epsilon() - 0.01, 1e-6).value();
  subject.claim.delta = DeltaOf(subject.claim.rho, subject.claim.promised.epsilon());
  EXPECT_EQ(Failed(Judge(subject, RunsOf(1.5, 1.5, 1, 1), RunsOf(1.5, 0, 1, 2))), Names({"promise"}));
}

TEST(Judge, AsksForAsMuchAsIsAttained) {
  Subject subject = ClaimingMu(1.5);
  subject.claim.attained = 0.5;
  EXPECT_EQ(Failed(Judge(subject, RunsOf(1, 1, 1, 1), RunsOf(1, 0, 1, 2))), Names());
  EXPECT_EQ(Failed(Judge(subject, RunsOf(0.5, 0.5, 1, 1), RunsOf(0.5, 0, 1, 2))), Names({"reach"}));
}

std::vector<double> Scores(double mean, std::uint64_t seed) {
  SeededRandomSource random(seed);
  std::vector<double> scores(2 * kRuns);
  for (double& score : scores) score = mean + Normal(random);
  return scores;
}

TEST(JudgeModels, PassesWhatIsAsClaimedAndNoticesMore) {
  const Claim claim = ClaimingMu(1).claim;
  const AuditResult fine = JudgeModels("made up", "", claim, Scores(1, 1), Scores(0, 2));
  EXPECT_TRUE(fine.Passed());
  EXPECT_GT(fine.share(), 0.85);
  EXPECT_LT(fine.mu_proven, 1);
  EXPECT_FALSE(JudgeModels("made up", "", claim, Scores(2, 1), Scores(0, 2)).Passed());
}

// With probability at most .025 each, so that more than 30 of 400 have one of less than 1e-6.
TEST(MuReached, IsNotMoreThanThereIsAsOftenAsItSays) {
  int too_much = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    std::vector<double> with = Scores(1, 2 * trial);
    std::vector<double> without = Scores(0, 2 * trial + 1);
    with.resize(300);
    without.resize(300);
    if (MuReached(with, without, 0.5) > 1) ++too_much;
  }
  EXPECT_LE(too_much, 30);
  EXPECT_GT(too_much, 0);
}

TEST(RunAudit, SaysWhatWentWrongInARun) {
  Subject subject = ClaimingMu(1);
  subject.run = [](bool, std::uint64_t) { return absl::UnavailableError("no disk"); };
  Parallel parallel(2);
  NoProgress nobody;
  EXPECT_EQ(RunAudit(subject, {.runs = 5}, parallel, nobody).status(), absl::UnavailableError("no disk"));
}

}  // namespace
}  // namespace flaim
