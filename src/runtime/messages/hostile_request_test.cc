#include <limits>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "federation/client_answer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages.pb.h"
#include "runtime/messages/request_codec.h"
#include "runtime/messages/request_codec_testing.h"

namespace flaim::runtime {
namespace {

constexpr RequestLimits kLimits{.max_model_cells = 100'000, .max_entries = 100'000};

// What a site must not take, each made from a request that it takes.
class HostileRequestTest : public testing::Test {
 protected:
  HostileRequestTest() {
    const SumRequest counts{.body = CountsRequest{{"run", 1, "q"}, {Clique({0, 2}), Clique({1})}, Rational(100, 1)}};
    CHECK(counts_.ParseFromString(Encode(counts).request));
    ScoresRequest scores;
    scores.name = {"run", 1, "q"};
    scores.candidates = {Clique({0, 1}), Clique({2})};
    scores.sigma_squared = Rational(1LL << 38, 1);
    scores.model = ModelView(model_);
    CHECK(scores_.ParseFromString(Encode({.body = scores}).request));
    LocalSelection local;
    local.name = {"run", 1, "q"};
    local.candidates = {{Clique({0, 1}), 1}, {Clique({2}), 2}};
    local.penalty_records = {1, 2};
    local.epsilon = Rational(1, 10);
    local.model = ModelView(model_);
    CHECK(local_.ParseFromString(Encode({.body = local}).request));
    CHECK(message_of_model_.ParseFromString(Encode({.body = local}).model));
    RandomSelection random{.name = local.name, .candidates = local.candidates};
    CHECK(random_request_.ParseFromString(Encode({.body = random}).request));
  }

  absl::StatusOr<ReceivedRequest> Take(const EncodedRequest& encoded) {
    return Decode(encoded, domain_, kLimits, parallel_);
  }
  template <typename Change>
  void ExpectRefused(const messages::Request& right, const char* what, Change change) {
    messages::Request request = right;
    const std::string model = request.has_local() || request.has_scores() ? message_of_model_.SerializeAsString() : "";
    ASSERT_TRUE(Take({.request = request.SerializeAsString(), .model = model}).ok()) << what;
    change(request);
    const absl::Status status = Take({.request = request.SerializeAsString(), .model = model}).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << what << ": " << status;
  }
  template <typename Change>
  void ExpectModelRefused(const char* what, Change change) {
    messages::Model model = message_of_model_;
    change(model);
    const absl::Status status =
        Take({.request = local_.SerializeAsString(), .model = model.SerializeAsString()}).status();
    EXPECT_FALSE(status.ok()) << what;
  }

  Domain domain_ = DomainForTest();
  SeededRandomSource random_{1, "changes"};
  Parallel parallel_{1};
  Model model_ =
      Model::Create(domain_, {Clique({0, 1}), Clique({2})}, std::vector<double>(10, 0.5), 50, 1000, parallel_).value();
  messages::Model message_of_model_;
  messages::Request counts_;
  messages::Request scores_;
  messages::Request local_;
  messages::Request random_request_;
};

using messages::Request;

TEST_F(HostileRequestTest, IsRefusedWhenItCannotBeRead) {
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = "\xff\xff", .model = ""}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = "", .model = ""}).status()));
  ExpectRefused(counts_, "no body", [](Request& request) { request.clear_counts(); });
  ExpectRefused(counts_, "no attempt", [](Request& request) { request.set_attempt(0); });
  ExpectRefused(counts_, "a negative attempt", [](Request& request) { request.set_attempt(-1); });
}

TEST_F(HostileRequestTest, IsRefusedWithoutAProperName) {
  const auto name = [](Request& request) { return request.mutable_counts()->mutable_name(); };
  ExpectRefused(counts_, "no name", [](Request& request) { request.mutable_counts()->clear_name(); });
  ExpectRefused(counts_, "no run", [&](Request& request) { name(request)->clear_run(); });
  ExpectRefused(counts_, "no query", [&](Request& request) { name(request)->clear_query(); });
  ExpectRefused(counts_, "a round below 0", [&](Request& request) { name(request)->set_round(-1); });
  ExpectRefused(counts_, "a long run", [&](Request& request) { name(request)->set_run(std::string(201, 'x')); });
  ExpectRefused(counts_, "a long query", [&](Request& request) { name(request)->set_query(std::string(201, 'x')); });
}

