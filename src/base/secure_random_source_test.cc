#include "base/secure_random_source.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// More than one pool, so that refills are covered.
using Words = std::array<std::uint64_t, 1200>;

Words Draw(RandomSource& source) {
  Words words;
  for (std::uint64_t& word : words) word = source.NextU64();
  return words;
}

// What a forked child draws from its copy of `source`.
Words DrawInChild(RandomSource& source) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Words words = Draw(source);
    const bool sent = write(ends[1], words.data(), sizeof words) == static_cast<ssize_t>(sizeof words);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Words words{};
  std::size_t received = 0;
  while (received < sizeof words) {
    const ssize_t count = read(ends[0], reinterpret_cast<char*>(words.data()) + received, sizeof words - received);
    if (count <= 0) break;
    received += static_cast<std::size_t>(count);
  }
  close(ends[0]);
  int exit_status = -1;
  EXPECT_EQ(waitpid(child, &exit_status, 0), child);
  EXPECT_EQ(exit_status, 0);
  EXPECT_EQ(received, sizeof words);
  return words;
}

// A chance repetition among n 64-bit words has probability below n^2 / 2^65, here about 1e-12.
void ExpectAllDifferent(const std::vector<Words>& streams) {
  std::set<std::uint64_t> seen;
  for (const Words& stream : streams) seen.insert(stream.begin(), stream.end());
  EXPECT_EQ(seen.size(), streams.size() * std::tuple_size_v<Words>);
}

TEST(SecureRandomSource, TwoSourcesDiffer) {
  SecureRandomSource first;
  SecureRandomSource second;
  ExpectAllDifferent({Draw(first), Draw(second), Draw(first)});
}

TEST(SecureRandomSource, DiffersInTheParentAndInEachChildOfAFork) {
  SecureRandomSource source;
  source.NextU64();  // the pool holds bytes that the children must not serve
  const Words first_child = DrawInChild(source);
  const Words second_child = DrawInChild(source);
  const Words parent = Draw(source);
  ExpectAllDifferent({first_child, second_child, parent});
}

TEST(SecureRandomSource, DiffersInAChildThatForksBeforeTheFirstDraw) {
  SecureRandomSource source;
  const Words child = DrawInChild(source);
  ExpectAllDifferent({child, Draw(source)});
}

TEST(SecureRandomSource, DiffersInAGrandchild) {
  SecureRandomSource source;
  source.NextU64();
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<Words> streams = {DrawInChild(source), Draw(source)};
    std::set<std::uint64_t> seen;
    for (const Words& stream : streams) seen.insert(stream.begin(), stream.end());
    _exit(seen.size() == 2 * std::tuple_size_v<Words> ? 0 : 1);
  }
  int exit_status = -1;
  ASSERT_EQ(waitpid(child, &exit_status, 0), child);
  EXPECT_EQ(exit_status, 0);
}

// Counting ones in 640,000 bits: Binomial(n, 1/2) leaves six standard deviations with probability 2e-9.
TEST(SecureRandomSource, IsBalanced) {
  SecureRandomSource source;
  constexpr int kWords = 10000;
  int ones = 0;
  for (int i = 0; i < kWords; ++i) ones += std::popcount(source.NextU64());
  EXPECT_NEAR(ones, kWords * 32, 6 * 400);
}

TEST(SecureRandomSource, SaysThatItIsSecure) {
  const SecureRandomSource source;
  EXPECT_TRUE(source.IsSecure());
  EXPECT_EQ(source.Provenance(), "secure");
}

}  // namespace
}  // namespace flaim
