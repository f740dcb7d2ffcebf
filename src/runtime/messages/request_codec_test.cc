#include "runtime/messages/request_codec.h"

#include <set>

#include "base/seeded_random_source.h"
#include "federation/model_shares.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/messages/request_codec_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::ElementsAre;

constexpr RequestLimits kLimits{.max_model_cells = 100'000, .max_entries = 100'000};

class RequestCodecTest : public testing::Test {
 protected:
  absl::StatusOr<ReceivedRequest> Take(const EncodedRequest& encoded) {
    return Decode(encoded, domain_, kLimits, parallel_);
  }
  template <typename Body>
  SumRequest Asked(Body body) {
    return {.attempt = static_cast<int>(1 + random_.NextBelow(5)),
            .is_initialisation = random_.NextBelow(2) == 0,
            .body = std::move(body)};
  }
  template <typename Body>
  Body Returned(const SumRequest& request) {
    const EncodedRequest encoded = Encode(request);
    absl::StatusOr<ReceivedRequest> received = Take(encoded);
    EXPECT_TRUE(received.ok()) << received.status();
    EXPECT_EQ(received->request.attempt, request.attempt);
    EXPECT_EQ(received->request.is_initialisation, request.is_initialisation);
    EXPECT_EQ(received->request.name(), request.name());
    EXPECT_EQ(Encode(WithModel(received->request, received->model)).request, encoded.request);
    EXPECT_EQ(Encode(WithModel(received->request, received->model)).model, encoded.model);
    return std::get<Body>(std::move(received->request.body));
  }
  static SumRequest WithModel(SumRequest request, const std::optional<Model>& model) {
    if (auto* scores = std::get_if<ScoresRequest>(&request.body)) scores->model = &*model;
    if (auto* local = std::get_if<LocalSelection>(&request.body)) local->model = &*model;
    return request;
  }

  Domain domain_ = DomainForTest();
  SeededRandomSource random_{1, "requests"};
  Parallel parallel_{1};
};

void ExpectSameShares(const std::vector<PublicShares>& one, const std::vector<PublicShares>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(
        std::equal(one[i].units().begin(), one[i].units().end(), other[i].units().begin(), other[i].units().end()));
  }
}

TEST_F(RequestCodecTest, GivesBackCounts) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const CountsRequest request = RandomCounts(domain_, random_);
    const auto returned = Returned<CountsRequest>(Asked(request));
    EXPECT_EQ(returned.cliques, request.cliques);
    EXPECT_EQ(returned.sigma_squared, request.sigma_squared);
    EXPECT_EQ(returned.contributors, request.contributors);
    EXPECT_EQ(returned.choices_per_client, request.choices_per_client);
  }
}

TEST_F(RequestCodecTest, GivesBackScoresWithTheSharesOfTheModel) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Model model = RandomModel(domain_, random_, parallel_);
    ScoresRequest request = RandomScores(domain_, random_);
    request.model = &model;
    const auto returned = Returned<ScoresRequest>(Asked(request));
    EXPECT_EQ(returned.candidates, request.candidates);
    EXPECT_EQ(returned.sigma_squared, request.sigma_squared);
    ExpectSameShares(returned.shares, SharesOf(model, request.candidates));
  }
}

TEST_F(RequestCodecTest, GivesBackLocalSelectionsWithTheSharesOfTheModel) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Model model = RandomModel(domain_, random_, parallel_);
    LocalSelection request = RandomLocal(domain_, random_);
    request.model = &model;
    const auto returned = Returned<LocalSelection>(Asked(request));
    EXPECT_EQ(returned.candidates, request.candidates);
    EXPECT_EQ(returned.penalty_records, request.penalty_records);
    EXPECT_EQ(returned.heterogeneity, request.heterogeneity);
    EXPECT_EQ(returned.steps, request.steps);
    EXPECT_EQ(returned.epsilon, request.epsilon);
    EXPECT_FALSE(returned.refit);
    ExpectSameShares(returned.shares, SharesOf(model, request.candidates));
    if (request.heterogeneity == Heterogeneity::kProxy) {
      ExpectSameShares(returned.one_way_shares, OneWaySharesOf(model));
    }
  }
}

TEST_F(RequestCodecTest, GivesBackRandomSelections) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const RandomSelection request = RandomRandom(domain_, random_);
    const auto returned = Returned<RandomSelection>(Asked(request));
    EXPECT_EQ(returned.candidates, request.candidates);
    EXPECT_EQ(returned.steps, request.steps);
  }
}

TEST_F(RequestCodecTest, SaysHowManyNumbersAnAnswerHas) {
  const CountsRequest counts{{"run", 1, "q"}, {Clique({0, 2}), Clique({1})}, Rational(1, 1)};
  EXPECT_THAT(EntriesOf(counts, domain_), ElementsAre(12U, 2U));
  const RandomSelection random{.name = {"run", 1, "q"},
                               .candidates = {{Clique({0}), 1}, {Clique({1}), 1}, {Clique({2}), 1}}};
  EXPECT_THAT(EntriesOf(random, domain_), ElementsAre(3U));
}

TEST_F(RequestCodecTest, HasOneDigestForEachRequestAndModel) {
  std::set<Digest> requests;
  for (int repeat = 0; repeat < 50; ++repeat) {
    CountsRequest request = RandomCounts(domain_, random_);
    request.name.round = repeat;
    requests.insert(Encode(Asked(request)).RequestDigest());
  }
  EXPECT_EQ(requests.size(), 50U);
}

}  // namespace
}  // namespace flaim::runtime