TEST_F(HostileRequestTest, IsRefusedOverColumnsThatAreNotThere) {
  const auto first = [](Request& request) { return request.mutable_counts()->mutable_cliques(0); };
  ExpectRefused(counts_, "no column", [&](Request& request) { first(request)->clear_attributes(); });
  ExpectRefused(counts_, "column 4", [&](Request& request) { first(request)->set_attributes(1, 4); });
  ExpectRefused(counts_, "column 2^32-1", [&](Request& request) { first(request)->set_attributes(1, ~0U); });
  ExpectRefused(counts_, "a column twice", [&](Request& request) { first(request)->set_attributes(1, 0); });
  ExpectRefused(counts_, "out of order", [&](Request& request) {
    first(request)->set_attributes(0, 2);
    first(request)->set_attributes(1, 0);
  });
}

TEST_F(HostileRequestTest, IsRefusedWhenItRepeatsItselfOrAsksForNothing) {
  ExpectRefused(counts_, "a marginal twice",
                [](Request& request) { *request.mutable_counts()->add_cliques() = request.counts().cliques(0); });
  ExpectRefused(counts_, "no marginal", [](Request& request) { request.mutable_counts()->clear_cliques(); });
  ExpectRefused(scores_, "a candidate twice",
                [](Request& request) { *request.mutable_scores()->add_candidates() = request.scores().candidates(0); });
  ExpectRefused(scores_, "no candidate", [](Request& request) { request.mutable_scores()->clear_candidates(); });
  ExpectRefused(local_, "a candidate twice", [](Request& request) {
    *request.mutable_local()->add_candidates() = request.local().candidates(0);
    request.mutable_local()->add_penalty_records(0);
  });
  ExpectRefused(random_request_, "no candidate",
                [](Request& request) { request.mutable_random()->clear_candidates(); });
}

TEST_F(HostileRequestTest, IsRefusedWithFractionsThatAreNone) {
  const auto sigma = [](Request& request) { return request.mutable_counts()->mutable_sigma_squared(); };
  ExpectRefused(counts_, "no noise", [&](Request& request) { sigma(request)->set_numerator(0); });
  ExpectRefused(counts_, "noise below 0", [&](Request& request) { sigma(request)->set_numerator(-1); });
  ExpectRefused(counts_, "over 0", [&](Request& request) { sigma(request)->set_denominator(0); });
  ExpectRefused(counts_, "over -1", [&](Request& request) { sigma(request)->set_denominator(-1); });
  ExpectRefused(counts_, "a large term",
                [&](Request& request) { sigma(request)->set_numerator(Rational::kMaxTerm + 1); });
  ExpectRefused(counts_, "a large divisor",
                [&](Request& request) { sigma(request)->set_denominator(std::numeric_limits<std::int64_t>::max()); });
  ExpectRefused(scores_, "no noise", [](Request& request) { request.mutable_scores()->clear_sigma_squared(); });
  ExpectRefused(local_, "no epsilon", [](Request& request) { request.mutable_local()->clear_epsilon(); });
}

TEST_F(HostileRequestTest, IsRefusedWhereItsNumbersDoNotFitTogether) {
  ExpectRefused(counts_, "no choices", [](Request& request) { request.mutable_counts()->set_choices_per_client(0); });
  ExpectRefused(counts_, "choices below 0",
                [](Request& request) { request.mutable_counts()->set_choices_per_client(-1); });
  ExpectRefused(local_, "no steps", [](Request& request) { request.mutable_local()->set_steps(0); });
  ExpectRefused(local_, "more steps than candidates", [](Request& request) { request.mutable_local()->set_steps(3); });
  ExpectRefused(local_, "a penalty too few",
                [](Request& request) { request.mutable_local()->mutable_penalty_records()->RemoveLast(); });
  ExpectRefused(local_, "a penalty too many",
                [](Request& request) { request.mutable_local()->add_penalty_records(0); });
  for (const double wrong : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    ExpectRefused(local_, "a penalty that is no number",
                  [&](Request& request) { request.mutable_local()->set_penalty_records(0, wrong); });
  }
  for (const std::int64_t weight : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    ExpectRefused(local_, "a weight that no score has",
                  [&](Request& request) { request.mutable_local()->mutable_candidates(0)->set_weight(weight); });
  }
  ExpectRefused(random_request_, "no steps", [](Request& request) { request.mutable_random()->set_steps(0); });
}

