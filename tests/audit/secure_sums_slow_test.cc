#include <algorithm>

#include "audit/audit.h"
#include "audit/scratch_folder.h"
#include "audit/watched_federation.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "tests/networked_testing.h"

// FLAIM-Once under audit over the networked runtime: the real coordinator, sites, ledgers and secure sums, with an
// exchange in memory in place of the network.
namespace flaim::runtime {
namespace {

constexpr ClientIndex kSites = 3;
constexpr ClientIndex kOwner = 0;
constexpr ClientIndex kColluder = 2;
constexpr secagg::GroupBounds kBounds{.dropout_share = 0, .colluders = 1};
constexpr int kRuns = 1500;
constexpr double kEpsilon = 10;

DealtStudy Dealt(const Table& rows, bool has_record) {
  DealtStudy study{rows, {.client_of_row = {}, .clients = kSites}};
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    study.partition.client_of_row.push_back(static_cast<ClientIndex>(row) % kSites);
  }
  if (has_record) study.partition.client_of_row.back() = kOwner;
  return study;
}

NetworkedStudyOptions StudyOf(const Canary& canary, bool has_record, std::uint64_t seed) {
  NetworkedStudyOptions options;
  options.method.preset = "flaim-once";
  options.method.Set("rounds", 1);
  options.method.Set("choosing-rounds", 1);
  options.method.Set("marginals", 1);
  options.method.Set("accounting", "cap");
  options.sites = kSites;
  options.bounds = kBounds;
  options.epsilon = kEpsilon;
  options.seed = seed;
  options.data = Dealt(has_record ? canary.with : canary.without, has_record);
  return options;
}

// What the same run says to two attackers.
struct TwoViews {
  Evidence of_sums;
  Evidence of_colluder;
};

TwoViews RunOnce(const Canary& canary, const std::string& folder, bool has_record, std::uint64_t seed) {
  RunTranscript sums;
  RunTranscript colluder;
  std::unique_ptr<Federation> inner;
  NetworkedStudyOptions options = StudyOf(canary, has_record, seed);
  options.decorate = [&](Federation& port) {
    inner = std::make_unique<WatchedFederation>(port, canary, Shares{kBounds, seed}, sums);
    return std::make_unique<WatchedFederation>(*inner, canary, Shares{kBounds, seed, {kColluder}}, colluder);
  };
  NetworkedStudyForTest study(folder, options);
  const absl::StatusOr<FittedModel> model = study.Run();
  EXPECT_TRUE(model.ok()) << model.status();
  const double paid = study.LedgerOf(kOwner)->spent().ToDouble();
  sums.evidence.paid = paid;
  colluder.evidence.paid = paid;
  return {sums.evidence, colluder.evidence};
}

void ExpectPasses(const Subject& subject, const std::vector<Evidence>& with, const std::vector<Evidence>& without) {
  SCOPED_TRACE(subject.attacker);
  const AuditResult result = Judge(subject, with, without);
  for (const AuditCheck& check : result.checks) EXPECT_TRUE(check.holds) << check.name << ": " << check.found;
}

class SecureSums : public testing::TestWithParam<const char*> {};

TEST_P(SecureSums, GiveARecordAwayAsFarAsPaidForAndNoFurther) {
  const Canary canary = FindCanary(GetParam());
  const std::shared_ptr<const ScratchFolder> folder = ScratchFolder::Make().value();
  std::vector<Evidence> sums[2];
  std::vector<Evidence> colluder[2];
  for (int run = 0; run < 2 * kRuns && !HasFailure(); ++run) {
    const int side = run % 2;
    const TwoViews views = RunOnce(canary, folder->path() + "/study", side == 1, static_cast<std::uint64_t>(run) + 1);
    sums[side].push_back(views.of_sums);
    colluder[side].push_back(views.of_colluder);
  }
  ASSERT_FALSE(HasFailure());
  const Rho rho = RhoFor(PrivacyBudget::Create(kEpsilon, 1e-5).value());
  const Claim claim{.rho = rho, .curve = TradeOff::OfRho(rho)};
  ExpectPasses({"flaim-once", canary.name, "sees sums only", claim, {}}, sums[1], sums[0]);
  Claim attained = claim;
  attained.is_attained = true;
  ExpectPasses({"flaim-once", canary.name, "knows a colluder's noise", attained, {}}, colluder[1], colluder[0]);
}

INSTANTIATE_TEST_SUITE_P(Canaries, SecureSums, testing::Values("alone", "unfit"),
                         [](const auto& canary) { return std::string(canary.param); });

}  // namespace
}  // namespace flaim::runtime
