#include "datasets/prepared_dataset.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "data/rows/real_data_testing.h"
#include "datasets/known_file.h"
#include "datasets/prepared_dataset_testing.h"
#include "datasets/row_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/digest.h"
#include "io/hex.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

// A data folder with one small file: `rows` rows whose first column tells them apart.
class SmallDataset {
 public:
  explicit SmallDataset(const std::string& folder, int rows, int used)
      : folder_(testing::TempDir() + "/prepared_dataset_test_" + folder) {
    std::filesystem::create_directories(folder_);
    std::string csv = "id,weight,pet\n";
    for (int row = 0; row < rows; ++row) csv += fmt::format("{}.5,{},{}\n", row, row % 7, row % 3 == 0 ? "cat" : "dog");
    Write("pets.csv", csv);
    const std::string schema = fmt::format(R"([{{"name": "id", "type": "numeric", "min": 0, "max": {0}, "bins": {0}}},
                        {{"name": "weight", "type": "numeric", "min": 0, "max": 7}},
                        {{"name": "pet", "type": "categorical", "values": ["cat", "dog"]}}])",
                                           rows);
    Write("pets.json", schema);
    entry_ = {.name = "pets",
              .title = "Pets",
              .file = "pets.csv",
              .sha256 = ToHex(Sha256(AsBytes(csv))),
              .rows = rows,
              .columns = 2,
              .label = "pet",
              .origin = "the shop around the corner",
              .used_rows = used,
              .schema_file = {"pets.json", ToHex(Sha256(AsBytes(schema)))},
              .dropped_columns = {"weight"}};
  }

  DatasetEntry& entry() { return entry_; }
  const std::string& folder() const { return folder_; }
  absl::StatusOr<PreparedDataset> Prepare(std::uint64_t seed) const {
    NoProgress progress;
    return PrepareDataset(entry_, folder_, {.seed = seed}, progress);
  }
  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << content;
  }

 private:
  std::string folder_;
  DatasetEntry entry_;
};

std::multiset<std::uint32_t> IdsOf(const PreparedDataset& dataset) {
  std::multiset<std::uint32_t> ids;
  for (const Table* table : {&dataset.train, &dataset.test}) {
    for (std::size_t row = 0; row < table->rows(); ++row) ids.insert(table->at(row, 0));
  }
  return ids;
}

TEST(PreparedDataset, DealsEveryRowOnceToTrainingOrTest) {
  const PreparedDataset dataset = SmallDataset("once", 200, 200).Prepare(1).value();
  EXPECT_EQ(dataset.train.rows(), 180);
  EXPECT_EQ(dataset.test.rows(), 20);
  const std::multiset<std::uint32_t> ids = IdsOf(dataset);
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 200);
  for (std::size_t row = 0; row < dataset.train.rows(); ++row) {
    EXPECT_EQ(dataset.train.at(row, 1), dataset.train.at(row, 0) % 3 == 0 ? 0 : 1);
  }
}

TEST(PreparedDataset, SubsamplesWithoutReplacementAndNotAPrefix) {
  const PreparedDataset dataset = SmallDataset("subsample", 200, 100).Prepare(1).value();
  EXPECT_EQ(dataset.train.rows(), 90);
  EXPECT_EQ(dataset.test.rows(), 10);
  const std::multiset<std::uint32_t> ids = IdsOf(dataset);
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 100);
  EXPECT_GT(*ids.rbegin(), 150);
}

TEST(PreparedDataset, RepeatsItselfForASeedAndNotForAnother) {
  const SmallDataset pets("seeds", 200, 100);
  const PreparedDataset first = pets.Prepare(1).value();
  const PreparedDataset again = pets.Prepare(1).value();
  const PreparedDataset other = pets.Prepare(2).value();
  EXPECT_EQ(SortedRows(first.train), SortedRows(again.train));
  EXPECT_EQ(first.fingerprint, again.fingerprint);
  EXPECT_NE(SortedRows(first.train), SortedRows(other.train));
  EXPECT_NE(first.fingerprint, other.fingerprint);
}

TEST(PreparedDataset, LeavesColumnsOutAndFindsTheLabel) {
  const PreparedDataset dataset = SmallDataset("columns", 50, 50).Prepare(1).value();
  EXPECT_EQ(dataset.schema.domain().size(), 2);
  EXPECT_FALSE(dataset.schema.domain().Find("weight"));
  EXPECT_TRUE(dataset.schema.spec().drop.empty());
  EXPECT_EQ(dataset.label, 1);
  EXPECT_FALSE(dataset.clients);
  EXPECT_FALSE(dataset.workload);
}

TEST(PreparedDataset, HasAnotherFingerprintWithAnotherSchema) {
  SmallDataset pets("schema", 50, 50);
  const std::string fingerprint = pets.Prepare(1)->fingerprint;
  EXPECT_THAT(fingerprint, testing::MatchesRegex("[0-9a-f]{64}"));
  const std::string other = R"([{"name": "id", "type": "numeric", "min": 0, "max": 99},
                                {"name": "weight", "type": "numeric", "min": 0, "max": 7},
                                {"name": "pet", "type": "categorical", "values": ["cat", "dog"]}])";
  pets.Write("pets.json", other);
  pets.entry().schema_file.sha256 = ToHex(Sha256(AsBytes(other)));
  EXPECT_NE(pets.Prepare(1)->fingerprint, fingerprint);
}

TEST(PreparedDataset, SaysWhereTheOriginalOfAnAbsentFileComesFrom) {
  for (const char* absent : {"pets.csv", "pets.json"}) {
    const SmallDataset pets("absent", 50, 50);
    std::filesystem::remove(pets.folder() + "/" + absent);
    const absl::Status status = pets.Prepare(1).status();
    EXPECT_TRUE(absl::IsNotFound(status));
    for (const char* word : {absent, "the shop around the corner", "data-dir", "FLAIM_DATA", "Pets"}) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(word));
    }
  }
}

