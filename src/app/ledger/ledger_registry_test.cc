#include "app/ledger/ledger_registry.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class LedgerRegistryTest : public testing::Test {
 protected:
  LedgerRegistryTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LedgerRegistryTest() override { fs::remove_all(folder_); }

  std::string Write(const std::string& name, const std::vector<std::string>& lines) {
    std::ofstream file(folder_ / name);
    for (const std::string& line : lines) file << line << '\n';
    return folder_ / name;
  }

  LineSketch SketchOfLines(const std::vector<std::string>& lines) {
    return SketchOf(Write("sketched.csv", lines), key_, alone_).value();
  }

  // Lines of `distinct` different texts.
  std::vector<std::string> Lines(std::uint64_t seed, std::size_t count, std::uint64_t distinct) {
    SeededRandomSource random(seed);
    std::vector<std::string> lines;
    while (lines.size() < count) lines.push_back(fmt::format("row {}", random.NextBelow(distinct)));
    return lines;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("flaim-registry-{}", ::getpid());
  SketchKey key_{std::byte{7}};
  Parallel alone_{1};
};

double TrueContainment(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::map<std::string, std::pair<int, int>> occurrences;
  for (const std::string& line : one) ++occurrences[line].first;
  for (const std::string& line : other) ++occurrences[line].second;
  double common = 0;
  for (const auto& [line, counts] : occurrences) common += std::min(counts.first, counts.second);
  return common / static_cast<double>(std::min(one.size(), other.size()));
}

