#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/neighbourhood.h"
#include "secagg/protocol/secure_client.h"

// Participants who vanish, up to all whom a study allows for and one more; and what is left of the noise.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

void ExpectExact(const StudyForTest& study, const SumServer& server) {
  ASSERT_TRUE(server.outcome().ok()) << server.outcome().status();
  EXPECT_TRUE(study.IsExact(*server.outcome()));
}

TEST(Dropouts, OfAnyTwoAtAnyTwoStagesLeaveTheSumOfTheRest) {
  for (int first = 0; first < 5; ++first) {
    for (int second = first + 1; second < 5; ++second) {
      for (int stages = 0; stages < 25; ++stages) {
        StudyForTest study({.participants = 5, .dropouts = 2, .blocks = {{.entries = 3}}});
        const auto server = study.MakeServer();
        RunTampered(*server, study.MakeClients(), {.vanishes = [&](ParticipantId id, int stage) {
          return (static_cast<int>(id) == first && stage == stages / 5) ||
                 (static_cast<int>(id) == second && stage == stages % 5);
        }});
        ExpectExact(study, *server);
        const int before_the_sum = (stages / 5 < 3 ? 1 : 0) + (stages % 5 < 3 ? 1 : 0);
        EXPECT_EQ(server->outcome()->contributors.size(), static_cast<std::size_t>(5 - before_the_sum));
      }
    }
  }
}

struct OneTooMany {
  int stage;
  AbortReason reason;
};

// At the end, three shares are not there for those who left no seed.
TEST(Dropouts, OfOneTooManyEndInACleanAbortOfWhichEverybodyLeftIsTold) {
  const std::vector<OneTooMany> cases = {{0, AbortReason::kTooFewParticipants},
                                         {1, AbortReason::kTooFewParticipants},
                                         {2, AbortReason::kTooFewParticipants},
                                         {3, AbortReason::kTooFewShares},
                                         {4, AbortReason::kTooFewShares}};
  for (const OneTooMany& one : cases) {
    SCOPED_TRACE(one.stage);
    StudyForTest study({.participants = 5, .dropouts = 2});
    const auto server = study.MakeServer();
    const auto clients = study.MakeClients();
    RunTampered(*server, clients,
                {.vanishes = [&](ParticipantId id, int stage) { return id < 3 && stage == one.stage; }});
    ASSERT_TRUE(absl::IsAborted(server->outcome().status()));
    EXPECT_EQ(std::string(server->outcome().status().message()), ToString(one.reason));
    for (ParticipantId id = 3; id < 5; ++id) EXPECT_TRUE(clients[id]->IsOver());
  }
}

TEST(Dropouts, OfEverybodyEndInACleanAbort) {
  for (int last = 0; last < 5; ++last) {
    StudyForTest study({});
    const auto server = study.MakeServer();
    RunTampered(*server, study.MakeClients(), {.vanishes = [&](ParticipantId, int stage) { return stage == last; }});
    EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
  }
}

