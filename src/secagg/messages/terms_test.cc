#include "secagg/messages/terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace flaim::secagg {
namespace {

SessionTerms ValidTerms() {
  SessionTerms terms;
  terms.blocks = {{.entries = 4, .sigma_squared = Rational(100, 1)}, {.entries = 2}, {.entries = 5}};
  terms.entry_bound = 1000;
  terms.bounds = {.invited = 10, .dropouts = 2, .colluders = 1};
  terms.graph = *ChooseGraph(terms.bounds);
  terms.ring_bits = 32;
  return terms;
}

void ExpectRefused(const SessionTerms& terms, const std::string& why) {
  const absl::Status status = ValidateTerms(terms);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(status.message()).find(why), std::string::npos) << status;
}

TEST(Terms, AreValidAsChosen) { EXPECT_TRUE(ValidateTerms(ValidTerms()).ok()) << ValidateTerms(ValidTerms()); }

TEST(Terms, NeedAnHonestContributionThatIsCertain) {
  SessionTerms terms = ValidTerms();
  terms.bounds = {.invited = 5, .dropouts = 3, .colluders = 2};
  ExpectRefused(terms, "no honest contribution is certain");
}

TEST(Terms, RefuseAnExactSumOfWhichAllButOneContributionMayBeKnown) {
  SessionTerms terms = ValidTerms();
  terms.bounds = {.invited = 3, .dropouts = 0, .colluders = 2};
  terms.graph = {.degree = 2, .threshold = 2};
  ExpectRefused(terms, "the sum would be that contribution");
  terms.bounds.colluders = 0;
  EXPECT_TRUE(ValidateTerms(terms).ok()) << ValidateTerms(terms);
}

TEST(Terms, RefuseAnExactSumOfOne) {
  SessionTerms terms = ValidTerms();
  terms.bounds = {.invited = 1};
  terms.graph = {};
  ExpectRefused(terms, "the sum would be that contribution");
  terms.blocks = {{.entries = 3, .sigma_squared = Rational(9, 1)}};
  EXPECT_TRUE(ValidateTerms(terms).ok()) << ValidateTerms(terms);
}

TEST(Terms, RefuseGraphsThatCannotBe) {
  for (const GraphParameters graph : {GraphParameters{.degree = 10, .threshold = 5},
                                      {.degree = 5, .threshold = 3},
                                      {.degree = -2, .threshold = 1},
                                      {.degree = 9, .threshold = 10},
                                      {.degree = 9, .threshold = 0}}) {
    SessionTerms terms = ValidTerms();
    terms.graph = graph;
    ExpectRefused(terms, "use ChooseGraph");
  }
}

TEST(Terms, RefuseGraphsThatDoNotBearTheDropouts) {
  SessionTerms terms = ValidTerms();
  terms.bounds = {.invited = 10, .dropouts = 5};
  terms.graph = {.degree = 9, .threshold = 6};
  ExpectRefused(terms, "do not bear 5 dropouts");
  terms.bounds = {.invited = 10, .dropouts = 4};
  EXPECT_TRUE(ValidateTerms(terms).ok()) << ValidateTerms(terms);
  terms.graph.threshold = 7;
  ExpectRefused(terms, "do not bear 4 dropouts");
}

TEST(Terms, RefuseBlocksThatAreEmptyAndSumsOfNothing) {
  SessionTerms terms = ValidTerms();
  terms.blocks[1].entries = 0;
  ExpectRefused(terms, "block 1 has no entries");
  terms.blocks.clear();
  ExpectRefused(terms, "0 entries");
}

TEST(Terms, RefuseARingThatASumCouldOverflow) {
  SessionTerms terms = ValidTerms();
  const int least = *LeastRingBits(terms);
  terms.ring_bits = least;
  EXPECT_TRUE(ValidateTerms(terms).ok());
  terms.ring_bits = least - 1;
  ExpectRefused(terms, "bits");
  terms.ring_bits = 65;
  ExpectRefused(terms, "bits");
  terms = ValidTerms();
  terms.entry_bound = std::int64_t{1} << 62;
  ExpectRefused(terms, "64 bits");
  terms.entry_bound = -1;
  ExpectRefused(terms, "negative");
}

