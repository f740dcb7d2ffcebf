#include <array>
#include <iostream>
#include <optional>

#include "audit/audit.h"
#include "audit/scratch_folder.h"
#include "audit/watched_federation.h"
#include "base/check.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/networked_testing.h"

// FLAIM-Once under audit over the networked runtime: the real coordinator, sites, ledgers and secure sums, with an
// exchange in memory in place of the network.
namespace flaim::runtime {
namespace {

constexpr ClientIndex kSites = 3;
constexpr ClientIndex kOwner = 0;
constexpr ClientIndex kColluder = 2;
constexpr secagg::GroupBounds kBounds{.dropout_share = 0, .colluders = 1};
constexpr int kRuns = 600;
constexpr double kEpsilon = 10;
// Of networked studies in tests.
constexpr double kDelta = 1e-5;

DealtStudy Dealt(const Table& rows, bool has_record) {
  DealtStudy study{rows, {.client_of_row = {}, .clients = kSites}};
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    study.partition.client_of_row.push_back(static_cast<ClientIndex>(row) % kSites);
  }
  if (has_record) study.partition.client_of_row.back() = kOwner;
  return study;
}

// A study that is another only in its seed: the exact accountant takes longer over a plan than a run takes.
absl::StatusOr<Study> OpenAgain(Study study, const SignedManifest& manifest) {
  ASSIGN_OR_RETURN(study.manifest, Open(manifest));
  study.digest = manifest.digest();
  return study;
}

NetworkedStudyOptions StudyOf(const Canary& canary, bool has_record, std::uint64_t seed) {
  NetworkedStudyOptions options;
  options.method.preset = "flaim-once";
  // All sites serve in the second of two groups: Opened.
  options.method.Set("rounds", 2);
  options.method.Set("choosing-rounds", 2);
  options.method.Set("marginals", 1);
  options.sites = kSites;
  options.bounds = kBounds;
  options.epsilon = kEpsilon;
  options.seed = seed;
  options.data = Dealt(has_record ? canary.with : canary.without, has_record);
  return options;
}

// A study whose plan has gone through a first group that nobody was in: by then it has worked out its noise, and copies
// know it.
Study Opened(const Canary& canary, const std::string& folder) {
  Study study = NetworkedStudyForTest(folder, StudyOf(canary, false, 1)).study();
  std::unique_ptr<SpendingPlan> later = study.plan.spending->Clone();
  CHECK(later->Next(study.workload.size()).ok());
  study.plan.spending = std::move(later);
  return study;
}

// What the same run says to two attackers.
struct TwoViews {
  Evidence of_sums;
  Evidence of_colluder;
};

TwoViews RunOnce(const Study& opened, const Canary& canary, const std::string& folder, bool has_record,
                 std::uint64_t seed) {
  RunTranscript sums;
  RunTranscript colluder;
  std::unique_ptr<Federation> inner;
  NetworkedStudyOptions options = StudyOf(canary, has_record, seed);
  options.open = [&](const SignedManifest& manifest) { return OpenAgain(opened, manifest); };
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

// Of one attacker: [0] without the record, [1] with it.
using Runs = std::array<std::vector<Evidence>, 2>;

void Append(const Runs& some, Runs& all) {
  for (std::size_t side = 0; side < all.size(); ++side) {
    all[side].insert(all[side].end(), some[side].begin(), some[side].end());
  }
}

void ExpectPasses(const std::string& canary, const std::string& attacker, const Claim& claim, const Runs& runs) {
  SCOPED_TRACE(canary + ", " + attacker);
  const AuditResult result = Judge({"flaim-once", canary, attacker, claim, {}}, runs[1], runs[0]);
  for (const AuditCheck& check : result.checks) EXPECT_TRUE(check.holds) << check.name << ": " << check.found;
  // For the table in docs/AUDIT.md.
  std::cout << fmt::format("| {} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n", canary, attacker, result.runs,
                           result.mu_claimed, result.mu_reached, result.share(), result.mu_proven);
}

// Each canary on its own; how near the claim they come, all together, whose claims are one: a run takes long.
TEST(SecureSums, GiveARecordAwayAsFarAsPaidForAndNoFurther) {
  const std::shared_ptr<const ScratchFolder> folder = ScratchFolder::Make().value();
  std::optional<Claim> claim;
  Runs all_sums;
  Runs all_colluder;
  std::uint64_t seed = 0;
  for (const Canary& canary : AllCanaries()) {
    const Study opened = Opened(canary, folder->path() + "/first");
    claim = ClaimOfOnce(PrivacyBudget::Create(kEpsilon, kDelta).value(), *opened.plan.spending, opened.domain().size(),
                        opened.workload.size())
                .value();
    Runs sums;
    Runs colluder;
    for (int run = 0; run < 2 * kRuns && !HasFailure(); ++run) {
      const std::size_t side = run % 2;
      const TwoViews views = RunOnce(opened, canary, folder->path() + "/study", side == 1, ++seed);
      sums[side].push_back(views.of_sums);
      colluder[side].push_back(views.of_colluder);
    }
    ASSERT_FALSE(HasFailure()) << canary.name;
    ExpectPasses(canary.name, "sees sums only", *claim, sums);
    ExpectPasses(canary.name, "knows a colluder's noise", *claim, colluder);
    Append(sums, all_sums);
    Append(colluder, all_colluder);
  }
  claim->attained = kAttainedByStrangers;
  ExpectPasses("all", "sees sums only", *claim, all_sums);
  claim->attained = 1;
  ExpectPasses("all", "knows a colluder's noise", *claim, all_colluder);
}

}  // namespace
}  // namespace flaim::runtime
