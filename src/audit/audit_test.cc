#include "audit/audit.h"

#include "audit/subjects.h"
#include "gtest/gtest.h"

// Whole methods under audit, with as few runs as it takes to notice one wrong constant. tests/audit has all canaries
// and more runs.
namespace flaim {
namespace {

void ExpectPasses(const std::string& method, const std::string& canary, double epsilon, int runs) {
  const auto subjects = SubjectsOf(method, FindCanary(canary), PrivacyBudget::Create(epsilon, 1e-6).value());
  ASSERT_TRUE(subjects.ok()) << subjects.status();
  Parallel parallel(1);
  NoProgress nobody;
  for (const Subject& subject : *subjects) {
    SCOPED_TRACE(subject.attacker);
    const auto result = RunAudit(subject, {.runs = runs}, parallel, nobody);
    ASSERT_TRUE(result.ok()) << result.status();
    for (const AuditCheck& check : result->checks) EXPECT_TRUE(check.holds) << check.name << ": " << check.found;
  }
}

TEST(Audit, FindsThatAimMeasuresWithTheNoiseItPaysFor) { ExpectPasses("aim", "alone", 8, 300); }

TEST(Audit, FindsThatAimChoosesWithTheSensitivityItPaysFor) { ExpectPasses("aim", "opposed", 8, 400); }

TEST(Audit, FindsThatAimTellsTheSameAgainAfterACrash) { ExpectPasses("aim", "opposed", 8, 60); }

TEST(Audit, FindsThatFlaimOnceKeepsItsClaimAndComesNearIt) { ExpectPasses("flaim-once", "alone", 8, 4000); }

TEST(Audit, FindsThatAugFlaimChoosesWithTheSensitivityItPaysFor) {
  ExpectPasses("augflaim-private", "opposed", 8, 600);
}

TEST(Audit, FindsThatAugFlaimPaysForItsOneWays) { ExpectPasses("augflaim-private", "alone", 8, 1000); }

}  // namespace
}  // namespace flaim