double MeanSquare(const std::vector<std::int64_t>& values) {
  double squares = 0;
  for (const std::int64_t value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  return squares / static_cast<double>(values.size());
}

// A sample variance of m normal values has a relative standard deviation of sqrt(2 / m); alpha = 1e-9 two-sided.
double RelativeTolerance(std::size_t values) { return 6.2 * std::sqrt(2.0 / static_cast<double>(values)); }

constexpr int kEntries = 20'000;
constexpr int kSigmaSquared = 400;

// The noise that a participant added, which it may tell the server: its randomness once more, in its order.
std::vector<std::int64_t> NoiseOfParticipant(const StudyForTest& study, ParticipantId id, int participants) {
  const auto twin = study.TwinOfRandom(id);
  const SecretsForTest secrets = DrawSecrets(*twin);
  std::vector<SharePoint> points;
  for (int other = 0; other < participants; ++other) {
    if (other != static_cast<int>(id)) points.push_back(PointOf(static_cast<ParticipantId>(other)));
  }
  SplitSecret(secrets.seed, study.terms().graph.threshold, points, *twin);
  SplitSecret(secrets.mask_key.secret(), study.terms().graph.threshold, points, *twin);
  std::vector<std::int64_t> noise(kEntries);
  NoiseOf(study.terms(), 0).AddShare(*twin, noise);
  return noise;
}

std::vector<std::int64_t> NoiseInSum(const StudyForTest& study, const SumOutcome& outcome) {
  std::vector<std::int64_t> noise = outcome.blocks.at(0).counts;
  const std::vector<std::int64_t> exact = study.ExactSum(outcome.contributors, 0);
  for (int i = 0; i < kEntries; ++i) noise[i] -= exact[i];
  return noise;
}

TEST(Noise, AfterTheWorstDropoutAndWithoutTheColludersShareIsWhatWasPromised) {
  StudyForTest study({.participants = 6,
                      .dropouts = 2,
                      .colluders = 1,
                      .blocks = {{.entries = kEntries, .sigma_squared = Rational(kSigmaSquared, 1)}}});
  const auto server = study.MakeServer();
  RunTampered(*server, study.MakeClients(),
              {.vanishes = [](ParticipantId id, int stage) { return id < 2 && stage == 2; }});
  ASSERT_TRUE(server->outcome().ok()) << server->outcome().status();
  EXPECT_EQ(server->outcome()->contributors, (std::vector<ParticipantId>{2, 3, 4, 5}));
  std::vector<std::int64_t> noise = NoiseInSum(study, *server->outcome());
  EXPECT_NEAR(MeanSquare(noise) / (kSigmaSquared * 4 / 3.0), 1, RelativeTolerance(kEntries));
  const std::vector<std::int64_t> known = NoiseOfParticipant(study, 5, 6);
  for (int i = 0; i < kEntries; ++i) noise[i] -= known[i];
  EXPECT_NEAR(MeanSquare(noise) / kSigmaSquared, 1, RelativeTolerance(kEntries));
  const BlockSum& sum = server->outcome()->blocks.at(0);
  EXPECT_EQ(sum.promised_variance, kSigmaSquared);
  EXPECT_NEAR(sum.noise_variance, kSigmaSquared * 4 / 3.0, 1e-6);
}

TEST(Noise, WithoutDropoutsHasASurplusThatIsReported) {
  StudyForTest study({.participants = 6,
                      .dropouts = 2,
                      .colluders = 1,
                      .blocks = {{.entries = kEntries, .sigma_squared = Rational(kSigmaSquared, 1)}}});
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients());
  const BlockSum& sum = server->outcome().value().blocks.at(0);
  EXPECT_EQ(sum.promised_variance, kSigmaSquared);
  EXPECT_NEAR(sum.noise_variance, 2 * kSigmaSquared, 1e-6);
  EXPECT_NEAR(MeanSquare(NoiseInSum(study, *server->outcome())) / sum.noise_variance, 1, RelativeTolerance(kEntries));
}

StudyOptions Alone() {
  return {
      .participants = 1, .dropouts = 0, .blocks = {{.entries = kEntries, .sigma_squared = Rational(kSigmaSquared, 1)}}};
}

TEST(Singleton, IsRefusedUnlessTheParticipantConsents) {
  StudyForTest study(Alone());
  const auto client = study.MakeClient(0);
  const absl::Status refusal = client->Receive(study.MakeServer()->MessageFor(0)).status();
  EXPECT_TRUE(absl::IsInvalidArgument(refusal));
  EXPECT_THAT(std::string(refusal.message()), HasSubstr("insists on 2"));
  EXPECT_EQ(study.AskedOf(0), 0);
}

TEST(Singleton, WhoConsentsAddsAllOfTheNoise) {
  StudyOptions options = Alone();
  options.least_participants = 1;
  StudyForTest study(options);
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients());
  ASSERT_TRUE(server->outcome().ok()) << server->outcome().status();
  EXPECT_NEAR(MeanSquare(NoiseInSum(study, *server->outcome())) / kSigmaSquared, 1, RelativeTolerance(kEntries));
  EXPECT_EQ(server->outcome()->blocks.at(0).noise_variance, kSigmaSquared);
}

TEST(Singleton, WithoutNoiseIsNotPossible) {
  StudyOptions options = Alone();
  options.blocks[0].sigma_squared = Rational(0, 1);
  options.least_participants = 1;
  StudyForTest study(options);
  const absl::Status refusal = ValidateTerms(study.terms());
  EXPECT_TRUE(absl::IsInvalidArgument(refusal));
  EXPECT_THAT(std::string(refusal.message()), HasSubstr("no noise"));
  EXPECT_FALSE(MakeSecureClient(study.ParticipationOf(0), study.SurroundingsOf(0)).ok());
}

// Of two, one of whom may work for the server, the sum without noise is the other's contribution.
TEST(Singleton, AmongColludersWithoutNoiseIsNotPossibleEither) {
  StudyForTest study({.participants = 3, .dropouts = 0, .colluders = 1});
  SessionTerms terms = study.terms();
  EXPECT_TRUE(ValidateTerms(terms).ok());
  terms.bounds.colluders = 2;
  EXPECT_THAT(std::string(ValidateTerms(terms).message()), HasSubstr("no noise"));
}

}  // namespace
}  // namespace flaim::secagg
