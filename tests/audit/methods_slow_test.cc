#include <algorithm>

#include "audit/subjects.h"
#include "gtest/gtest.h"

// Whole methods under audit, with every canary: central AIM with a ledger and a crash in each run, FLAIM-Once with
// noise split as over the network, AugFLAIM (Private).
namespace flaim {
namespace {

struct Audited {
  const char* method;
  int runs;
};

class AuditOf : public testing::TestWithParam<std::tuple<Audited, const char*>> {};

TEST_P(AuditOf, FindsTheClaimKept) {
  const auto& [audited, canary] = GetParam();
  const PrivacyBudget budget = PrivacyBudget::Create(8, 1e-6).value();
  const auto subjects = SubjectsOf(audited.method, FindCanary(canary), budget);
  ASSERT_TRUE(subjects.ok()) << subjects.status();
  Parallel parallel(1);
  NoProgress nobody;
  for (const Subject& subject : *subjects) {
    SCOPED_TRACE(subject.attacker);
    const auto result = RunAudit(subject, {.runs = audited.runs}, parallel, nobody);
    ASSERT_TRUE(result.ok()) << result.status();
    for (const AuditCheck& check : result->checks) EXPECT_TRUE(check.holds) << check.name << ": " << check.found;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, AuditOf,
                         testing::Combine(testing::Values(Audited{"aim", 1500}, Audited{"flaim-once", 10000},
                                                          Audited{"augflaim-private", 6000}),
                                          testing::Values("alone", "opposed", "empty", "unfit")),
                         [](const auto& tested) {
                           std::string name =
                               std::string(std::get<0>(tested.param).method) + "_" + std::get<1>(tested.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace flaim
