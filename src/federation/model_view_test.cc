#include "federation/model_view.h"

#include <algorithm>
#include <cmath>

#include "base/seeded_random_source.h"
#include "federation/client_answer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

Domain SmallDomain() { return Domain::Create({{"a", 3}, {"b", 2}, {"c", 4}}).value(); }

// A chain a - b - c.
Model RandomModel(std::uint64_t seed) {
  SeededRandomSource random(seed, "model");
  std::vector<double> potentials(6 + 8);
  for (double& potential : potentials) potential = 4 * random.NextUnit() - 2;
  Parallel alone(1);
  return Model::Create(SmallDomain(), {Clique({0, 1}), Clique({1, 2})}, potentials, 100, 1000, alone).value();
}

// Over all records, one by one.
std::vector<double> MarginalByBruteForce(const Model& model, const Clique& clique) {
  const Domain& domain = model.domain();
  std::vector<double> marginal(static_cast<std::size_t>(CellCount(domain, clique).value()));
  for (std::uint32_t a = 0; a < 3; ++a) {
    for (std::uint32_t b = 0; b < 2; ++b) {
      for (std::uint32_t c = 0; c < 4; ++c) {
        const std::vector<std::uint32_t> record = {a, b, c};
        std::size_t cell = 0;
        for (const AttributeIndex attribute : clique) {
          const auto position = static_cast<std::size_t>(attribute);
          cell = cell * static_cast<std::size_t>(domain[attribute].size) + record[position];
        }
        marginal[cell] += std::exp(model.LogDensity(record));
      }
    }
  }
  return marginal;
}

void ExpectSharesOf(const Model& model, const std::vector<Clique>& cliques, const std::vector<PublicShares>& shares) {
  ASSERT_EQ(shares.size(), cliques.size());
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    const std::vector<double> expected = MarginalByBruteForce(model, cliques[i]);
    ASSERT_EQ(shares[i].units().size(), expected.size());
    for (std::size_t cell = 0; cell < expected.size(); ++cell) {
      EXPECT_NEAR(shares[i].units()[cell], expected[cell] * PublicShares::kUnit, 2);
    }
  }
}

const std::vector<Clique> kCandidates = {Clique({0, 1}), Clique({2}), Clique({0, 2}), Clique({0, 1, 2})};
const std::vector<Clique> kAttributes = {Clique({0}), Clique({1}), Clique({2})};

TEST(ModelView, SaysOfMarginalsWhatTheModelDoes) {
  Parallel parallel(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = RandomModel(seed);
    const ModelView view(model);
    ExpectSharesOf(model, kCandidates, view.SharesOf(kCandidates, parallel).value());
    ExpectSharesOf(model, kAttributes, view.OneWayShares(parallel).value());
  }
}

TEST(ModelView, SaysTheSameOfAMarginalWhateverElseIsAsked) {
  const Model model = RandomModel(1);
  const ModelView view(model);
  Parallel parallel(1);
  const std::vector<PublicShares> together = view.SharesOf(kCandidates, parallel).value();
  for (std::size_t i = 0; i < kCandidates.size(); ++i) {
    const std::vector<PublicShares> alone = view.SharesOf(std::span(&kCandidates[i], 1), parallel).value();
    EXPECT_TRUE(std::ranges::equal(alone[0].units(), together[i].units()));
  }
}

TEST(ModelView, TakesItsTreesCellsToSend) {
  const Model model = RandomModel(1);
  EXPECT_EQ(ModelView(model).cells(), 6 + 8);
}

TEST(SharesForARequest, AreOfItsCandidatesAndOfAttributesForTheProxyOnly) {
  const Model model = RandomModel(2);
  Parallel parallel(1);
  ScoresRequest scores;
  scores.candidates = kCandidates;
  scores.model = ModelView(model);
  ExpectSharesOf(model, kCandidates, SharesFor(scores, parallel)->of_candidates);
  EXPECT_TRUE(SharesFor(scores, parallel)->of_attributes.empty());

  LocalSelection local;
  for (const Clique& clique : kCandidates) local.candidates.push_back({clique, 1});
  local.model = ModelView(model);
  ExpectSharesOf(model, kCandidates, SharesFor(local, parallel)->of_candidates);
  EXPECT_TRUE(SharesFor(local, parallel)->of_attributes.empty());
  local.heterogeneity = Heterogeneity::kProxy;
  ExpectSharesOf(model, kAttributes, SharesFor(local, parallel)->of_attributes);
}

TEST(SharesForARequest, AreWorkedOutNoFurtherOnceTheTeamIsToStop) {
  const Model model = RandomModel(2);
  Parallel stopped(1, [] { return true; });
  ScoresRequest scores;
  scores.candidates = kCandidates;
  scores.model = ModelView(model);
  EXPECT_TRUE(absl::IsCancelled(SharesFor(scores, stopped).status()));
  LocalSelection local;
  local.heterogeneity = Heterogeneity::kProxy;
  local.model = ModelView(model);
  EXPECT_TRUE(absl::IsCancelled(SharesFor(local, stopped).status())) << "nor of attributes";
}

TEST(ModelViewDeathTest, HasNothingToSayWithoutAModel) {
  EXPECT_FALSE(ModelView().HasModel());
  Parallel parallel(1);
  EXPECT_DEATH((void)ModelView().OneWayShares(parallel), "CHECK");
  EXPECT_DEATH((void)ModelView().cells(), "CHECK");
}

}  // namespace
}  // namespace flaim