// Of 256 lines that a keyed hash picks: seven standard deviations of a share are .22.
TEST_F(LedgerRegistryTest, ContainmentIsTheShareOfLinesThatTheOtherFileHas) {
  for (const std::size_t kept : {0U, 500U, 1500U, 1900U, 2000U}) {
    for (const std::uint64_t distinct : {50U, 5000U, 4'000'000'000U}) {
      const std::vector<std::string> one = Lines(1, 2000, distinct);
      std::vector<std::string> other = Lines(2, 2000, distinct);
      std::copy_n(one.rbegin(), kept, other.begin());
      EXPECT_NEAR(Containment(SketchOfLines(one), SketchOfLines(other)), TrueContainment(one, other), 0.22)
          << kept << " of " << distinct;
    }
  }
  EXPECT_EQ(Containment({}, {}), 0);
}

TEST_F(LedgerRegistryTest, APartOfATableAndOneThatHasGrownAreFoundDownToASixteenth) {
  const std::vector<std::string> all = Lines(1, 20'000, 4'000'000'000U);
  const LineSketch whole = SketchOfLines(all);
  for (const double share : {0.89, 0.5, 0.2, 0.1}) {
    std::vector<std::string> part = all;
    part.resize(static_cast<std::size_t>(share * 20'000));
    EXPECT_EQ(Containment(SketchOfLines(part), whole), 1) << share;
    EXPECT_EQ(Containment(whole, SketchOfLines(part)), 1) << share;
    const std::vector<std::string> strangers = Lines(2, part.size(), 4'000'000'000U);
    EXPECT_EQ(Containment(SketchOfLines(strangers), whole), 0) << share;
  }
}

// One line of the smaller file below the limit, and that one in both: by chance it would be every line.
TEST_F(LedgerRegistryTest, TooSmallASampleSaysNothing) {
  const std::vector<std::string> all = Lines(1, 20'000, 4'000'000'000U);
  std::vector<std::string> part(all.begin(), all.begin() + 200);
  EXPECT_EQ(Containment(SketchOfLines(part), SketchOfLines(all)), 0);
}

TEST_F(LedgerRegistryTest, ASketchEndsWhenItIsToStop) {
  const std::string path = Write("a.csv", Lines(1, 3000, 1'000'000));
  Parallel stopping(1, [] { return true; });
  EXPECT_TRUE(absl::IsCancelled(SketchOf(path, key_, stopping).status()));
}

TEST_F(LedgerRegistryTest, ASketchIsSmallAndOfItsKey) {
  const std::string path = Write("a.csv", Lines(1, 3000, 1'000'000));
  const LineSketch sketch = SketchOf(path, key_, alone_).value();
  EXPECT_EQ(sketch.size(), kSketchLines);
  const LineSketch other = SketchOf(path, SketchKey{std::byte{8}}, alone_).value();
  EXPECT_LT(Containment(sketch, other), 0.01) << "without the key, it cannot be compared";
  EXPECT_FALSE(SketchOf(folder_ / "nothing", key_, alone_).ok());
}

TEST_F(LedgerRegistryTest, NamesOtherLedgersOfManyOfTheRows) {
  const std::vector<std::string> lines = Lines(1, 3000, 1'000'000);
  const std::string original = Write("a.csv", lines);
  std::vector<std::string> copied(lines.rbegin(), lines.rend());
  copied.emplace_back("one more");
  const std::string copy = Write("b.csv", copied);
  const std::string other = Write("c.csv", Lines(2, 3000, 1'000'000));
  const std::string first = fs::weakly_canonical(folder_ / "a.ledger");
  const std::string second = fs::weakly_canonical(folder_ / "b.ledger");
  const auto charge = [&](const std::string& ledger, const std::string& data) {
    return LedgerRegistry::Open(folder_ / "state")->Charge(ledger, {data}, alone_).value();
  };
  EXPECT_THAT(charge(first, original), IsEmpty());
  EXPECT_THAT(charge(first, original), IsEmpty()) << "the same again is no news";
  EXPECT_THAT(charge(first, copy), IsEmpty()) << "a copy that pays from the same ledger";
  EXPECT_THAT(charge(second, other), IsEmpty());
  EXPECT_THAT(charge(second, copy), ElementsAre(first));
  EXPECT_THAT(charge(first, original), ElementsAre(second));
}

TEST_F(LedgerRegistryTest, KnowsATableInADatabaseByItsDescription) {
  const auto charge = [&](const std::string& ledger, const std::string& name) {
    return LedgerRegistry::Open(folder_ / "state")
        ->Charge(folder_ / ledger, {name, NamedRows::Place::kDatabase}, alone_)
        .value();
  };
  const std::string first = fs::weakly_canonical(folder_ / "a.ledger");
  EXPECT_THAT(charge("a.ledger", "postgresql://db/clinic table=t"), IsEmpty());
  EXPECT_THAT(charge("a.ledger", "postgresql://db/clinic table=t"), IsEmpty());
  EXPECT_THAT(charge("b.ledger", "postgresql://db/clinic table=u"), IsEmpty());
  EXPECT_THAT(charge("b.ledger", "postgresql://db/clinic table=t"), ElementsAre(first));
}

TEST_F(LedgerRegistryTest, KnowsTheLedgersOfAPathWhateverTheFileHolds) {
  const std::string path = Write("a.csv", {"one"});
  fs::create_symlink("a.csv", folder_ / "link.csv");
  const std::string state = folder_ / "state";
  EXPECT_THAT(RegisteredLedgersOf(path, state).value(), IsEmpty());
  EXPECT_FALSE(fs::exists(state)) << "to ask leaves no trace";
  EXPECT_THAT(RegisteredLedgersOf(path, std::nullopt).value(), IsEmpty());
  const std::string ledger = fs::weakly_canonical(folder_ / "a.ledger");
  ASSERT_TRUE(LedgerRegistry::Open(state)->Charge(ledger, {path}, alone_).ok());
  Write("a.csv", {"another"});
  EXPECT_THAT(RegisteredLedgersOf(path, state).value(), ElementsAre(ledger));
  EXPECT_THAT(RegisteredLedgersOf(folder_ / "link.csv", state).value(), ElementsAre(ledger));
  EXPECT_THAT(RegisteredLedgersOf(Write("b.csv", {"one"}), state).value(), IsEmpty());
}

TEST_F(LedgerRegistryTest, IsForItsOwnerOnly) {
  ASSERT_TRUE(LedgerRegistry::Open(folder_ / "state").ok());
  EXPECT_EQ(fs::status(folder_ / "state").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(folder_ / "state/ledgers.sqlite").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(LedgerRegistryTest, RefusesAFileThatIsNone) {
  fs::create_directories(folder_ / "state");
  std::ofstream(folder_ / "state/ledgers.sqlite") << "something else";
  EXPECT_FALSE(LedgerRegistry::Open(folder_ / "state").ok());
}

}  // namespace
}  // namespace flaim
