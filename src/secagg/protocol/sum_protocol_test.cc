#include "secagg/protocol/sum_protocol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "secagg/protocol/study_testing.h"

// What every protocol for sums does, in the clear or not.

namespace flaim::secagg {
namespace {

struct Case {
  std::string name;
  StudyOptions options;
};

class SumProtocol : public testing::TestWithParam<Case> {
 protected:
  StudyOptions options() const { return GetParam().options; }
};

void ExpectExact(const StudyForTest& study, const SumServer& server) {
  ASSERT_TRUE(server.IsOver());
  ASSERT_TRUE(server.outcome().ok()) << server.outcome().status();
  EXPECT_TRUE(study.IsExact(*server.outcome()));
}

TEST_P(SumProtocol, SumsWhatEverybodyContributes) {
  StudyForTest study(options());
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients());
  ExpectExact(study, *server);
  EXPECT_EQ(server->outcome()->contributors.size(), static_cast<std::size_t>(options().participants));
}

TEST_P(SumProtocol, SumsTheRestWhoeverVanishesAtWhateverStage) {
  for (int stage = 0; stage < 5; ++stage) {
    for (int gone = 0; gone < options().participants; gone += 1 + options().participants / 8) {
      StudyForTest study(options());
      const auto server = study.MakeServer();
      RunSession(*server, study.MakeClients(),
                 [&](ParticipantId id, int at) { return at == stage && id == static_cast<ParticipantId>(gone); });
      ExpectExact(study, *server);
    }
  }
}

TEST_P(SumProtocol, GivesNoSumWhenOneTooManyVanishesBeforeItsVectorIsIn) {
  StudyForTest study(options());
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients(),
             [&](ParticipantId id, int stage) { return stage == 1 && static_cast<int>(id) <= options().dropouts; });
  ASSERT_TRUE(server->IsOver());
  EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
}

TEST_P(SumProtocol, AsksEverybodyForItsCountsOnce) {
  StudyForTest study(options());
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients());
  for (int id = 0; id < options().participants; ++id) {
    EXPECT_EQ(study.AskedOf(static_cast<ParticipantId>(id)), 1);
  }
}

TEST_P(SumProtocol, HoldsAtTheEdgesOfTheRing) {
  for (const std::int64_t edge : {std::int64_t{1}, std::int64_t{-1}}) {
    StudyForTest study(options());
    for (int id = 0; id < options().participants; ++id) {
      for (std::int64_t& count : study.CountsOf(static_cast<ParticipantId>(id), 0)) {
        count = edge * options().entry_bound;
      }
    }
    const auto server = study.MakeServer();
    RunSession(*server, study.MakeClients());
    ExpectExact(study, *server);
  }
}

TEST_P(SumProtocol, SumsInRingsOfEveryWidth) {
  StudyForTest least(options());
  for (int bits = least.terms().ring_bits; bits <= 64; bits += 1 + options().participants / 8) {
    StudyOptions wide = options();
    wide.ring_bits = bits;
    StudyForTest study(wide);
    const auto server = study.MakeServer();
    RunSession(*server, study.MakeClients());
    ExpectExact(study, *server);
  }
}

TEST_P(SumProtocol, CarriesTheNoiseThatItReports) {
  StudyOptions noisy = options();
  constexpr int kEntries = 20'000;
  noisy.blocks = {{.entries = kEntries, .sigma_squared = Rational(400, 1)}};
  StudyForTest study(noisy);
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients());
  ASSERT_TRUE(server->outcome().ok());
  const BlockSum& sum = server->outcome()->blocks.at(0);
  const std::vector<std::int64_t> exact = study.ExactSum(server->outcome()->contributors, 0);
  double squares = 0;
  for (int i = 0; i < kEntries; ++i) squares += std::pow(static_cast<double>(sum.counts[i] - exact[i]), 2);
  EXPECT_EQ(sum.promised_variance, 400);
  EXPECT_GT(sum.noise_variance, sum.promised_variance);
  // A sample variance of m normal values has a relative standard deviation of sqrt(2 / m); alpha = 1e-9 two-sided.
  EXPECT_NEAR(squares / kEntries / sum.noise_variance, 1, 6.2 * std::sqrt(2.0 / kEntries));
}

TEST_P(SumProtocol, TakesNoSecondAnswerOfAParticipant) {
  StudyForTest study(options());
  const auto server = study.MakeServer();
  const auto client = study.MakeClient(0);
  const absl::StatusOr<Bytes> answer = client->Receive(server->MessageFor(0));
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(server->Receive(0, *answer).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(server->Receive(0, *answer)));
  EXPECT_TRUE(absl::IsAlreadyExists(client->Receive(server->MessageFor(0)).status()));
}

// To leave the sum instead would tell the server that there is such a count.
TEST_P(SumProtocol, CountsABoundForACountBeyondItAndTellsNobody) {
  for (const std::int64_t sign : {1, -1}) {
    StudyForTest study(options());
    study.CountsOf(0, 0)[3] = sign * (options().entry_bound + 987'654);
    const auto server = study.MakeServer();
    RunSession(*server, study.MakeClients());
    ASSERT_TRUE(server->outcome().ok());
    EXPECT_EQ(server->outcome()->contributors.size(), static_cast<std::size_t>(options().participants));
    study.CountsOf(0, 0)[3] = sign * options().entry_bound;
    ExpectExact(study, *server);
  }
}

std::vector<Case> Cases() {
  return {
      {"InTheClear", {.protocol = Protocol::kClear}},
      {"SecureAmongThree", {.participants = 3, .dropouts = 1}},
      {"SecureAmongFive", {.participants = 5, .dropouts = 1, .colluders = 1}},
      {"SecureWithChaCha20", {.participants = 4, .dropouts = 1, .cipher = MaskCipher::kChaCha20}},
      {"SecureOnACircle", {.participants = 24, .dropouts = 2, .colluders = 1, .is_circle = true, .security_bits = 40}}};
}

INSTANTIATE_TEST_SUITE_P(Of, SumProtocol, testing::ValuesIn(Cases()),
                         [](const testing::TestParamInfo<Case>& test) { return test.param.name; });

}  // namespace
}  // namespace flaim::secagg
