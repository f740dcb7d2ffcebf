#include "app/ledger/data_ledger.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger_testing.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_support::NoonClock;

class DataLedger : public testing::Test {
 protected:
  DataLedger() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    Touch("t.csv");
  }
  ~DataLedger() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  void Touch(const std::string& name) const { std::ofstream(folder_ / name) << "x"; }

  const fs::path folder_ = fs::canonical(testing::TempDir()) / fmt::format("flaim-data-ledger-{}", ::getpid());
  const PrivacyBudget budget_ = *PrivacyBudget::Create(1, 1e-6);
};

TEST_F(DataLedger, LiesBesideTheRowsAlsoBehindLinks) {
  EXPECT_EQ(LedgerPathFor({Path("t.csv"), ""}).value(), Path("t.csv.ledger"));
  fs::create_symlink("t.csv", folder_ / "link.csv");
  fs::create_symlink("link.csv", folder_ / "link to link.csv");
  EXPECT_EQ(LedgerPathFor({Path("link.csv"), ""}).value(), Path("t.csv.ledger"));
  EXPECT_EQ(LedgerPathFor({Path("link to link.csv"), ""}).value(), Path("t.csv.ledger"));
  EXPECT_EQ(LedgerPathFor({"relative.csv", ""}).value(), "relative.csv.ledger");
}

TEST_F(DataLedger, IsTheOnlyOneUnlessSaidToBeSeparate) {
  EXPECT_TRUE(LedgerPathFor({Path("t.csv"), Path("l")}).ok()) << "there is no other yet";
  Touch("t.csv.ledger");
  fs::create_symlink("t.csv", folder_ / "link.csv");
  fs::create_symlink("t.csv.ledger", folder_ / "same.ledger");
  for (const char* data : {"t.csv", "link.csv"}) {
    const absl::Status second = LedgerPathFor({Path(data), Path("l")}).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(second));
    EXPECT_THAT(std::string(second.message()), HasSubstr(Path("t.csv.ledger")));
    EXPECT_EQ(LedgerPathFor({Path(data), Path("l"), true}).value(), Path("l"));
    EXPECT_TRUE(LedgerPathFor({Path(data), Path("same.ledger")}).ok()) << "by another name";
    EXPECT_TRUE(LedgerPathFor({Path(data), ""}).ok());
  }
  Touch("link.csv.ledger");
  EXPECT_FALSE(LedgerPathFor({Path("link.csv"), ""}).ok()) << "an account beside the link would be forgotten";
}

TEST_F(DataLedger, ElsewhereIsTheOnlyOneTooAsTheRegistryKnows) {
  const std::string state = Path("state");
  const auto path_for = [&](const std::string& data, const std::string& ledger, bool is_separate = false) {
    return LedgerPathFor({Path(data), ledger.empty() ? "" : Path(ledger), is_separate}, state);
  };
  const auto charge = [&](const std::string& ledger) {
    Parallel alone(1);
    ASSERT_TRUE(LedgerRegistry::Open(state)->Charge(Path(ledger), {Path("t.csv")}, alone).ok());
    Touch(ledger);
  };
  fs::create_symlink("t.csv", folder_ / "link.csv");
  EXPECT_TRUE(path_for("t.csv", "a").ok());
  charge("a");
  for (const char* data : {"t.csv", "link.csv"}) {
    for (const char* ledger : {"b", ""}) {
      const absl::Status second = path_for(data, ledger).status();
      EXPECT_TRUE(absl::IsFailedPrecondition(second)) << ledger;
      EXPECT_THAT(std::string(second.message()), HasSubstr(Path("a")));
      EXPECT_TRUE(path_for(data, ledger, true).ok()) << "it is meant";
    }
    EXPECT_TRUE(path_for(data, "a").ok());
  }
  charge("b");
  EXPECT_TRUE(path_for("t.csv", "a").ok() && path_for("t.csv", "b").ok()) << "it was meant when it was new";
  EXPECT_FALSE(path_for("t.csv", "c").ok());
  fs::remove(Path("a"));
  fs::remove(Path("b"));
  EXPECT_TRUE(path_for("t.csv", "c").ok()) << "those that are gone are warned of";
}

TEST_F(DataLedger, OfRowsWithoutAFileNeedsAName) {
  for (const char* data : {"", "-", "/dev/null"}) {
    const absl::Status nameless = LedgerPathFor({data, ""}).status();
    EXPECT_TRUE(absl::IsInvalidArgument(nameless)) << data;
    EXPECT_THAT(std::string(nameless.message()), HasSubstr("name a ledger"));
    EXPECT_EQ(LedgerPathFor({data, Path("l")}).value(), Path("l"));
  }
}

TEST_F(DataLedger, IsMadeWithTheBudgetAndKeepsIt) {
  const auto open = [&](double epsilon) {
    return OpenDataLedger(Path("l"), "rows", *PrivacyBudget::Create(epsilon, 1e-6), false, NoonClock()).value();
  };
  EXPECT_EQ(open(1).terms().total, RhoFor(budget_));
  EXPECT_EQ(open(3).terms().total, RhoFor(budget_)) << "the budget belongs to the data";
}

TEST_F(DataLedger, ThatBelongsToTheExactPlanOfOneRunIsRefused) {
  LedgerTerms terms{.data_name = "clinic", .budget = budget_, .total = RhoFor(budget_) + RhoFor(budget_)};
  terms.exact_run = "study";
  ASSERT_TRUE(Ledger::Create(Path("l"), terms, NoonClock()).ok());
  const absl::Status refused = OpenDataLedger(Path("l"), "rows", budget_, false, NoonClock()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("belongs to the run 'study'"));
}

}  // namespace
}  // namespace flaim
