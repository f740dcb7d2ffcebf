#include "datasets/catalogue.h"

#include <cmath>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(Catalogue, KnowsTheSevenDatasetsSynthFsAndTheReferenceInputs) {
  for (const char* name : {"adult", "magic", "census", "covtype", "credit", "intrusion", "marketing", "synthfs",
                           "reference-adult", "reference-synthfs"}) {
    const auto entry = FindDataset(name);
    ASSERT_TRUE(entry.ok()) << name;
    EXPECT_EQ(entry->name, name);
  }
  EXPECT_EQ(AllDatasets().size(), 10);
}

TEST(Catalogue, NamesTheNearestDatasetAndAllOfThem) {
  const absl::Status status = FindDataset("covtipe").status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("Did you mean 'covtype'?"));
  for (const DatasetEntry& entry : AllDatasets()) EXPECT_THAT(std::string(status.message()), HasSubstr(entry.name));
}

TEST(Catalogue, SaysOfEachDatasetWhatAReaderNeeds) {
  std::set<std::string> titles;
  for (const DatasetEntry& entry : AllDatasets()) {
    EXPECT_TRUE(titles.insert(entry.title).second) << entry.title;
    EXPECT_FALSE(entry.origin.empty()) << entry.name;
    EXPECT_GT(entry.rows, 0);
    EXPECT_GT(entry.columns, 0);
    EXPECT_NEAR(static_cast<double>(entry.used_rows), static_cast<double>(entry.rows) * entry.share, 1) << entry.name;
    if (entry.IsGenerated()) continue;
    EXPECT_THAT(entry.sha256, MatchesRegex("[0-9a-f]{64}")) << entry.name;
    EXPECT_FALSE(entry.schema_file.path.empty()) << entry.name;
    EXPECT_THAT(entry.schema_file.sha256, MatchesRegex("[0-9a-f]{64}")) << entry.name;
  }
}

TEST(Catalogue, UsesTheRowsOfThePapersTable) {
  EXPECT_EQ(FindDataset("covtype")->used_rows, 116'203);
  EXPECT_EQ(FindDataset("census")->used_rows, 89'786);
  EXPECT_EQ(FindDataset("intrusion")->used_rows, 197'608);
}

TEST(Catalogue, CallsCreditASubsetInItsTitleAndInItsRemark) {
  EXPECT_THAT(FindDataset("credit")->title, HasSubstr("subset"));
  EXPECT_THAT(FindDataset("credit")->remark, HasSubstr("genuine subset"));
}

}  // namespace
}  // namespace flaim
