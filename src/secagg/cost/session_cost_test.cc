#include "secagg/cost/session_cost.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace flaim::secagg {
namespace {

SessionSetting SmallSetting(SumKind kind) {
  return {.kind = kind,
          .bounds = {.invited = 12, .dropouts = 2, .colluders = 1},
          .vanishing = 0,
          .entries = 500,
          .sigma_squared = Rational(0, 1),
          .ring_bits = 32};
}

absl::StatusOr<SessionCost> Measure(const SessionSetting& setting, int threads = 1) {
  Parallel parallel(threads);
  NoProgress progress;
  return MeasureSession(setting, parallel, {.progress = progress});
}

TEST(SessionCost, CountsTheMessagesOfBothProtocols) {
  EXPECT_EQ(Measure(SmallSetting(SumKind::kSecure))->rounds, 5);
  EXPECT_EQ(Measure(SmallSetting(SumKind::kPlain))->rounds, 2);
}

TEST(SessionCost, AVectorIsSentOnceAndTheRestIsSmall) {
  for (const SumKind kind : {SumKind::kSecure, SumKind::kPlain}) {
    const SessionCost cost = Measure(SmallSetting(kind)).value();
    EXPECT_EQ(cost.vector_bytes, 500U * 4);
    EXPECT_GT(cost.upload_bytes, cost.vector_bytes);
    EXPECT_LT(cost.upload_bytes, 3 * cost.vector_bytes);
    EXPECT_GT(cost.download_bytes, 0U);
  }
}

TEST(SessionCost, FewerBitsMakeAShorterVector) {
  SessionSetting setting = SmallSetting(SumKind::kSecure);
  setting.ring_bits = 0;
  const SessionCost cost = Measure(setting).value();
  EXPECT_LT(cost.terms.ring_bits, 32);
  EXPECT_EQ(cost.vector_bytes, (500U * cost.terms.ring_bits + 7) / 8);
}

TEST(SessionCost, WhoVanishesIsNotInTheSum) {
  for (const SumKind kind : {SumKind::kSecure, SumKind::kPlain}) {
    SessionSetting setting = SmallSetting(kind);
    setting.vanishing = 2;
    EXPECT_EQ(Measure(setting)->contributors, 10);
  }
}

TEST(SessionCost, EverybodyWorksAndItIsTimed) {
  const SessionCost cost = Measure(SmallSetting(SumKind::kSecure)).value();
  EXPECT_GT(cost.client.keys, 0);
  EXPECT_EQ(cost.client.noise, 0);
  EXPECT_GT(cost.client.masking, 0);
  EXPECT_GT(cost.client.confirming, 0);
  EXPECT_GE(cost.client_seconds_max, cost.client.Total());
  EXPECT_GT(cost.server.receiving, 0);
  EXPECT_GT(cost.server.unmasking, 0);
  EXPECT_GT(cost.server.rest, 0);
}

TEST(SessionCost, TheNoiseInTheSumIsTheNoiseThatWasAskedFor) {
  for (const SumKind kind : {SumKind::kSecure, SumKind::kPlain}) {
    SessionSetting setting = SmallSetting(kind);
    setting.entries = 20'000;
    setting.sigma_squared = Rational(400, 1);
    const SessionCost cost = Measure(setting).value();
    // 12 contributors, of whom 9 are certain and honest. The sum's variance is estimated to 1 part in 100.
    EXPECT_NEAR(cost.noise_sigma_expected, 20 * std::sqrt(12.0 / 9), 1e-6);
    EXPECT_NEAR(cost.noise_sigma / cost.noise_sigma_expected, 1, 0.035) << "7 standard errors";
    EXPECT_GT(cost.client.noise, 0);
  }
}

TEST(SessionCost, ThreadsChangeNothingButTime) {
  for (const SumKind kind : {SumKind::kSecure, SumKind::kPlain}) {
    SessionSetting setting = SmallSetting(kind);
    setting.vanishing = 2;
    const SessionCost one = Measure(setting).value();
    const SessionCost three = Measure(setting, 3).value();
    EXPECT_EQ(three.contributors, one.contributors);
    EXPECT_EQ(three.upload_bytes, one.upload_bytes);
    EXPECT_EQ(three.download_bytes, one.download_bytes);
  }
}

TEST(SessionCost, StopsWhenItIsTold) {
  Parallel parallel(2);
  NoProgress progress;
  std::atomic<int> asked = 0;
  const auto cost = MeasureSession(SmallSetting(SumKind::kSecure), parallel,
                                   {.progress = progress, .may_go_on = [&] {
                                      return ++asked > 20 ? absl::CancelledError("enough") : absl::OkStatus();
                                    }});
  EXPECT_TRUE(absl::IsCancelled(cost.status()));
  EXPECT_LE(asked.load(), 22);
}

TEST(SessionCost, MoreMayNotVanishThanTheStudyAllows) {
  SessionSetting setting = SmallSetting(SumKind::kSecure);
  setting.vanishing = 3;
  EXPECT_TRUE(absl::IsInvalidArgument(Measure(setting).status()));
}

TEST(SessionCost, ARingThatIsTooSmallIsRefused) {
  SessionSetting setting = SmallSetting(SumKind::kPlain);
  setting.ring_bits = 8;
  EXPECT_TRUE(absl::IsInvalidArgument(Measure(setting).status()));
}

}  // namespace
}  // namespace flaim::secagg
