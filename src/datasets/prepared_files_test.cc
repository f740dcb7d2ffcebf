#include "datasets/prepared_files.h"

#include <fstream>
#include <sstream>

#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/workload_spec.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Folder(const std::string& name) { return testing::TempDir() + "/prepared_files_test_" + name; }

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

PreparedDataset SmallSynthFs() {
  NoProgress progress;
  return PrepareDataset(FindDataset("synthfs").value(), "", {.seed = 1, .beta = 1, .clients = 3}, progress).value();
}

Workload SomeWorkload(const PreparedDataset& dataset) {
  return MakeWorkload(dataset.schema.domain(), ParseWorkloadSpec("random:20:3:1").value()).value();
}

absl::Status Write(const PreparedDataset& dataset, const std::string& folder, std::uint64_t seed = 1) {
  NoProgress progress;
  return WritePreparedDataset(dataset, SomeWorkload(dataset), folder, seed, progress);
}

void ExpectSameCodes(const Table& found, const Table& expected) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.domain().size(), expected.domain().size());
  for (std::size_t row = 0; row < expected.rows(); ++row) {
    for (AttributeIndex attribute = 0; attribute < expected.domain().size(); ++attribute) {
      ASSERT_EQ(found.at(row, attribute), expected.at(row, attribute)) << row << ' ' << attribute;
    }
  }
}

TEST(PreparedFiles, GiveBackTheCodesTheClientsAndTheWorkload) {
  PreparedDataset dataset = SmallSynthFs();
  const std::string folder = Folder("round_trip/deep");
  ASSERT_TRUE(Write(dataset, folder).ok());
  const Schema schema = LoadSchema(folder + "/schema.toml").value();
  EXPECT_EQ(schema.domain(), dataset.schema.domain());
  const TableWithNumbers train = ReadTableWithNumbers(folder + "/train.csv", schema, kClientColumn).value();
  ExpectSameCodes(train.table, dataset.train);
  EXPECT_EQ(PartitionByNumbers(train.numbers)->client_of_row, dataset.clients->client_of_row);
  ExpectSameCodes(ReadTable(folder + "/test.csv", schema).value(), dataset.test);
  // Without asking for the clients, their column is left out.
  ExpectSameCodes(ReadTable(folder + "/train.csv", schema).value(), dataset.train);
  EXPECT_EQ(MakeWorkload(schema.domain(), WorkloadFileSpec{folder + "/workload.json"}).value(), SomeWorkload(dataset));
}

TEST(PreparedFiles, CallClientsByTheNumbersThatTheDataHas) {
  PreparedDataset dataset = SmallSynthFs();
  dataset.clients->ids = {-4, 7, 1'000};
  const std::string folder = Folder("ids");
  ASSERT_TRUE(Write(dataset, folder).ok());
  const Schema schema = LoadSchema(folder + "/schema.toml").value();
  const TableWithNumbers train = ReadTableWithNumbers(folder + "/train.csv", schema, kClientColumn).value();
  EXPECT_EQ(PartitionByNumbers(train.numbers).value(), *dataset.clients);
}

TEST(PreparedFiles, HaveNoColumnOfClientsWhereThereAreNone) {
  PreparedDataset dataset = SmallSynthFs();
  dataset.clients.reset();
  const std::string folder = Folder("no_clients");
  ASSERT_TRUE(Write(dataset, folder).ok());
  EXPECT_TRUE(ContentOf(folder + "/train.csv").starts_with("0,1,2,3,4,5,6,7,8,9\n"));
  EXPECT_THAT(ContentOf(folder + "/schema.toml"), Not(HasSubstr(kClientColumn)));
}

TEST(PreparedFiles, RepeatThemselvesForASeed) {
  const PreparedDataset dataset = SmallSynthFs();
  ASSERT_TRUE(Write(dataset, Folder("seed_a"), 1).ok());
  ASSERT_TRUE(Write(dataset, Folder("seed_b"), 1).ok());
  ASSERT_TRUE(Write(dataset, Folder("seed_c"), 2).ok());
  EXPECT_EQ(ContentOf(Folder("seed_a") + "/train.csv"), ContentOf(Folder("seed_b") + "/train.csv"));
  EXPECT_NE(ContentOf(Folder("seed_a") + "/train.csv"), ContentOf(Folder("seed_c") + "/train.csv"));
}

TEST(PreparedFiles, SayInTheSchemaWhatTheDatasetIsAndWhatIsRemarkable) {
  PreparedDataset dataset = SmallSynthFs();
  dataset.entry = FindDataset("credit").value();
  const std::string folder = Folder("remark");
  ASSERT_TRUE(Write(dataset, folder).ok());
  EXPECT_THAT(ContentOf(folder + "/schema.toml"), HasSubstr("a genuine subset"));
  EXPECT_THAT(ContentOf(folder + "/schema.toml"), HasSubstr("Kaggle"));
}

TEST(PreparedFiles, RefuseAFolderThatCannotBeMade) {
  std::ofstream(Folder("file")) << "not a folder";
  EXPECT_FALSE(Write(SmallSynthFs(), Folder("file") + "/below").ok());
}

}  // namespace
}  // namespace flaim
