#include "flaim/fit.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim::api {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LibraryFitTest : public testing::Test {
 protected:
  LibraryFitTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    std::ofstream(folder_ / "t.toml")
        << "[[column]]\nname = \"sex\"\ntype = \"categorical\"\nvalues = [\"F\", \"M\"]\n";
    for (const char* data : {"t.csv", "copy.csv"}) std::ofstream(folder_ / data) << "sex\nF\nM\n";
  }
  ~LibraryFitTest() override {
    unsetenv("XDG_STATE_HOME");
    fs::remove_all(folder_);
  }

  // The other ledgers that the fit tells of, or why there is no fit.
  std::vector<std::string> OthersOf(const std::string& data, const std::string& ledger = "") {
    std::vector<std::string> others;
    FitRequest request;
    request.data = folder_ / data;
    request.schema = folder_ / "t.toml";
    request.epsilon = 1;
    request.ledger = ledger.empty() ? "" : (folder_ / ledger).string();
    request.on_other_ledger = [&](const std::string& other) { others.push_back(other); };
    request.threads = 1;
    const Result<Model> model = Fit(request);
    return model.ok() ? others : std::vector<std::string>{model.error().message};
  }

  const fs::path folder_ = fs::canonical(testing::TempDir()) / ("flaim-library-fit-" + std::to_string(::getpid()));
};

TEST_F(LibraryFitTest, TellsOfOtherLedgersThatTheRowsWereChargedTo) {
  EXPECT_THAT(OthersOf("t.csv"), IsEmpty());
  EXPECT_THAT(OthersOf("t.csv"), IsEmpty());
  EXPECT_THAT(OthersOf("copy.csv"), ElementsAre(folder_ / "t.csv.ledger"));
}

TEST_F(LibraryFitTest, RefusesASecondLedgerAlsoWhereTheFirstIsElsewhere) {
  EXPECT_THAT(OthersOf("t.csv", "a"), IsEmpty());
  EXPECT_THAT(OthersOf("t.csv", "b"), ElementsAre(HasSubstr("have an account already")));
}

}  // namespace
}  // namespace flaim::api
