#include "app/fit.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "data/schema/schema_toml.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger_testing.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::NoonClock;

constexpr const char* kSchema = R"([[column]]
name = "sex"
type = "categorical"
values = ["F", "M"]
)";

class PaidFitTest : public testing::Test {
 protected:
  PaidFitTest() : rows_(std::make_shared<TableRows>(testing_tables::TableOf(settings_.schema.domain(), {{0}, {1}}))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
  }
  ~PaidFitTest() override {
    unsetenv("XDG_STATE_HOME");
    fs::remove_all(folder_);
  }

  static FitSettings Settings() {
    FitRequest request;
    request.epsilon = 1;
    return MakeOneTableSettings(request, ParseSchemaToml(kSchema, "t.toml").value()).value();
  }

  // Of a file of a few lines.
  absl::StatusOr<PaidFit> OpenFor(const std::string& data, const std::string& ledger,
                                  const FitIdentity& identity = {}) {
    std::ofstream(folder_ / data) << "sex\nF\nM\n";
    return PaidFit::Open(settings_, identity, {folder_ / ledger, {folder_ / data}, rows_}, NoonClock(), alone_);
  }

  bool IsRemembered() const { return fs::exists(folder_ / "state"); }

  const fs::path folder_ = fs::canonical(testing::TempDir()) / fmt::format("flaim-paid-fit-{}", ::getpid());
  const FitSettings settings_ = Settings();
  std::shared_ptr<PrivateRows> rows_;
  Parallel alone_{1};
};

TEST_F(PaidFitTest, NamesOtherLedgersBeforeItPays) {
  EXPECT_THAT(OpenFor("a.csv", "a.ledger")->other_ledgers().value(), IsEmpty());
  const absl::StatusOr<PaidFit> second = OpenFor("copy.csv", "copy.ledger");
  EXPECT_THAT(second->other_ledgers().value(), ElementsAre(folder_ / "a.ledger"));
  EXPECT_EQ(second->ledger().spent(), Rho()) << "to open it costs nothing";
}

TEST_F(PaidFitTest, ComesBackAndIsNotPaidAgain) {
  NoProgress nobody;
  double spent = 0;
  for (const bool was_known : {false, true}) {
    absl::StatusOr<PaidFit> fit = OpenFor("a.csv", "a.ledger");
    EXPECT_EQ(fit->was_known(), was_known);
    ASSERT_TRUE(fit->Run(alone_, nobody).ok());
    if (was_known) {
      EXPECT_EQ(fit->ledger().spent().ToDouble(), spent);
    }
    spent = fit->ledger().spent().ToDouble();
    EXPECT_GT(spent, 0);
  }
}

TEST_F(PaidFitTest, ThatIsRefusedOrPromisesNothingIsNotRemembered) {
  ASSERT_TRUE(OpenFor("a.csv", "seeded", {.run = "", .seed = 1}).ok());
  EXPECT_FALSE(IsRemembered());
  const LedgerTerms poor{"rows", *PrivacyBudget::Create(0.1, 1e-6), RhoFor(*PrivacyBudget::Create(0.1, 1e-6))};
  ASSERT_TRUE(Ledger::Create(folder_ / "poor", poor, NoonClock()).ok());
  EXPECT_FALSE(OpenFor("a.csv", "poor").ok());
  EXPECT_FALSE(IsRemembered());
}

TEST_F(PaidFitTest, ThatIsToStopEndsBeforeItIsPaid) {
  Parallel stopping(1, [] { return true; });
  std::ofstream(folder_ / "a.csv") << "sex\nF\n";
  const absl::Status status =
      PaidFit::Open(settings_, {}, {folder_ / "l", {folder_ / "a.csv"}, rows_}, NoonClock(), stopping).status();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

}  // namespace
}  // namespace flaim
