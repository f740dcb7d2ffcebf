#include "secagg/protocol/contribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <type_traits>

#include "base/seeded_random_source.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_testing.h"
#include "secagg/cost/made_up_counts.h"

namespace flaim::secagg {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using testing_support::Fraction64;
using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::TermsAllowing;

static_assert(!std::is_constructible_v<Contribution, std::vector<std::int64_t>>);
static_assert(!std::is_constructible_v<Contribution, std::vector<std::vector<std::int64_t>>>);
static_assert(!std::is_constructible_v<PaidCounts, const SumPermit&>);
static_assert(!std::is_default_constructible_v<PaidCounts>);
static_assert(!std::is_copy_constructible_v<PaidCounts>);

SessionId Session(std::uint8_t number) {
  SessionId session{};
  session.fill(number);
  return session;
}

testing::Matcher<std::int64_t> NearlyBy(std::int64_t error, std::int64_t value) {
  return AllOf(Ge(value - error), Le(value + error));
}

class ContributionTest : public testing::Test {
 protected:
  // Paid for in earnest, with noise of variance 32.
  SumPermit Permit(const SessionId& session) {
    return ReleaseIntoSum(*ledger_.Debit({"run", ++round_, "counts"}, testing_support::kGaussian64), NameOfSum(session),
                          "secure")
        .value();
  }

  static SessionTerms TermsOf(const Rational& first, const Rational& second) {
    SessionTerms terms;
    terms.blocks = {{.entries = 2, .sigma_squared = first}, {.entries = 1, .sigma_squared = second}};
    terms.entry_bound = 1'000'000;
    terms.bounds = {.invited = 3};
    return terms;
  }

  PaidCounts Paid(const SessionId& session, const std::vector<std::vector<std::int64_t>>& blocks) {
    PaidCounts counts(Permit(session));
    for (const std::vector<std::int64_t>& block : blocks) counts.AddBlock(block);
    return counts;
  }

  absl::Status Add(const SessionTerms& terms, const SessionId& session, const ContributionSource& source) {
    return AddContribution(terms, session, source, stands_in_for_, noise_, vector_);
  }

  void ExpectRefused(const absl::Status& status, const std::string& why) {
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(why));
    EXPECT_THAT(vector_.ToSigned(), ElementsAre(0, 0, 0)) << "something was added all the same";
  }

  ScratchPath path_{"contribution"};
  Ledger ledger_ = Ledger::OpenOrCreate(path_, TermsAllowing(Fraction64(10)), NoonClock()).value();
  std::int64_t round_ = 0;
  int stands_in_for_ = 0;
  SeededRandomSource noise_{1};
  RingVector vector_{64, 3};
};

