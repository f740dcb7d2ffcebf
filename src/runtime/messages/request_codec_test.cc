#include "runtime/messages/request_codec.h"

#include <set>

#include "base/seeded_random_source.h"
#include "federation/client_answer.h"
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
  // After it was moved, as sites do: the model that it is a view of must have come along.
  ReceivedRequest Returned(const SumRequest& request) {
    const EncodedRequest encoded = Encode(request);
    absl::StatusOr<ReceivedRequest> taken = Take(encoded);
    EXPECT_TRUE(taken.ok()) << taken.status();
    ReceivedRequest received = *std::move(taken);
    EXPECT_EQ(received.request.attempt, request.attempt);
    EXPECT_EQ(received.request.is_initialisation, request.is_initialisation);
    EXPECT_EQ(received.request.name(), request.name());
    EXPECT_EQ(Encode(received.request).request, encoded.request);
    EXPECT_EQ(Encode(received.request).model, encoded.model);
    return received;
  }

  Domain domain_ = DomainForTest();
  SeededRandomSource random_{1, "requests"};
  Parallel parallel_{1};
};

void ExpectSame(const std::vector<PublicShares>& one, const std::vector<PublicShares>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(
        std::equal(one[i].units().begin(), one[i].units().end(), other[i].units().begin(), other[i].units().end()));
  }
}

void ExpectSame(const ModelShares& one, const ModelShares& other) {
  ExpectSame(one.of_candidates, other.of_candidates);
  ExpectSame(one.of_attributes, other.of_attributes);
}

TEST_F(RequestCodecTest, GivesBackCounts) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const CountsRequest request = RandomCounts(domain_, random_);
    const ReceivedRequest received = Returned(Asked(request));
    EXPECT_EQ(received.model, nullptr);
    const auto& returned = std::get<CountsRequest>(received.request.body);
    EXPECT_EQ(returned.cliques, request.cliques);
    EXPECT_EQ(returned.sigma_squared, request.sigma_squared);
    EXPECT_EQ(returned.contributors, request.contributors);
    EXPECT_EQ(returned.choices_per_client, request.choices_per_client);
    EXPECT_EQ(returned.round_marginals, request.round_marginals);
  }
}

TEST_F(RequestCodecTest, GivesBackScoresWithTheSharesOfTheModel) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Model model = RandomModel(domain_, random_, parallel_);
    ScoresRequest request = RandomScores(domain_, random_);
    request.model = ModelView(model);
    const ReceivedRequest received = Returned(Asked(request));
    const auto& returned = std::get<ScoresRequest>(received.request.body);
    EXPECT_EQ(returned.candidates, request.candidates);
    EXPECT_EQ(returned.sigma_squared, request.sigma_squared);
    ExpectSame(SharesFor(returned, parallel_).value(), SharesFor(request, parallel_).value());
  }
}

TEST_F(RequestCodecTest, GivesBackLocalSelectionsWithTheSharesOfTheModel) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Model model = RandomModel(domain_, random_, parallel_);
    LocalSelection request = RandomLocal(domain_, random_);
    request.model = ModelView(model);
    const ReceivedRequest received = Returned(Asked(request));
    const auto& returned = std::get<LocalSelection>(received.request.body);
    EXPECT_EQ(returned.candidates, request.candidates);
    EXPECT_EQ(returned.penalty_records, request.penalty_records);
    EXPECT_EQ(returned.heterogeneity, request.heterogeneity);
    EXPECT_EQ(returned.steps, request.steps);
    EXPECT_EQ(returned.epsilon, request.epsilon);
    EXPECT_FALSE(returned.refit);
    ExpectSame(SharesFor(returned, parallel_).value(), SharesFor(request, parallel_).value());
  }
}

TEST_F(RequestCodecTest, GivesBackRandomSelections) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const RandomSelection request = RandomRandom(domain_, random_);
    const ReceivedRequest received = Returned(Asked(request));
    const auto& returned = std::get<RandomSelection>(received.request.body);
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
