#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/observe/display.h"
#include "runtime/observe/study_status_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::ExampleStatus;
using testing_support::RandomStatus;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(StudyStatusText, SaysHowTheStudyStands) {
  const std::vector<std::string> lines = Lines(ToText(ExampleStatus(5), 80));
  EXPECT_EQ(lines[0], "stroke-outcomes-2030: running");
  EXPECT_THAT(lines, Contains("promise   epsilon 1, delta 1e-06"));
  EXPECT_THAT(lines, Contains("rounds    7 of 10 done, about 24 s left"));
  EXPECT_THAT(lines, Contains("sum       marginals of round 8: masked vectors, 3 of 4 answered"));
  EXPECT_THAT(lines, Contains("sites     4 of 5 approved ones online, at least 3 needed"));
  EXPECT_THAT(lines, Contains("records   about 48835"));
  EXPECT_THAT(lines, Contains("traffic   6.2 MB from the sites, 22 MB to them"));
  EXPECT_THAT(lines, Contains("●  hospital-1       now       7  0.0189  1.2 MB    4.3 MB"));
  EXPECT_THAT(lines, Contains("○  hospital-3  45 s ago       3  0.0081  1.2 MB    4.3 MB"));
  EXPECT_THAT(lines, Contains("    7      4  8.0 s   61.3  age × income, diagnosis × ward"));
  EXPECT_THAT(lines, Contains("00:00:25 warning: site lost  site=hospital-3"));
  EXPECT_THAT(lines, Each(Not(HasSubstr("NOT PRIVATE"))));
}

TEST(StudyStatusText, SaysLoudlyThatResearchIsNotPrivate) {
  StudyStatus status = ExampleStatus(5);
  status.is_research = true;
  const std::string text = ToText(status, 80);
  EXPECT_THAT(Lines(text)[1], HasSubstr("NOT PRIVATE"));
  EXPECT_THAT(text, Not(HasSubstr("epsilon")));
}

TEST(StudyStatusText, SaysWhereTheResultIsOrWhyThereIsNone) {
  StudyStatus status = ExampleStatus(5);
  status.phase = StudyPhase::kFinished;
  status.result = "study/model.flaim";
  EXPECT_THAT(Lines(ToText(status, 80)), Contains("result    study/model.flaim"));
  status.phase = StudyPhase::kFailed;
  status.failure = "too few sites";
  EXPECT_THAT(Lines(ToText(status, 80)), Contains("failure   too few sites"));
}

TEST(StudyStatusText, FitsEveryTerminal) {
  StudyStatus wide = ExampleStatus(100);
  wide.study = std::string(300, 's');
  wide.sites[0].name = std::string(300, 'n');
  wide.rounds[6].chosen.assign(50, "one column × another");
  SeededRandomSource random(3);
  for (int columns = 0; columns <= 220; columns += 10) {
    for (const StudyStatus& status : {ExampleStatus(5), wide, RandomStatus(random), RandomStatus(random)}) {
      for (const std::string& line : Lines(ToText(status, columns))) {
        ASSERT_LE(TextWidth(line), static_cast<std::size_t>(std::max(columns, 60))) << line;
        ASSERT_EQ(line, Printable(line));
      }
    }
  }
}

TEST(StudyStatusText, SaysHowManySitesAndRoundsItLeavesOut) {
  const std::vector<std::string> lines = Lines(ToText(ExampleStatus(100), 80));
  EXPECT_THAT(lines, Contains("   and 60 more"));
  const auto titles =
      std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("   site"); });
  ASSERT_NE(titles, lines.end());
  EXPECT_THAT(*(titles + 1), HasSubstr("hospital-3")) << "who is missing comes first";
  StudyStatus status = ExampleStatus(3);
  for (int i = 0; i < 4; ++i) status.rounds.push_back(status.rounds.back());
  EXPECT_THAT(Lines(ToText(status, 80)), Contains("and 3 before"));
}

}  // namespace
}  // namespace flaim::runtime