TEST_F(ContributionTest, OfPaidCountsIsAddedWithTheNoiseOfTheTerms) {
  const ContributionSource source = [this] { return Paid(Session(1), {{100'000, 200'000}, {300'000}}); };
  ASSERT_TRUE(Add(TermsOf(Rational(32, 1), Rational(33, 1)), Session(1), source).ok());
  const std::vector<std::int64_t> sent = vector_.ToSigned();
  EXPECT_THAT(sent, ElementsAre(NearlyBy(100, 100'000), NearlyBy(100, 200'000), NearlyBy(100, 300'000)));
  EXPECT_THAT(sent, Not(ElementsAre(100'000, 200'000, 300'000))) << "no noise";
}

// Of three, of whom none drops out or colludes: alone it has a third of the variance, and with those of two others all
// of it. Six standard errors: alpha 2e-9.
TEST_F(ContributionTest, OfOneWhoStandsInForOthersHasTheirNoise) {
  constexpr std::uint32_t kEntries = 100'000;
  constexpr double kVariance = 300;
  SessionTerms terms = TermsOf(Rational(300, 1), Rational(300, 1));
  terms.blocks = {{.entries = kEntries, .sigma_squared = Rational(300, 1)}};
  for (const int others : {0, 1, 2}) {
    RingVector vector(64, kEntries);
    ASSERT_TRUE(AddContribution(
                    terms, Session(1), [] { return MadeUpCounts({std::vector<std::int64_t>(kEntries)}); }, others,
                    noise_, vector)
                    .ok());
    double squares = 0;
    for (const std::int64_t value : vector.ToSigned()) squares += static_cast<double>(value * value);
    const double expected = kVariance * (1 + others) / 3;
    EXPECT_NEAR(squares / kEntries / expected, 1, 6 * std::sqrt(2.0 / kEntries)) << others;
  }
}

// A refusal would tell that there is such a count.
TEST_F(ContributionTest, WithACountBeyondTheBoundIsTheBound) {
  SessionTerms terms = TermsOf(Rational(0, 1), Rational(0, 1));
  terms.entry_bound = 5;
  ASSERT_TRUE(Add(terms, Session(1), [] { return MadeUpCounts({{6, -1'000}, {5}}); }).ok());
  EXPECT_THAT(vector_.ToSigned(), ElementsAre(5, -5, 5));
}

TEST_F(ContributionTest, ThatWasPaidForAnotherSumIsRefused) {
  const ContributionSource source = [this] { return Paid(Session(2), {{1, 2}, {3}}); };
  ExpectRefused(Add(TermsOf(Rational(32, 1), Rational(32, 1)), Session(1), source), "another sum");
}

// Less was paid than it would cost.
TEST_F(ContributionTest, WithLessNoiseThanWasPaidForInAnyBlockIsRefused) {
  const ContributionSource source = [this] { return Paid(Session(1), {{1, 2}, {3}}); };
  ExpectRefused(Add(TermsOf(Rational(32, 1), Rational(31, 1)), Session(1), source), "block 1 has less noise");
  ExpectRefused(Add(TermsOf(Rational(0, 1), Rational(32, 1)), Session(1), source), "block 0 has less noise");
}

TEST_F(ContributionTest, OfAnotherSizeThanTheTermsHaveIsRefused) {
  const SessionTerms terms = TermsOf(Rational(32, 1), Rational(32, 1));
  ExpectRefused(Add(terms, Session(1), [this] { return Paid(Session(1), {{1, 2}, {3, 4}}); }), "block 1 has 1 entries");
  ExpectRefused(Add(terms, Session(1), [this] { return Paid(Session(1), {{1, 2}}); }), "2 blocks");
  ExpectRefused(Add(terms, Session(1), [] { return Ballot(3, {}); }), "2 blocks");
}

TEST_F(ContributionTest, OfABallotIsAOneForEachThatWasChosen) {
  const std::vector<std::size_t> chosen = {2, 0};
  SessionTerms terms = TermsOf(Rational(0, 1), Rational(0, 1));
  terms.blocks = {{.entries = 3}};
  ASSERT_TRUE(Add(terms, Session(1), [&] { return Ballot(3, chosen); }).ok());
  EXPECT_THAT(vector_.ToSigned(), ElementsAre(1, 0, 1));
}

TEST_F(ContributionTest, OfMadeUpCountsMayGoAnywhere) {
  ASSERT_TRUE(Add(TermsOf(Rational(0, 1), Rational(0, 1)), Session(9), [] {
                return MadeUpCounts({{4, 5}, {6}});
              }).ok());
  EXPECT_THAT(vector_.ToSigned(), ElementsAre(4, 5, 6));
}

TEST_F(ContributionTest, IsNotPaidForByAPermitThatWasUsed) {
  SumPermit permit = Permit(Session(1));
  const auto pay = [](SumPermit& with) { return PaidCounts(std::move(with)); };
  EXPECT_EQ(pay(permit).permit()->sum(), NameOfSum(Session(1)));
  EXPECT_DEATH(pay(permit), "this permit has been used");
}

TEST(BallotDeathTest, HasNoPlaceForWhatIsNoCandidate) {
  const std::vector<std::size_t> chosen = {3};
  EXPECT_DEATH(Ballot(3, chosen), "CHECK");
}

}  // namespace
}  // namespace flaim::secagg
