#include "marginal/workload_spec.h"

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

Domain FiveColumns() {
  return Domain::Create({{"age", 10}, {"sex", 2}, {"race", 5}, {"income", 2}, {"country", 40}}).value();
}

TEST(ParseWorkloadSpec, UnderstandsAll) {
  EXPECT_EQ(ParseWorkloadSpec("all:3").value(), WorkloadSpec(AllKWaySpec{3, std::nullopt}));
  EXPECT_EQ(ParseWorkloadSpec("all:2:10000").value(), WorkloadSpec(AllKWaySpec{2, 10000}));
}

TEST(ParseWorkloadSpec, UnderstandsRandom) {
  EXPECT_EQ(ParseWorkloadSpec("random:64:3:0").value(), WorkloadSpec(RandomKWaySpec{64, 3, 0, std::nullopt}));
  EXPECT_EQ(ParseWorkloadSpec("random:64:3:18446744073709551615:500").value(),
            WorkloadSpec(RandomKWaySpec{64, 3, 18446744073709551615U, 500}));
}

TEST(ParseWorkloadSpec, TakesAnythingElseForAPath) {
  for (const std::string path : {"work.json", "./all:3", "allthree", "C:random:3"}) {
    EXPECT_EQ(ParseWorkloadSpec(path).value(), WorkloadSpec(WorkloadFileSpec{path}));
  }
}

TEST(ParseWorkloadSpec, SaysHowToWriteIt) {
  for (const std::string text : {"all", "all:3:4:5"}) {
    EXPECT_THAT(ParseWorkloadSpec(text).status().ToString(), HasSubstr("all:K or all:K:CELLS")) << text;
  }
  for (const std::string text : {"random", "random:64", "random:64:3", "random:1:2:3:4:5"}) {
    EXPECT_THAT(ParseWorkloadSpec(text).status().ToString(), HasSubstr("random:COUNT:K:SEED")) << text;
  }
  for (const std::string text : {"all:", "all:x", "all:0", "all:-1", "all:3 ", "all:3:0", "all:99999999999", "all:0x3",
                                 "random:0:3:1", "random:a:3:1", "random:1:3:-1", "random:1:+3:1"}) {
    EXPECT_THAT(ParseWorkloadSpec(text).status().ToString(), HasSubstr("write a whole number from")) << text;
  }
  EXPECT_THAT(ParseWorkloadSpec("").status().ToString(), HasSubstr("the workload is empty"));
}

TEST(MakeWorkload, MakesWhatTheSpecSays) {
  const Domain domain = FiveColumns();
  EXPECT_EQ(MakeWorkload(domain, AllKWaySpec{2, 20}).value(), AllKWay(domain, 2, 20).value());
  const Workload random = MakeWorkload(domain, RandomKWaySpec{4, 3, 11, std::nullopt}).value();
  EXPECT_EQ(random.size(), 4U);
  EXPECT_EQ(random, MakeWorkload(domain, RandomKWaySpec{4, 3, 11, std::nullopt}).value());
}

TEST(MakeWorkload, DependsOnTheSeed) {
  const Domain domain = FiveColumns();
  int different = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    different += MakeWorkload(domain, RandomKWaySpec{5, 3, seed, std::nullopt}).value() !=
                 MakeWorkload(domain, RandomKWaySpec{5, 3, seed + 1, std::nullopt}).value();
  }
  EXPECT_GT(different, 10);
}

TEST(MakeWorkload, ReadsAFile) {
  const std::string path = testing::TempDir() + "/make_workload_reads_a_file.json";
  std::ofstream(path) << R"([["sex", "age"]])";
  const Workload workload = MakeWorkload(FiveColumns(), WorkloadFileSpec{path}).value();
  ASSERT_EQ(workload.size(), 1U);
  EXPECT_EQ(workload[0].clique, Clique({0, 1}));
}

TEST(MakeWorkload, NamesAFileThatIsNotThere) {
  const std::string path = testing::TempDir() + "/no_such_workload.json";
  EXPECT_THAT(MakeWorkload(FiveColumns(), WorkloadFileSpec{path}).status().ToString(), HasSubstr(path));
}

}  // namespace
}  // namespace flaim