TEST_F(HostileRequestTest, IsRefusedBeyondTheLimits) {
  // The tree has 6 + 4 cells, and 2 for the column that no marginal has.
  const RequestLimits small{.max_model_cells = 12, .max_entries = 14};
  EXPECT_TRUE(Decode({.request = counts_.SerializeAsString(), .model = ""}, domain_, small, parallel_).ok());
  const RequestLimits smaller{.max_model_cells = 12, .max_entries = 13};
  EXPECT_TRUE(absl::IsInvalidArgument(
      Decode({.request = counts_.SerializeAsString(), .model = ""}, domain_, smaller, parallel_).status()));
  const EncodedRequest with_model{.request = local_.SerializeAsString(),
                                  .model = message_of_model_.SerializeAsString()};
  EXPECT_TRUE(Decode(with_model, domain_, small, parallel_).ok());
  const RequestLimits small_models{.max_model_cells = 11, .max_entries = 14};
  EXPECT_FALSE(Decode(with_model, domain_, small_models, parallel_).ok());
}

TEST_F(HostileRequestTest, IsRefusedWithAModelTooManyOrTooFew) {
  const std::string model = message_of_model_.SerializeAsString();
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = local_.SerializeAsString(), .model = ""}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = scores_.SerializeAsString(), .model = ""}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = counts_.SerializeAsString(), .model = model}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = random_request_.SerializeAsString(), .model = model}).status()));
}

TEST_F(HostileRequestTest, IsRefusedWithAModelThatIsNone) {
  using messages::Model;
  ExpectModelRefused("potentials too few", [](Model& model) { model.mutable_potentials()->pop_back(); });
  ExpectModelRefused("potentials too many", [](Model& model) { model.mutable_potentials()->append(8, '\0'); });
  ExpectModelRefused("no cliques", [](Model& model) { model.clear_cliques(); });
  ExpectModelRefused("a clique twice", [](Model& model) { *model.add_cliques() = model.cliques(0); });
  ExpectModelRefused("a column that is not there",
                     [](Model& model) { model.mutable_cliques(0)->set_attributes(1, 9); });
  for (const double total :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    ExpectModelRefused("a total that is none", [&](Model& model) { model.set_total(total); });
  }
  for (const double potential : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    ExpectModelRefused("a potential that is none", [&](Model& model) {
      model.mutable_potentials()->replace(0, sizeof potential, reinterpret_cast<const char*>(&potential),
                                          sizeof potential);
    });
  }
  EXPECT_TRUE(absl::IsInvalidArgument(Take({.request = local_.SerializeAsString(), .model = "\xff\xff"}).status()));
}

TEST_F(HostileRequestTest, NeverDoesHarmWhateverIsChangedInIt) {
  const std::string model = message_of_model_.SerializeAsString();
  for (const messages::Request& right : {counts_, scores_, local_, random_request_}) {
    const std::string bytes = right.SerializeAsString();
    const bool has_model = right.has_scores() || right.has_local();
    for (int repeat = 0; repeat < 500; ++repeat) {
      std::string changed = bytes;
      std::string changed_model = has_model ? model : "";
      for (std::uint64_t changes = 1 + random_.NextBelow(3); changes > 0; --changes) {
        changed[random_.NextBelow(changed.size())] = static_cast<char>(random_.NextBelow(256));
        if (has_model) changed_model[random_.NextBelow(model.size())] = static_cast<char>(random_.NextBelow(256));
      }
      const absl::StatusOr<ReceivedRequest> received = Take({.request = changed, .model = changed_model});
      if (!received.ok()) continue;
      EntriesOf(received->request.body, domain_);
      if (const auto* scores = std::get_if<ScoresRequest>(&received->request.body)) {
        EXPECT_TRUE(SharesFor(*scores, parallel_).ok());
      }
      if (const auto* local = std::get_if<LocalSelection>(&received->request.body)) {
        EXPECT_TRUE(SharesFor(*local, parallel_).ok());
      }
    }
  }
}

}  // namespace
}  // namespace flaim::runtime
