#include "tests/networked_faults_testing.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "gtest/gtest.h"
#include "privacy/ledger/ledger_report.h"

namespace flaim::runtime {
namespace {

LedgerReport BooksOf(const NetworkedStudyForTest& study, int site) {
  return ReadLedger(study.LedgerPath(site)).value();
}

void ExpectSoundLedger(const LedgerReport& report, Rho allowance) {
  EXPECT_LE(report.summary.spent, allowance);
  std::map<std::int64_t, int> values_of_debit;
  std::map<std::string, int> values_of_name;
  for (const LedgerRow& row : report.rows) {
    const auto* release = std::get_if<ReleaseEntry>(&row.entry);
    if (release == nullptr) continue;
    EXPECT_EQ(++values_of_debit[release->debit], 1);
    const auto& debit = std::get<DebitEntry>(report.rows[static_cast<std::size_t>(release->debit)].entry);
    const std::string name = NameOf(debit.charge).ToString();
    EXPECT_EQ(++values_of_name[name], 1) << name;
  }
}

}  // namespace

std::string FolderForTest() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = fmt::format("flaim-{}-{}-{}", test->test_suite_name(), test->name(), ::getpid());
  std::replace(name.begin(), name.end(), '/', '-');
  return testing::TempDir() + name;
}

NetworkedStudyOptions StudyOf(const std::string& preset) {
  NetworkedStudyOptions options;
  options.method.preset = preset;
  return options;
}

NetworkedStudyOptions StudyOf(const std::string& preset, int rounds) {
  NetworkedStudyOptions options = StudyOf(preset);
  options.method.Set("rounds", rounds);
  return options;
}

void ExpectSameModel(const FittedModel& one, const FittedModel& other) {
  EXPECT_EQ(one.chosen, other.chosen);
  EXPECT_EQ(one.model.total(), other.model.total());
  EXPECT_EQ(one.model.layout().cliques(), other.model.layout().cliques());
  EXPECT_TRUE(std::equal(one.model.potentials().begin(), one.model.potentials().end(), other.model.potentials().begin(),
                         other.model.potentials().end()));
  EXPECT_EQ(one.report.noise, other.report.noise);
  EXPECT_EQ(one.report.rounds, other.report.rounds);
}

void ExpectSoundBooks(const NetworkedStudyForTest& study) {
  const std::vector<StudyJournal::Sum> settled = study.SumsInJournal();
  ASSERT_EQ(settled.size(), study.sums().size());
  for (std::size_t i = 0; i < settled.size(); ++i) {
    EXPECT_EQ(settled[i].contributors, study.sums()[i].contributors) << study.sums()[i].name;
    EXPECT_EQ(settled[i].counts, study.sums()[i].expected) << study.sums()[i].name;
  }
  const auto sites = static_cast<int>(study.data().partition.clients);
  for (int site = 0; site < sites; ++site)
    ExpectSoundLedger(BooksOf(study, site), study.study().plan.terms().allowance);
}

std::vector<std::string> PaymentsOf(const NetworkedStudyForTest& study, int site) {
  std::vector<std::string> payments;
  for (const LedgerRow& row : BooksOf(study, site).rows) {
    if (const auto* debit = std::get_if<DebitEntry>(&row.entry)) {
      payments.push_back(fmt::format("{}: {}", NameOf(debit->charge).ToString(), ToString(debit->charge.mechanism)));
    }
  }
  return payments;
}

void KillTheCoordinatorAtEveryStep(const NetworkedStudyOptions& options, int stride) {
  NetworkedStudyForTest undisturbed(FolderForTest() + "-undisturbed", options);
  const absl::StatusOr<FittedModel> expected = undisturbed.Run();
  ASSERT_TRUE(expected.ok()) << expected.status();
  const absl::StatusOr<FittedModel> simulated = undisturbed.Simulate();
  ASSERT_TRUE(simulated.ok()) << simulated.status();
  ExpectSameModel(*expected, *simulated);
  const int steps = undisturbed.coordinator_steps();
  ASSERT_GT(steps, 50);
  for (int step = 0; step < steps && !testing::Test::HasFailure(); step += stride) {
    SCOPED_TRACE(fmt::format("killed at step {} of {}", step, steps));
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model = study.Run({.coordinator_killed_at = step});
    ASSERT_TRUE(model.ok()) << model.status();
    ASSERT_EQ(study.coordinator_crashes(), 1);
    ExpectSameModel(*model, *expected);
    ExpectSoundBooks(study);
    for (int site = 0; site < options.sites; ++site) EXPECT_EQ(PaymentsOf(study, site), PaymentsOf(undisturbed, site));
  }
}

void KillASiteAtEveryMessage(const NetworkedStudyOptions& options, int site, int stride) {
  NetworkedStudyForTest undisturbed(FolderForTest() + "-undisturbed", options);
  ASSERT_TRUE(undisturbed.Run().ok());
  const int messages = undisturbed.messages_to(site);
  ASSERT_GT(messages, 4);
  for (int message = 0; message < messages; message += stride) {
    for (const Moment moment : {Moment::kBefore, Moment::kDuring, Moment::kAfter}) {
      SCOPED_TRACE(fmt::format("killed {} message {} of {}", static_cast<int>(moment), message, messages));
      NetworkedStudyForTest study(FolderForTest(), options);
      const absl::StatusOr<FittedModel> model =
          study.Run({.site_kill = SiteKill{.site = site, .message = message, .moment = moment}});
      ASSERT_TRUE(model.ok()) << model.status();
      ASSERT_EQ(study.site_crashes(), 1);
      ExpectSoundBooks(study);
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace flaim::runtime