TEST(LeastRingBits, HoldTheLargestSumOfEitherSignAndNoMoreThanTwiceThat) {
  for (int invited = 2; invited <= 40; ++invited) {
    for (const std::int64_t bound : {1, 2, 3, 7, 8, 100, 1023, 1024, 1025, 1'000'000}) {
      SessionTerms terms = ValidTerms();
      terms.blocks = {{.entries = 1}};
      terms.bounds = {.invited = invited};
      terms.entry_bound = bound;
      const int bits = *LeastRingBits(terms);
      const double largest = static_cast<double>(bound) * invited;
      EXPECT_LT(largest, std::exp2(bits - 1));
      EXPECT_GE(largest, std::exp2(bits - 2));
    }
  }
}

// Everybody may draw what privacy rests on by itself.
TEST(LeastRingBits, LeaveRoomForTwelveDeviationsOfAllNoise) {
  SessionTerms terms = ValidTerms();
  terms.blocks = {{.entries = 1, .sigma_squared = Rational(1'000'000, 1)}};
  terms.entry_bound = 0;
  const NoisePlan plan = NoiseOf(terms, 0);
  const int shares = terms.bounds.LeastSurvivors() - terms.bounds.colluders;
  const double reach = 12 * std::sqrt(shares * plan.VarianceOf(10)) * static_cast<double>(plan.resolution());
  EXPECT_EQ(*LeastRingBits(terms), static_cast<int>(std::ceil(std::log2(reach))) + 1);
}

TEST(FirstDifference, NamesEachTermThatDiffers) {
  const std::vector<std::pair<std::string, std::function<void(SessionTerms&)>>> changes = {
      {"the roster", [](SessionTerms& terms) { terms.roster[5] ^= 1; }},
      {"the model", [](SessionTerms& terms) { terms.model[0] ^= 1; }},
      {"the workload", [](SessionTerms& terms) { terms.workload[31] ^= 1; }},
      {"the blocks", [](SessionTerms& terms) { terms.blocks[0].sigma_squared = Rational(1, 2); }},
      {"the bound of counts", [](SessionTerms& terms) { ++terms.entry_bound; }},
      {"dropouts", [](SessionTerms& terms) { ++terms.bounds.dropouts; }},
      {"degree or threshold", [](SessionTerms& terms) { ++terms.graph.threshold; }},
      {"the committee", [](SessionTerms& terms) { terms.committee = 5; }},
      {"the ring", [](SessionTerms& terms) { ++terms.ring_bits; }},
      {"the mask generator", [](SessionTerms& terms) { terms.cipher = MaskCipher::kChaCha20; }}};
  for (const auto& [name, change] : changes) {
    SessionTerms changed = ValidTerms();
    change(changed);
    EXPECT_FALSE(changed == ValidTerms()) << name;
    EXPECT_NE(FirstDifference(ValidTerms(), changed).find(name), std::string::npos)
        << FirstDifference(ValidTerms(), changed);
  }
  EXPECT_EQ(FirstDifference(ValidTerms(), ValidTerms()), "");
}

TEST(EntriesOf, AreThoseOfAllBlocks) {
  EXPECT_EQ(EntriesOf(ValidTerms()), 11U);
  EXPECT_EQ(EntriesOf({}), 0U);
}

TEST(GraphAmong, IsNeverDenserThanThoseWhoCame) {
  const SessionTerms terms = ValidTerms();
  EXPECT_EQ(GraphAmong(terms, 10), terms.graph);
  EXPECT_EQ(GraphAmong(terms, 8).degree, 7);
  EXPECT_EQ(GraphAmong(terms, 3).degree, 2);
  EXPECT_LE(GraphAmong(terms, 3).threshold, 2);
}

}  // namespace
}  // namespace flaim::secagg