TEST(PreparedDataset, RefusesAFileThatIsNotTheOneTheCatalogueKnows) {
  const SmallDataset pets("altered", 50, 50);
  pets.Write("pets.csv", "id,weight,pet\n1,1,cat\n");
  const absl::Status status = pets.Prepare(1).status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("SHA-256"));
}

TEST(PreparedDataset, RefusesASchemaThatIsNotTheOneTheCatalogueKnows) {
  const SmallDataset pets("altered_schema", 50, 50);
  pets.Write("pets.json", R"([{"name": "id", "type": "numeric", "min": 0, "max": 50, "bins": 49},
                              {"name": "weight", "type": "numeric", "min": 0, "max": 7},
                              {"name": "pet", "type": "categorical", "values": ["cat", "dog"]}])");
  const absl::Status status = pets.Prepare(1).status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  for (const char* word : {"pets.json", "SHA-256"}) EXPECT_THAT(std::string(status.message()), HasSubstr(word));
}

TEST(PreparedDataset, RefusesAnEntryThatDoesNotFitItsFile) {
  SmallDataset pets("misfit", 50, 51);
  EXPECT_TRUE(absl::IsInvalidArgument(pets.Prepare(1).status()));
  pets.entry().used_rows = 50;
  pets.entry().label = "toy";
  EXPECT_THAT(std::string(pets.Prepare(1).status().message()), HasSubstr("'toy'"));
  pets.entry().label = "pet";
  pets.entry().dropped_columns = {"height"};
  EXPECT_THAT(std::string(pets.Prepare(1).status().message()), HasSubstr("'height'"));
}

PreparedDataset PrepareSynthFs(const PrepareOptions& options) {
  NoProgress progress;
  return PrepareDataset(FindDataset("synthfs").value(), "no folder is needed", options, progress).value();
}

TEST(PreparedDataset, GeneratesSynthFsWithItsClients) {
  const PreparedDataset dataset = PrepareSynthFs({.seed = 1, .beta = 2, .clients = 20});
  EXPECT_EQ(dataset.train.rows(), 9'000);
  EXPECT_EQ(dataset.test.rows(), 1'000);
  ASSERT_TRUE(dataset.clients);
  EXPECT_EQ(dataset.clients->clients, 20);
  EXPECT_EQ(dataset.clients->client_of_row.size(), 9'000);
  EXPECT_TRUE(std::is_sorted(dataset.clients->client_of_row.begin(), dataset.clients->client_of_row.end()));
  EXPECT_FALSE(dataset.label);
}

TEST(PreparedDataset, DrawsSynthFsAnewForEverySeedSkewAndNumberOfClients) {
  const PrepareOptions options{.seed = 1, .beta = 2, .clients = 3};
  const PreparedDataset first = PrepareSynthFs(options);
  EXPECT_EQ(SortedRows(first.train), SortedRows(PrepareSynthFs(options).train));
  for (const PrepareOptions& changed :
       {PrepareOptions{.seed = 2, .beta = 2, .clients = 3}, PrepareOptions{.seed = 1, .beta = 1, .clients = 3},
        PrepareOptions{.seed = 1, .beta = 2, .clients = 4}}) {
    const PreparedDataset other = PrepareSynthFs(changed);
    EXPECT_NE(SortedRows(first.train), SortedRows(other.train));
    EXPECT_NE(first.fingerprint, other.fingerprint);
  }
}

absl::StatusOr<PreparedDataset> PrepareReal(const std::string& name) {
  NoProgress progress;
  return PrepareDataset(FindDataset(name).value(), FLAIM_DATA_DIR, {.seed = 1}, progress);
}

using Counts = std::map<std::string, std::int64_t>;

TEST(PreparedDataset, HoldsAdultWithTheClassesOfTheDataReadme) {
  SKIP_IF_ABSENT("aim_adult.csv.xz");
  const PreparedDataset adult = PrepareReal("adult").value();
  EXPECT_EQ(adult.train.rows(), 43'958);
  EXPECT_EQ(adult.test.rows(), 4'884);
  EXPECT_EQ(adult.train.domain().size(), 14);
  EXPECT_EQ(adult.train.domain()[2].size, 100);
  EXPECT_EQ(ClassCounts(adult), (Counts{{"0", 37'155}, {"1", 11'687}}));
}

TEST(PreparedDataset, HoldsMagicWithTheClassesOfTheDataReadme) {
  SKIP_IF_ABSENT("magic.csv.xz");
  const PreparedDataset magic = PrepareReal("magic").value();
  EXPECT_EQ(magic.train.rows(), 17'118);  // as the paper has it
  EXPECT_EQ(magic.train.domain().size(), 11);
  EXPECT_EQ(magic.train.domain()[0].size, 32);
  EXPECT_EQ(ClassCounts(magic), (Counts{{"g", 12'332}, {"h", 6'688}}));
}

TEST(PreparedDataset, HoldsTheReferenceSplitOfAdult) {
  SKIP_IF_ABSENT("reference/adult/train.csv.xz");
  const PreparedDataset adult = PrepareReal("reference-adult").value();
  EXPECT_EQ(adult.train.rows(), 43'958);
  EXPECT_EQ(adult.test.rows(), 4'884);
  EXPECT_EQ(adult.clients->clients, 100);
  EXPECT_EQ(adult.workload->size(), 64);
  EXPECT_EQ(ClassCounts(adult), (Counts{{"0", 37'155}, {"1", 11'687}}));
}

}  // namespace
}  // namespace flaim
