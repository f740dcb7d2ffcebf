#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/rows/real_data_testing.h"
#include "datasets/prepared_dataset.h"
#include "datasets/prepared_dataset_testing.h"
#include "gtest/gtest.h"

// The large files, against the tables of the data README and of the paper.
namespace flaim {
namespace {

using Counts = std::map<std::string, std::int64_t>;

PreparedDataset PrepareReal(const std::string& name, std::uint64_t seed = 1) {
  NoProgress progress;
  return PrepareDataset(FindDataset(name).value(), FLAIM_DATA_DIR, {.seed = seed}, progress).value();
}

// A subsample without replacement has each class in a hypergeometric number, whose standard deviation is below that of
// the binomial; 6.2 of those are left with probability 6e-10, or the count is small and within 10 of its mean.
void ExpectSubsample(const Counts& found, const Counts& all, const DatasetEntry& entry) {
  for (const auto& [value, count] : all) {
    const double mean = entry.share * static_cast<double>(count);
    const double deviation = std::sqrt(mean * (1 - entry.share));
    EXPECT_NEAR(static_cast<double>(found.at(value)), mean, std::max(6.2 * deviation, 10.0)) << value;
  }
  EXPECT_EQ(found.size(), all.size());
}

void ExpectPrepared(const std::string& name, std::size_t used, const Counts& classes) {
  const PreparedDataset dataset = PrepareReal(name);
  EXPECT_EQ(dataset.train.rows() + dataset.test.rows(), used);
  EXPECT_EQ(dataset.test.rows(), (used + 5) / 10);
  EXPECT_EQ(dataset.train.domain().size(), dataset.entry.columns);
  if (dataset.entry.share == 1) {
    EXPECT_EQ(ClassCounts(dataset), classes);
  } else {
    ExpectSubsample(ClassCounts(dataset), classes, dataset.entry);
  }
}

TEST(PreparedDatasetSlow, Marketing) {
  SKIP_IF_ABSENT("marketing.csv.xz");
  ExpectPrepared("marketing", 41'188, {{"no", 36'548}, {"yes", 4'640}});
}

TEST(PreparedDatasetSlow, Credit) {
  SKIP_IF_ABSENT("credit.csv.xz");
  ExpectPrepared("credit", 27'745, {{"0", 27'253}, {"1", 492}});
}

TEST(PreparedDatasetSlow, Covtype) {
  SKIP_IF_ABSENT("covtype.csv.xz");
  ExpectPrepared(
      "covtype", 116'203,
      {{"1", 211'840}, {"2", 283'301}, {"3", 35'754}, {"4", 2'747}, {"5", 9'493}, {"6", 17'367}, {"7", 20'510}});
}

TEST(PreparedDatasetSlow, Census) {
  SKIP_IF_ABSENT("census.csv.xz");
  ExpectPrepared("census", 89'786, {{"- 50000", 280'717}, {"50000+", 18'568}});
}

// The sizes of the five categories are those of the literature on this file.
TEST(PreparedDatasetSlow, Intrusion) {
  SKIP_IF_ABSENT("intrusion.csv.xz");
  ExpectPrepared("intrusion", 197'608,
                 {{"normal", 97'278}, {"dos", 391'458}, {"probe", 4'107}, {"r2l", 1'126}, {"u2r", 52}});
}

double Mean(const Table& table, AttributeIndex attribute) {
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) sum += table.at(row, attribute);
  return sum / static_cast<double>(table.rows());
}

// How often each code occurs in clients whose mean of a feature is the smallest one, 1: there the codes of the
// reference draw must be distributed as ours, whatever means the other clients drew. The codes from 5 on, which are
// rare, count as one.
std::vector<double> CountsAtSmallestMean(const PreparedDataset& dataset) {
  std::vector<double> counts(6);
  const std::vector<Table> clients = dataset.train.SplitBy(dataset.clients->client_of_row, dataset.clients->clients);
  for (const Table& client : clients) {
    for (AttributeIndex feature = 0; feature < client.domain().size(); ++feature) {
      if (Mean(client, feature) > 1.9) continue;
      for (std::size_t row = 0; row < client.rows(); ++row) ++counts[std::min(client.at(row, feature), 5U)];
    }
  }
  return counts;
}

double Total(const std::vector<double>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

// Pearson's statistic of two samples over six cells: 5 degrees of freedom, alpha = 1e-9. There are some 280,000 values
// on either side, so bins that start 0.03 lower or are 3% wider would be found out.
TEST(PreparedDatasetSlow, SynthFsIsBinnedAsTheReferenceDraw) {
  SKIP_IF_ABSENT("reference/synthfs_a2/train.csv.xz");
  constexpr double kCriticalAt5DegreesOfFreedom = 50.70;
  const std::vector<double> reference = CountsAtSmallestMean(PrepareReal("reference-synthfs"));
  const std::vector<double> generated = CountsAtSmallestMean(PrepareReal("synthfs"));
  const double ratio = std::sqrt(Total(generated) / Total(reference));
  EXPECT_GT(Total(reference), 200'000);
  double statistic = 0;
  for (std::size_t code = 0; code < reference.size(); ++code) {
    statistic += std::pow(ratio * reference[code] - generated[code] / ratio, 2) / (reference[code] + generated[code]);
  }
  EXPECT_LT(statistic, kCriticalAt5DegreesOfFreedom);
}

}  // namespace
}  // namespace flaim
