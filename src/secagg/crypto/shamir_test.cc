#include "secagg/crypto/shamir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "base/seeded_random_source.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "privacy/samplers/random_source_testing.h"
#include "secagg/kernels/field61.h"

namespace flaim::secagg {
namespace {

Secret32 RandomSecret(RandomSource& random) {
  Secret32 secret;
  random.Fill(std::as_writable_bytes(secret.bytes()));
  return secret;
}

Secret32 FilledSecret(std::uint8_t byte) {
  Secret32 secret;
  std::fill(secret.bytes().begin(), secret.bytes().end(), byte);
  return secret;
}

std::vector<SharePoint> PointsUpTo(std::size_t count) {
  std::vector<SharePoint> points(count);
  std::iota(points.begin(), points.end(), SharePoint{1});
  return points;
}

std::vector<SharePoint> RandomPoints(std::size_t count, RandomSource& random) {
  std::set<SharePoint> points;
  while (points.size() < count) points.insert(1 + random.NextBelow(kFieldPrime - 1));
  return {points.begin(), points.end()};
}

std::vector<HeldShare> Hold(std::span<const SharePoint> points, const std::vector<Share>& shares) {
  std::vector<HeldShare> held;
  for (std::size_t i = 0; i < shares.size(); ++i) held.push_back({points[i], &shares[i]});
  return held;
}

void Shuffle(std::vector<HeldShare>& held, RandomSource& random) {
  for (std::size_t i = held.size(); i > 1; --i) std::swap(held[i - 1], held[random.NextBelow(i)]);
}

std::uint64_t Limb(const Share& share, std::size_t limb) {
  std::uint64_t value;
  std::memcpy(&value, share.bytes().data() + 8 * limb, sizeof value);
  return value;
}

void SetLimb(Share& share, std::size_t limb, std::uint64_t value) {
  std::memcpy(share.bytes().data() + 8 * limb, &value, sizeof value);
}

TEST(Shamir, RecoversTheSecretFromAnyThresholdOfTheShares) {
  SeededRandomSource random(1);
  for (int repetition = 0; repetition < 150; ++repetition) {
    const std::size_t count = 1 + random.NextBelow(60);
    const std::size_t threshold = 1 + random.NextBelow(count);
    const std::vector<SharePoint> points = repetition % 2 == 0 ? PointsUpTo(count) : RandomPoints(count, random);
    const Secret32 secret = RandomSecret(random);
    const std::vector<Share> shares = SplitSecret(secret, static_cast<int>(threshold), points, random);
    std::vector<HeldShare> held = Hold(points, shares);
    for (int subset = 0; subset < 4; ++subset) {
      Shuffle(held, random);
      const absl::StatusOr<Secret32> recovered = CombineShares(std::span(held).first(threshold));
      ASSERT_TRUE(recovered.ok()) << recovered.status();
      ASSERT_TRUE(recovered->Equals(secret)) << threshold << " of " << count;
    }
  }
}

TEST(Shamir, RecoversTheSmallestAndTheLargestSecret) {
  SeededRandomSource random(2);
  const std::vector<SharePoint> points = {1, 2, kFieldPrime - 1};
  for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    const Secret32 secret = FilledSecret(byte);
    const std::vector<Share> shares = SplitSecret(secret, 3, points, random);
    const absl::StatusOr<Secret32> recovered = CombineShares(Hold(points, shares));
    ASSERT_TRUE(recovered.ok()) << recovered.status();
    EXPECT_TRUE(recovered->Equals(secret));
  }
}

TEST(Shamir, RecoversWith200SharesOf200) {
  SeededRandomSource random(3);
  const std::vector<SharePoint> points = PointsUpTo(200);
  const Secret32 secret = RandomSecret(random);
  const std::vector<Share> shares = SplitSecret(secret, 200, points, random);
  EXPECT_TRUE(CombineShares(Hold(points, shares))->Equals(secret));
}

// If the coefficients were not uniform, or too few, the low bits of threshold - 1 shares would betray the secret.
TEST(Shamir, HasSharesBelowTheThresholdThatAreUniformWhateverTheSecret) {
  SeededRandomSource random(4);
  Probabilities uniform;
  for (std::int64_t value = 0; value < 256; ++value) uniform[value] = 1.0L / 256;
  const std::vector<SharePoint> points = {1, 2, 3};
  for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    const Secret32 secret = FilledSecret(byte);
    for (const std::size_t limb : {std::size_t{0}, kSecretLimbs - 1}) {
      const Counts counts = CountDraws(20000, [&] {
        const std::vector<Share> shares = SplitSecret(secret, 3, points, random);
        return (Limb(shares[0], limb) & 15) << 4 | (Limb(shares[1], limb) & 15);
      });
      EXPECT_GT(ChiSquaredPValue(counts, uniform), kTestAlpha) << "secret of " << int{byte} << ", limb " << limb;
    }
  }
}

// The same test sees the dependence that there is when all shares are taken: it is not blind.
TEST(Shamir, HasThresholdSharesThatAreNotUniform) {
  SeededRandomSource random(5);
  Probabilities uniform;
  for (std::int64_t value = 0; value < 16; ++value) uniform[value] = 1.0L / 16;
  const std::vector<SharePoint> points = {1, 2};
  const Secret32 secret = FilledSecret(0);
  // f(0) = 2 f(1) - f(2)
  const Counts counts = CountDraws(20000, [&] {
    const std::vector<Share> shares = SplitSecret(secret, 2, points, random);
    return FieldSubtract(FieldAdd(Limb(shares[0], 0), Limb(shares[0], 0)), Limb(shares[1], 0)) & 15;
  });
  EXPECT_LT(ChiSquaredPValue(counts, uniform), kTestAlpha);
}

