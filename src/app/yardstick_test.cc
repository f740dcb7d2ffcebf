#include "app/yardstick.h"

#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "base/seeded_random_source.h"
#include "evaluation/heterogeneity.h"
#include "evaluation/workload_error_testing.h"
#include "gtest/gtest.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"
#include "model/sampling/row_swaps.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;
using testing_tables::RandomRows;
using testing_tables::TableOf;

// A table of two clients, rows kept apart, and a model that knows the first attribute only.
class YardstickTest : public testing::Test {
 protected:
  YardstickTest() {
    for (std::size_t row = 0; row < rows_.rows(); ++row) partition_.client_of_row.push_back(row < 40 ? 0 : 1);
    partition_.clients = 2;
  }

  Yardstick Make(const YardstickRequest& request) {
    return Yardstick::Create(request, rows_, partition_, workload_, parallel_).value();
  }

  SeededRandomSource random_{5, "yardstick"};
  Parallel parallel_{2};
  const Domain domain_ = DomainOfSizes({2, 3, 4});
  const Table rows_ = TableOf(domain_, RandomRows(domain_, 100, random_));
  const Table held_out_ = TableOf(domain_, RandomRows(domain_, 30, random_));
  const Workload workload_ = Workload::Create(domain_, {{Clique({0, 1}), 1}, {Clique({1, 2}), 1}}).value();
  const Model model_ =
      Model::Create(domain_, {Clique({0}), Clique({1}), Clique({2})}, {0, 1, 0, 0, 0, 0, 0, 0, 0}, 100, 1000, parallel_)
          .value();
  Partition partition_;
};

TEST_F(YardstickTest, SaysNothingThatItWasNotAskedFor) {
  const Yardstick nothing = Make({});
  EXPECT_FALSE(nothing.heterogeneity() || nothing.true_auc());
  EXPECT_EQ(nothing.ErrorOf(model_, parallel_).value(), std::nullopt);
  const ModelQuality quality = nothing.Measure(model_, 1, parallel_).value();
  EXPECT_FALSE(quality.model_error || quality.rows_error || quality.held_out || quality.auc);
}

TEST_F(YardstickTest, MeasuresTheModelAndRowsDrawnFromItAgainstTheTrueRows) {
  const Yardstick yardstick = Make({.errors = true, .held_out = &held_out_});
  const ModelQuality quality = yardstick.Measure(model_, 7, parallel_).value();
  SeededRandomSource random(7, "synthetic rows");
  const Table synthetic = RowSampler(model_, SamplingMethod::kRounded).Next(rows_.rows(), random);
  EXPECT_EQ(quality.rows_error, ErrorAgainst(rows_, synthetic, workload_, parallel_).value());
  EXPECT_EQ(quality.model_error, ErrorAgainst(rows_, model_, workload_, parallel_).value());
  EXPECT_EQ(yardstick.ErrorOf(model_, parallel_).value(), quality.model_error);
  EXPECT_EQ(quality.held_out->smoothed_nats, EvaluateLikelihood(model_, held_out_)->smoothed_nats);
}

TEST_F(YardstickTest, MeasuresRowsThatWereSwappedForTheWorkloadIfAsked) {
  const ModelQuality drawn = Make({.errors = true}).Measure(model_, 7, parallel_).value();
  const ModelQuality swapped = Make({.errors = true, .swap_rows = true}).Measure(model_, 7, parallel_).value();
  SeededRandomSource random(7, "synthetic rows");
  const SwappedRowsRequest request{.rows = rows_.rows(), .cliques = {Clique({0, 1}), Clique({1, 2})}, .options = {}};
  const Table synthetic = DrawSwappedRows(model_, request, random, parallel_).value();
  EXPECT_EQ(swapped.rows_error, ErrorAgainst(rows_, synthetic, workload_, parallel_).value());
  EXPECT_NE(swapped.rows_error, drawn.rows_error);
  EXPECT_EQ(swapped.model_error, drawn.model_error);
}

TEST_F(YardstickTest, ComparesTheClientsWithEverybody) {
  EXPECT_EQ(
      Make({.heterogeneity = true}).heterogeneity(),
      MeasureHeterogeneity(rows_, partition_.client_of_row, partition_.clients, workload_, parallel_).value().mean);
}

TEST_F(YardstickTest, TrainsAClassifierOnTrueRowsOnceAndOnSyntheticOnesForEachModel) {
  std::vector<bool> trained_on_true_rows;
  const Yardstick yardstick = Make({.auc = [&](const Table& train) -> absl::StatusOr<double> {
    trained_on_true_rows.push_back(NaiveCountClique(train, Clique({0, 1, 2})) ==
                                   NaiveCountClique(rows_, Clique({0, 1, 2})));
    return 0.5 + 0.1 * static_cast<double>(trained_on_true_rows.size());
  }});
  EXPECT_EQ(yardstick.true_auc(), 0.6);
  EXPECT_EQ(yardstick.Measure(model_, 1, parallel_)->auc, 0.7);
  EXPECT_EQ(yardstick.Measure(model_, 2, parallel_)->auc, 0.8);
  EXPECT_EQ(trained_on_true_rows, (std::vector<bool>{true, false, false}));
}

TEST_F(YardstickTest, PassesOnThatAClassifierFailed) {
  YardstickRequest request{.auc = [](const Table&) -> absl::StatusOr<double> { return absl::InternalError("no"); }};
  EXPECT_TRUE(absl::IsInternal(Yardstick::Create(request, rows_, partition_, workload_, parallel_).status()));
}

TEST_F(YardstickTest, GivesManyThreadsTheSameAtOnceWhetherCountsAreKeptOrNot) {
  for (const std::int64_t kept : {WorkloadTruth::kDefaultKeptCells, std::int64_t{0}}) {
    const Yardstick yardstick = Make({.errors = true, .max_kept_cells = kept});
    EXPECT_EQ(yardstick.truth()->kept_cells() > 0, kept > 0);
    const ModelQuality alone = yardstick.Measure(model_, 3, parallel_).value();
    std::vector<ModelQuality> found(4);
    std::vector<std::thread> threads;
    for (ModelQuality& own : found) {
      threads.emplace_back([&] {
        Parallel one(1);
        own = yardstick.Measure(model_, 3, one).value();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const ModelQuality& own : found) {
      EXPECT_EQ(own.rows_error, alone.rows_error);
      EXPECT_EQ(own.model_error, alone.model_error);
    }
  }
}

}  // namespace
}  // namespace flaim
