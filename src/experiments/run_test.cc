#include "experiments/run.h"

#include <gtest/gtest.h>

#include <set>

namespace flaim {
namespace {

using testing::HasSubstr;

// A run of two rounds at most, without a method if `preset` is empty.
RunSettings SmallRun(const std::string& preset, std::int64_t seed = 1) {
  RunSettings settings;
  settings.dataset = "synthfs";
  settings.partition = Dealing::kIid;
  settings.clients = 5;
  settings.workload = "all:2:1700";
  settings.seed = seed;
  settings.request.method.preset = preset;
  settings.request.method.Set("rounds", 2);
  settings.request.participation = 0.6;
  return Complete(settings).value();
}

std::set<std::string> NamesOf(const nlohmann::ordered_json& results) {
  std::set<std::string> names;
  for (const auto& [name, value] : results.items()) {
    EXPECT_TRUE(value.is_number()) << name;
    names.insert(name);
  }
  return names;
}

class RunTest : public testing::Test {
 protected:
  RunResult Do(const RunSettings& settings, int threads = 1) {
    Parallel parallel(threads);
    return flaim::Run(settings, *preparation_.Get(settings).value(), parallel).value();
  }
  FinishedRun Measure(const RunSettings& settings) {
    Parallel parallel(1);
    return RunAndMeasure(settings, preparation_, parallel);
  }

  NoProgress progress_;
  Preparation preparation_{"", "", 1, progress_};
};

TEST_F(RunTest, RepeatsItselfToTheLastBitWithAnyNumberOfThreads) {
  for (const char* preset : {"aim", "dist-aim", "augflaim-private"}) {
    const RunResult one = Do(SmallRun(preset), 1);
    const RunResult three = Do(SmallRun(preset), 3);
    EXPECT_EQ(one.settings.dump(), three.settings.dump());
    EXPECT_EQ(one.results.dump(), three.results.dump()) << preset;
  }
}

TEST_F(RunTest, ComesOutDifferentlyWithAnotherSeed) {
  for (const char* preset : {"aim", "augflaim-private"}) {
    const RunResult one = Do(SmallRun(preset, 1));
    const RunResult other = Do(SmallRun(preset, 2));
    EXPECT_NE(one.settings, other.settings);
    EXPECT_NE(one.results["error"], other.results["error"]) << preset;
  }
}

TEST_F(RunTest, SaysHowUnlikeTheClientsAreWithoutAMethodAndNothingElse) {
  const RunResult result = Do(SmallRun(""));
  EXPECT_EQ(NamesOf(result.results), std::set<std::string>{"heterogeneity"});
  EXPECT_GT(result.results["heterogeneity"], 0);
  EXPECT_LT(result.results["heterogeneity"], 1);
  EXPECT_TRUE(result.failure.empty());
}

TEST_F(RunTest, HasWhatMeansSomethingForItsMethod) {
  std::set<std::string> expected = {"error",  "closure_error", "model_error",  "model_closure_error", "nll",
                                    "rounds", "model_cells",   "epsilon_most", "impossible_records"};
  EXPECT_EQ(NamesOf(Do(SmallRun("aim")).results), expected);
  expected.insert({"heterogeneity", "sent_bytes", "received_bytes", "bytes", "exchanges", "took_part"});
  const RunResult federated = Do(SmallRun("augflaim-private"));
  EXPECT_EQ(NamesOf(federated.results), expected);
  EXPECT_EQ(federated.results["bytes"].get<double>(),
            federated.results["sent_bytes"].get<double>() + federated.results["received_bytes"].get<double>());
  EXPECT_EQ(federated.results["rounds"], 2);
  EXPECT_GE(federated.results["took_part"], 1);
  EXPECT_LE(federated.results["took_part"], 5);
  EXPECT_LE(federated.results["epsilon_most"].get<double>(), 1 + 1e-9);
}

TEST_F(RunTest, TellsWhatItTook) {
  const FinishedRun run = Measure(SmallRun("augflaim-private"));
  EXPECT_EQ(run.result.failure, "");
  EXPECT_EQ(run.result.results.dump(), Do(SmallRun("augflaim-private")).results.dump());
  EXPECT_GT(run.cost.seconds, 0);
  EXPECT_GT(run.cost.processor_seconds, 0);
  EXPECT_GT(run.cost.peak_megabytes, 1);
}

TEST_F(RunTest, SaysWhyItCouldNotBeDone) {
  RunSettings settings = SmallRun("augflaim-private");
  settings.request.participation = 1e-9;
  const FinishedRun nobody = Measure(Complete(settings).value());
  EXPECT_THAT(nobody.result.failure, HasSubstr("no client"));
  EXPECT_TRUE(nobody.result.results.empty());
  EXPECT_EQ(nobody.result.settings, ToJson(settings));

  settings = SmallRun("aim");
  settings.dataset = "magic";
  settings.clients.reset();
  settings.beta.reset();
  const FinishedRun absent = Measure(Complete(settings).value());
  EXPECT_THAT(absent.result.failure, HasSubstr("magic"));
}

}  // namespace
}  // namespace flaim
