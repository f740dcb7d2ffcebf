#include "marginal/workload.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

Domain FiveColumns() {
  return Domain::Create({{"age", 10}, {"sex", 2}, {"race", 5}, {"income", 2}, {"country", 40}}).value();
}

std::string ErrorOf(const absl::StatusOr<Workload>& workload) {
  return workload.ok() ? "no error" : workload.status().ToString();
}

std::vector<Clique> CliquesOf(const Workload& workload) {
  std::vector<Clique> cliques;
  for (const WeightedQuery& query : workload) cliques.push_back(query.clique);
  return cliques;
}

TEST(Workload, KeepsOrderAndWeights) {
  const std::vector<WeightedQuery> queries = {{Clique({1, 2}), 3}, {Clique({0}), 1}};
  const Workload workload = Workload::Create(FiveColumns(), queries).value();
  ASSERT_EQ(workload.size(), 2U);
  EXPECT_EQ(workload[0], queries[0]);
  EXPECT_EQ(workload[1], queries[1]);
}

TEST(Workload, RefusesWhatIsNotAWorkload) {
  const Domain domain = FiveColumns();
  EXPECT_THAT(ErrorOf(Workload::Create(domain, {})), HasSubstr("no queries"));
  EXPECT_THAT(ErrorOf(Workload::Create(domain, {{Clique(), 1}})), HasSubstr("query 1 of the workload is empty"));
  EXPECT_THAT(ErrorOf(Workload::Create(domain, {{Clique({5}), 1}})), HasSubstr("only 5 columns"));
  EXPECT_THAT(ErrorOf(Workload::Create(domain, {{Clique({0, 1}), 0}})), HasSubstr("(age,sex) has weight 0"));
  EXPECT_THAT(ErrorOf(Workload::Create(domain, {{Clique({0}), Workload::kMaxWeight + 1}})), HasSubstr("has weight"));
  EXPECT_THAT(ErrorOf(Workload::Create(domain, {{Clique({0, 1}), 1}, {Clique({1, 0}), 2}})),
              HasSubstr("query 2 of the workload repeats (age,sex)"));
}

TEST(WorkloadFromNames, FindsTheColumns) {
  const Workload workload = Workload::FromNames(FiveColumns(), {{"income", "age"}, {"sex"}}).value();
  EXPECT_EQ(CliquesOf(workload), (std::vector<Clique>{Clique({0, 3}), Clique({1})}));
  EXPECT_EQ(workload[0].weight, 1);
}

TEST(WorkloadFromNames, SaysWhichQueryIsWrongAndWhy) {
  const Domain domain = FiveColumns();
  EXPECT_THAT(ErrorOf(Workload::FromNames(domain, {{"age"}, {"sex", "hight"}})),
              HasSubstr("query 2 of the workload names the column \"hight\", which the schema does not have"));
  EXPECT_THAT(ErrorOf(Workload::FromNames(domain, {{"sex", "age", "sex"}})),
              HasSubstr("names the column \"sex\" twice"));
  EXPECT_THAT(ErrorOf(Workload::FromNames(domain, {{"sex"}, {}})), HasSubstr("query 2 of the workload is empty"));
  EXPECT_THAT(ErrorOf(Workload::FromNames(domain, {{"sex", "age"}, {"age", "sex"}})), HasSubstr("repeats (age,sex)"));
  EXPECT_THAT(ErrorOf(Workload::FromNames(domain, {})), HasSubstr("no queries"));
}

TEST(WorkloadFromJson, ReadsArraysOfNames) {
  const Workload workload = Workload::FromJson(FiveColumns(), R"([["age", "sex"], ["country"]])", "w.json").value();
  EXPECT_EQ(CliquesOf(workload), (std::vector<Clique>{Clique({0, 1}), Clique({4})}));
}

TEST(WorkloadFromJson, NamesTheFileWhenItIsNotAWorkload) {
  for (const std::string text : {"", "[", "{}", "[1]", "[[1]]", R"(["age"])", R"([["age"]] x)", "null", "[[null]]"}) {
    EXPECT_THAT(ErrorOf(Workload::FromJson(FiveColumns(), text, "w.json")), HasSubstr("w.json is not a workload"))
        << text;
  }
  EXPECT_THAT(ErrorOf(Workload::FromJson(FiveColumns(), R"([["nobody"]])", "w.json")), HasSubstr("\"nobody\""));
}

