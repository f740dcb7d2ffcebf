#include "experiments/prepared_rows.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "data/rows/real_data_testing.h"
#include "partition/partition_cache.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// SynthFS has 450 training rows for each.
constexpr std::size_t kClients = 2;

RunSettings Settings(const std::string& dataset, std::optional<Dealing> partition) {
  RunSettings settings;
  settings.dataset = dataset;
  settings.partition = partition;
  settings.clients = kClients;
  settings.beta = 0.5;
  settings.workload = "all:2:1700";
  return settings;
}

RunSettings WithMethod(RunSettings settings, const std::string& preset, std::int64_t seed = 1) {
  settings.request.method.preset = preset;
  settings.seed = seed;
  return settings;
}

RunSettings SynthFs(std::optional<Dealing> partition) { return Complete(Settings("synthfs", partition)).value(); }

void ExpectComplete(const PreparedRows& prepared) {
  EXPECT_EQ(prepared.partition.clients, kClients);
  EXPECT_EQ(prepared.partition.client_of_row.size(), prepared.data->train.rows());
  const std::set<std::uint32_t> holders(prepared.partition.client_of_row.begin(),
                                        prepared.partition.client_of_row.end());
  EXPECT_EQ(holders, (std::set<std::uint32_t>{0, 1}));
}

using Holders = std::vector<std::uint32_t>;

std::set<std::pair<std::uint32_t, std::uint32_t>> PairsOf(const Holders& one, const Holders& other) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t row = 0; row < one.size(); ++row) pairs.insert({one[row], other.at(row)});
  return pairs;
}

std::string Contents(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class PreparationTest : public testing::Test {
 protected:
  PreparationTest() { fs::remove_all(cache_); }
  ~PreparationTest() override { fs::remove_all(cache_); }

  // As a new process would see it.
  absl::StatusOr<std::shared_ptr<const PreparedRows>> GetAnew(const RunSettings& settings) {
    return Preparation(FLAIM_DATA_DIR, cache_.string(), 2, progress_).Get(settings);
  }

  std::vector<fs::path> CachedFiles() const {
    std::vector<fs::path> files;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(cache_, absent)) files.push_back(entry.path());
    return files;
  }

  const fs::path cache_ = fs::path(testing::TempDir()) / ("study_cache_" + std::to_string(getpid()));
  NoProgress progress_;
};

TEST_F(PreparationTest, AreSharedByRunsThatDifferInMethodBudgetOrSeedOnly) {
  Preparation preparation("", "", 1, progress_);
  const RunSettings base = Settings("synthfs", Dealing::kIid);
  const RunSettings first = Complete(WithMethod(base, "dist-aim")).value();
  RunSettings cheaper = first;
  cheaper.epsilon = 0.125;
  const auto prepared = preparation.Get(first).value();
  EXPECT_EQ(preparation.Get(Complete(WithMethod(base, "dist-aim", 2)).value()).value(), prepared);
  EXPECT_EQ(preparation.Get(Complete(WithMethod(base, "augflaim-private")).value()).value(), prepared);
  EXPECT_EQ(preparation.Get(cheaper).value(), prepared);
}

TEST_F(PreparationTest, CountsTheTruthOfAWorkloadOnceWhoeverHoldsTheRows) {
  Preparation preparation("", "", 1, progress_);
  const auto truth_of = [&](Dealing dealing, const std::string& workload) {
    RunSettings settings = Settings("synthfs", dealing);
    settings.workload = workload;
    return preparation.Get(Complete(WithMethod(settings, "dist-aim")).value()).value()->yardstick.truth();
  };
  const WorkloadTruth* truth = truth_of(Dealing::kIid, "all:2:1700");
  EXPECT_EQ(truth_of(Dealing::kOwn, "all:2:1700"), truth);
  EXPECT_NE(truth_of(Dealing::kIid, "all:1"), truth);
}

TEST_F(PreparationTest, CountsNoTruthForARunWithoutAMethod) {
  Preparation preparation("", "", 1, progress_);
  const RunSettings base = Settings("synthfs", Dealing::kIid);
  const auto measured = preparation.Get(Complete(WithMethod(base, "dist-aim")).value()).value();
  const auto described = preparation.Get(Complete(base).value()).value();
  EXPECT_GT(measured->yardstick.truth()->kept_cells(), 0);
  EXPECT_EQ(described->yardstick.truth(), nullptr);
  EXPECT_EQ(described->yardstick.heterogeneity(), measured->yardstick.heterogeneity());
  EXPECT_EQ(described->data, measured->data);
}

TEST_F(PreparationTest, AreApartForOtherRowsAndShareTheRowsForAnotherPartition) {
  Preparation preparation("", "", 1, progress_);
  const auto prepared = preparation.Get(SynthFs(Dealing::kIid)).value();
  RunSettings other_rows = SynthFs(Dealing::kIid);
  other_rows.data_seed = 1;
  EXPECT_NE(preparation.Get(other_rows).value()->data->fingerprint, prepared->data->fingerprint);
  const auto own = preparation.Get(SynthFs(Dealing::kOwn)).value();
  EXPECT_NE(own, prepared);
  EXPECT_EQ(own->data, prepared->data);
}

