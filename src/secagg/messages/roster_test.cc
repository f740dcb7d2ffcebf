#include "secagg/messages/roster.h"

#include <gtest/gtest.h>

#include "base/seeded_random_source.h"
#include "secagg/messages/attendance.h"
#include "secagg/messages/members.h"

namespace flaim::secagg {
namespace {

VerifyingKey KeyNumber(std::uint64_t number) {
  SeededRandomSource random(number);
  return SigningKey::Generate(random).verifying_key();
}

TEST(Roster, RefusesTwoMembersWithOneKey) {
  EXPECT_TRUE(Roster::Make(KeyNumber(0), {KeyNumber(1), KeyNumber(2)}).ok());
  EXPECT_FALSE(Roster::Make(KeyNumber(0), {KeyNumber(1), KeyNumber(2), KeyNumber(1)}).ok());
  EXPECT_FALSE(Roster::Make(KeyNumber(1), {KeyNumber(1), KeyNumber(2)}).ok());
}

TEST(Roster, HasADigestThatMovesWithEveryKeyAndTheirOrder) {
  const Digest digest = Roster::Make(KeyNumber(0), {KeyNumber(1), KeyNumber(2)})->digest();
  EXPECT_EQ(digest, Roster::Make(KeyNumber(0), {KeyNumber(1), KeyNumber(2)})->digest());
  EXPECT_NE(digest, Roster::Make(KeyNumber(9), {KeyNumber(1), KeyNumber(2)})->digest());
  EXPECT_NE(digest, Roster::Make(KeyNumber(0), {KeyNumber(2), KeyNumber(1)})->digest());
  EXPECT_NE(digest, Roster::Make(KeyNumber(0), {KeyNumber(1)})->digest());
}

TEST(Attendance, TakesEachExpectedAnswerOnce) {
  Attendance attendance({2, 5, 7});
  EXPECT_TRUE(absl::IsFailedPrecondition(attendance.Check(3)));
  EXPECT_TRUE(attendance.Check(5).ok());
  attendance.Mark(5);
  EXPECT_TRUE(absl::IsAlreadyExists(attendance.Check(5)));
  EXPECT_FALSE(attendance.IsComplete());
  attendance.Mark(7);
  EXPECT_EQ(attendance.Answered(), (std::vector<ParticipantId>{5, 7}));
  attendance.Mark(2);
  EXPECT_TRUE(attendance.IsComplete());
  EXPECT_EQ(attendance.Answered(), attendance.expected());
}

TEST(Members, ComeBackFromTheirBitmap) {
  SeededRandomSource random(4);
  for (std::size_t ranks = 0; ranks < 70; ++ranks) {
    std::vector<bool> members(ranks);
    for (std::size_t i = 0; i < ranks; ++i) members[i] = random.NextBelow(2) == 1;
    const Bytes packed = PackMembers(members);
    EXPECT_EQ(packed.size(), (ranks + 7) / 8);
    EXPECT_EQ(*UnpackMembers(packed, ranks), members);
  }
}

TEST(Members, AreRefusedInABitmapOfAnotherSizeOrWithSpareBits) {
  EXPECT_TRUE(UnpackMembers(Bytes{0xFF, 0x03}, 10).ok());
  EXPECT_FALSE(UnpackMembers(Bytes{0xFF, 0x07}, 10).ok());
  EXPECT_FALSE(UnpackMembers(Bytes{0xFF}, 10).ok());
  EXPECT_FALSE(UnpackMembers(Bytes{0xFF, 0x03, 0x00}, 10).ok());
}

}  // namespace
}  // namespace flaim::secagg