TEST(AllKWay, ListsEverySubsetOnce) {
  const Domain domain = FiveColumns();
  const std::vector<std::size_t> binomials = {5, 10, 10, 5, 1};
  for (int k = 1; k <= 5; ++k) {
    const std::vector<Clique> cliques = CliquesOf(AllKWay(domain, k).value());
    EXPECT_EQ(cliques.size(), binomials[static_cast<std::size_t>(k - 1)]);
    EXPECT_TRUE(std::is_sorted(cliques.begin(), cliques.end()));
    EXPECT_EQ(std::set<Clique>(cliques.begin(), cliques.end()).size(), cliques.size());
    for (const Clique& clique : cliques) EXPECT_EQ(clique.size(), k);
  }
}

TEST(AllKWay, LeavesOutWhatExceedsTheCellLimit) {
  const Domain domain = FiveColumns();
  const Workload limited = AllKWay(domain, 2, 20).value();
  std::vector<Clique> expected;
  const Workload all = AllKWay(domain, 2).value();
  for (const WeightedQuery& query : all) {
    if (CellCount(domain, query.clique).value() <= 20) expected.push_back(query.clique);
  }
  EXPECT_EQ(CliquesOf(limited), expected);
  EXPECT_EQ(limited.size(), 5U);
}

TEST(AllKWay, RefusesWhatDoesNotExist) {
  EXPECT_THAT(ErrorOf(AllKWay(FiveColumns(), 0)), HasSubstr("choose a number from 1 to 5"));
  EXPECT_THAT(ErrorOf(AllKWay(FiveColumns(), 6)), HasSubstr("choose a number from 1 to 5"));
  EXPECT_THAT(ErrorOf(AllKWay(FiveColumns(), 3, 1)), HasSubstr("only 0 exist"));
  const Domain many = testing_tables::DomainOfSizes(std::vector<std::int64_t>(200, 2));
  EXPECT_THAT(ErrorOf(AllKWay(many, 100)), HasSubstr("more than 4194304"));
}

TEST(RandomKWay, DrawsDistinctSubsetsAndRepeatsItselfForASeed) {
  const Domain domain = FiveColumns();
  SeededRandomSource first(7);
  SeededRandomSource again(7);
  const Workload workload = RandomKWay(domain, 6, 3, first).value();
  EXPECT_EQ(workload.size(), 6U);
  EXPECT_EQ(workload, RandomKWay(domain, 6, 3, again).value());
}

TEST(RandomKWay, OfAllIsAll) {
  SeededRandomSource random(1);
  EXPECT_EQ(RandomKWay(FiveColumns(), 10, 3, random).value(), AllKWay(FiveColumns(), 3).value());
}

TEST(RandomKWay, SaysHowManyExist) {
  SeededRandomSource random(1);
  EXPECT_THAT(ErrorOf(RandomKWay(FiveColumns(), 11, 3, random)), HasSubstr("asks for 11 3-way marginals, but only 10"));
  EXPECT_THAT(ErrorOf(RandomKWay(FiveColumns(), 6, 2, random, 20)), HasSubstr("but only 5 exist"));
}

// 20,000 draws of 2 of the 10 pairs: each of the 45 outcomes is equally likely. Pearson's statistic has 44 degrees of
// freedom; it exceeds 132 with probability below 1e-9.
TEST(RandomKWay, MakesEverySetOfQueriesEquallyLikely) {
  SeededRandomSource random(20240601);
  constexpr int kDraws = 20000;
  std::map<std::vector<Clique>, int> outcomes;
  for (int draw = 0; draw < kDraws; ++draw) ++outcomes[CliquesOf(RandomKWay(FiveColumns(), 2, 2, random).value())];
  ASSERT_EQ(outcomes.size(), 45U);
  constexpr double kExpected = kDraws / 45.0;
  double statistic = 0;
  for (const auto& [outcome, count] : outcomes) statistic += (count - kExpected) * (count - kExpected) / kExpected;
  EXPECT_LT(statistic, 132);
}

}  // namespace
}  // namespace flaim