TEST_F(PreparationTest, DealEveryRowToAClientInEachWay) {
  Preparation preparation("", "", 2, progress_);
  std::map<Dealing, Holders> holders;
  for (const Dealing dealing : {Dealing::kIid, Dealing::kClusters, Dealing::kOwn}) {
    const auto prepared = preparation.Get(SynthFs(dealing)).value();
    ExpectComplete(*prepared);
    holders[dealing] = prepared->partition.client_of_row;
  }
  // With this beta the clients of SynthFS are far apart: clusters find them again, whatever they call them.
  EXPECT_EQ(PairsOf(holders[Dealing::kOwn], holders[Dealing::kClusters]).size(), kClients);
  EXPECT_EQ(PairsOf(holders[Dealing::kOwn], holders[Dealing::kIid]).size(), kClients * kClients);
}

TEST_F(PreparationTest, MeasureHeterogeneityWhereRowsAreDealtOnly) {
  Preparation preparation("", "", 2, progress_);
  const auto central = preparation.Get(Complete(WithMethod(Settings("synthfs", std::nullopt), "aim")).value()).value();
  EXPECT_EQ(central->partition.clients, 1);
  EXPECT_FALSE(central->yardstick.heterogeneity().has_value());
  EXPECT_FALSE(central->yardstick.true_auc().has_value());
  const double iid = preparation.Get(SynthFs(Dealing::kIid)).value()->yardstick.heterogeneity().value();
  const double clusters = preparation.Get(SynthFs(Dealing::kClusters)).value()->yardstick.heterogeneity().value();
  EXPECT_GT(iid, 0);
  EXPECT_LT(clusters, 1);
  EXPECT_LT(iid, clusters);
}

TEST_F(PreparationTest, FindClustersInTheCacheTheSecondTime) {
  const RunSettings settings = SynthFs(Dealing::kClusters);
  const auto made = GetAnew(settings).value();
  ASSERT_EQ(CachedFiles().size(), 1);
  EXPECT_EQ(GetAnew(settings).value()->partition, made->partition);

  // Something that clusters never give: so it can only come from the folder.
  Partition turned = made->partition;
  std::reverse(turned.client_of_row.begin(), turned.client_of_row.end());
  ASSERT_NE(turned, made->partition);
  const std::string key = PartitionKey(made->data->fingerprint, ClustersSpec{kClients}, 0);
  ASSERT_TRUE(PartitionCache(cache_.string()).Store(key, turned).ok());
  EXPECT_EQ(GetAnew(settings).value()->partition, turned);
}

TEST_F(PreparationTest, KeepOtherWaysOfDealingOutOfTheCache) {
  ASSERT_TRUE(GetAnew(SynthFs(Dealing::kIid)).ok());
  ASSERT_TRUE(GetAnew(SynthFs(Dealing::kOwn)).ok());
  EXPECT_TRUE(CachedFiles().empty());
}

TEST_F(PreparationTest, MakeADamagedCacheFileAgainAndLeaveOthersAlone) {
  const RunSettings settings = SynthFs(Dealing::kClusters);
  const Partition made = GetAnew(settings).value()->partition;
  ASSERT_EQ(CachedFiles().size(), 1);
  const fs::path file = CachedFiles()[0];
  const std::string whole = Contents(file);
  std::ofstream(cache_ / "other.partition") << "of somebody else";
  std::string changed = whole;
  changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
  for (const std::string& damaged : {changed, whole.substr(0, whole.size() / 2)}) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_EQ(GetAnew(settings).value()->partition, made);
    EXPECT_EQ(Contents(file), whole);
  }
  EXPECT_EQ(Contents(cache_ / "other.partition"), "of somebody else");
}

TEST_F(PreparationTest, SkewLabelsAndTrainAClassifierOnMagic) {
  SKIP_IF_ABSENT("magic.csv.xz");
  RunSettings settings = WithMethod(Settings("magic", Dealing::kLabelSkew), "augflaim-private");
  settings.classifier = true;
  const auto prepared = GetAnew(Complete(settings).value()).value();
  ExpectComplete(*prepared);
  EXPECT_GT(prepared->yardstick.heterogeneity().value(), 0);
  EXPECT_LT(prepared->yardstick.heterogeneity().value(), 1);
  EXPECT_GT(prepared->yardstick.true_auc().value(), 0.8);
  EXPECT_LT(prepared->yardstick.true_auc().value(), 1);
}

TEST_F(PreparationTest, SayThatDataAreAbsent) {
  Preparation preparation((cache_ / "nowhere").string(), "", 1, progress_);
  const RunSettings settings = Complete(Settings("magic", Dealing::kIid)).value();
  for (int time = 0; time < 2; ++time) {
    const absl::Status status = preparation.Get(settings).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(status.message()), HasSubstr("nowhere"));
  }
}

}  // namespace
}  // namespace flaim