TEST(Shamir, DrawsAgainWhenACoefficientIsNotInTheField) {
  const std::uint64_t outside = kFieldPrime << 3;
  ScriptedRandomSource random({outside, outside | 7, 5 << 3});
  const std::vector<SharePoint> points = {1, 2};
  const std::vector<Share> shares = SplitSecret(FilledSecret(0), 2, points, random);
  EXPECT_EQ(Limb(shares[0], 0), 5U);
  EXPECT_EQ(Limb(shares[1], 0), 10U);
  EXPECT_EQ(random.words_used(), 2 + kSecretLimbs);
}

TEST(Shamir, GivesAnErrorOrAnotherSecretWhenAnyLimbOfAnyShareIsWrong) {
  SeededRandomSource random(6);
  const std::vector<SharePoint> points = PointsUpTo(5);
  const Secret32 secret = RandomSecret(random);
  int errors = 0;
  for (std::size_t wrong = 0; wrong < points.size(); ++wrong) {
    for (std::size_t limb = 0; limb < kSecretLimbs; ++limb) {
      std::vector<Share> shares = SplitSecret(secret, 5, points, random);
      SetLimb(shares[wrong], limb, FieldAdd(Limb(shares[wrong], limb), 1 + random.NextBelow(kFieldPrime - 1)));
      const absl::StatusOr<Secret32> recovered = CombineShares(Hold(points, shares));
      if (recovered.ok()) {
        EXPECT_FALSE(recovered->Equals(secret));
      } else {
        EXPECT_EQ(recovered.status().code(), absl::StatusCode::kInvalidArgument);
        ++errors;
      }
    }
  }
  // A wrong limb is uniform over 61 bits, so 31 of 32 exceed 56 bits.
  EXPECT_GT(errors, 15);
}

TEST(Shamir, DoesNotRecoverTheSecretFromTooFewShares) {
  SeededRandomSource random(7);
  const std::vector<SharePoint> points = PointsUpTo(10);
  for (int repetition = 0; repetition < 100; ++repetition) {
    const Secret32 secret = RandomSecret(random);
    const std::vector<Share> shares = SplitSecret(secret, 6, points, random);
    const std::vector<HeldShare> held = Hold(points, shares);
    const absl::StatusOr<Secret32> recovered = CombineShares(std::span(held).first(5));
    EXPECT_FALSE(recovered.ok() && recovered->Equals(secret));
  }
}

class CombineSharesOfThree : public testing::Test {
 protected:
  CombineSharesOfThree() {
    SeededRandomSource random(8);
    shares_ = SplitSecret(RandomSecret(random), 3, points_, random);
  }

  absl::StatusCode Code() { return CombineShares(Hold(points_, shares_)).status().code(); }

  std::vector<SharePoint> points_ = {1, 2, 3};
  std::vector<Share> shares_;
};

TEST_F(CombineSharesOfThree, RefusesPointsThatRepeat) {
  ASSERT_EQ(Code(), absl::StatusCode::kOk);
  points_[2] = points_[0];
  EXPECT_EQ(Code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(CombineSharesOfThree, RefusesPointsThatAreZeroOrNotInTheField) {
  for (const SharePoint point : {SharePoint{0}, kFieldPrime, kFieldPrime + 1, ~SharePoint{0}}) {
    points_[1] = point;
    EXPECT_EQ(Code(), absl::StatusCode::kInvalidArgument) << point;
  }
}

TEST_F(CombineSharesOfThree, RefusesValuesThatAreNotInTheField) {
  for (std::size_t limb = 0; limb < kSecretLimbs; ++limb) {
    const std::uint64_t genuine = Limb(shares_[1], limb);
    // The same element of the field, written as a number that is not below the prime.
    SetLimb(shares_[1], limb, genuine + kFieldPrime);
    EXPECT_EQ(Code(), absl::StatusCode::kInvalidArgument);
    SetLimb(shares_[1], limb, kFieldPrime);
    EXPECT_EQ(Code(), absl::StatusCode::kInvalidArgument);
    SetLimb(shares_[1], limb, genuine);
  }
  EXPECT_EQ(Code(), absl::StatusCode::kOk);
}

TEST_F(CombineSharesOfThree, RefusesNoShares) {
  EXPECT_EQ(CombineShares({}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CombineShares, RefusesALimbThatNoSecretHas) {
  const std::vector<SharePoint> points = {1};
  for (std::size_t limb = 0; limb < kSecretLimbs; ++limb) {
    const int bits = limb + 1 == kSecretLimbs ? 32 : 56;
    std::vector<Share> shares(1);
    SetLimb(shares[0], limb, (std::uint64_t{1} << bits) - 1);
    EXPECT_TRUE(CombineShares(Hold(points, shares)).ok());
    SetLimb(shares[0], limb, std::uint64_t{1} << bits);
    EXPECT_EQ(CombineShares(Hold(points, shares)).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(SplitSecret, StopsAtPointsOrThresholdsThatCannotBe) {
  SeededRandomSource random(9);
  const Secret32 secret = RandomSecret(random);
  const auto split = [&](int threshold, std::vector<SharePoint> points) {
    return SplitSecret(secret, threshold, points, random);
  };
  EXPECT_DEATH(split(2, {1, 2, 1}), "points must be distinct");
  EXPECT_DEATH(split(2, {1, 0}), "points must be distinct");
  EXPECT_DEATH(split(2, {1, kFieldPrime}), "points must be distinct");
  EXPECT_DEATH(split(3, {1, 2}), "threshold 3 of 2 shares");
  EXPECT_DEATH(split(0, {1, 2}), "threshold 0 of 2 shares");
}

}  // namespace
}  // namespace flaim::secagg
