#include "experiments/report/report.h"

#include <regex>

#include "experiments/report/markup.h"
#include "experiments/report/report_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::ordered_json;

// What is wrong with the nesting of elements; empty if each is closed by the one that opened it, attributes are quoted
// and texts hold no stray markup.
std::string ExplainBadMarkup(const std::string& html) {
  std::vector<std::string> open;
  static const std::regex opening(R"(^<([a-z0-9]+)((?: [a-zA-Z-]+="[^"<>]*")*)(/?)>)", std::regex::optimize);
  for (std::size_t at = html.find('\n') + 1; (at = html.find_first_of("<>", at)) != std::string::npos;) {
    if (html[at] == '>' && (open.empty() || open.back() != "style")) return html.substr(at > 40 ? at - 40 : 0, 80);
    if (html[at] == '>') {
      ++at;
      continue;
    }
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "a tag without end";
    const std::string tag = html.substr(at, end - at + 1);
    std::smatch match;
    if (tag.starts_with("</")) {
      if (open.empty() || tag != "</" + open.back() + ">") return "unexpected " + tag;
      open.pop_back();
    } else if (!std::regex_match(tag, match, opening)) {
      return "not a tag: " + tag;
    } else if (match[3].length() == 0) {
      open.push_back(match[1]);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

std::vector<ExperimentResults> AllKinds(int seeds) {
  std::vector<ExperimentResults> all;
  all.push_back(FakeManyDatasets(seeds));
  all.push_back(FakeByEpsilon(seeds));
  all.push_back(FakeByParticipation(seeds));
  all.push_back(FakeByRounds(seeds));
  all.push_back(FakeRanks(seeds));
  all.push_back(FakeHeterogeneity(seeds));
  return all;
}

TEST(Report, IsWellFormedAndNeedsNothingFromElsewhere) {
  for (const int seeds : {1, 3}) {
    const std::string html = RenderReport(AllKinds(seeds), {.version = "1.2.3", .made = "today"});
    EXPECT_EQ(ExplainBadMarkup(html), "");
    EXPECT_THAT(html, Not(HasSubstr("http")));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("<link")));
    EXPECT_THAT(html, Not(HasSubstr("url(")));
    EXPECT_THAT(html, Not(HasSubstr("@import")));
    EXPECT_THAT(html, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(html, HasSubstr("FLAIM 1.2.3, today"));
  }
}

TEST(Report, MarkupCheckerFindsMistakes) {
  EXPECT_EQ(ExplainBadMarkup("<!DOCTYPE html>\n<p>a<br/></p>"), "");
  EXPECT_NE(ExplainBadMarkup("<!DOCTYPE html>\n<p><b></p></b>"), "");
  EXPECT_NE(ExplainBadMarkup("<!DOCTYPE html>\n<p>"), "");
  EXPECT_NE(ExplainBadMarkup("<!DOCTYPE html>\n<p>a > b</p>"), "");
  EXPECT_NE(ExplainBadMarkup("<!DOCTYPE html>\n<p class=x></p>"), "");
}

TEST(Report, IsTheSameForTheSameResults) {
  const std::vector<ExperimentResults> all = AllKinds(2);
  EXPECT_EQ(RenderReport(all, {}), RenderReport(all, {}));
}

TEST(Report, SaysWhichRunsAreDone) {
  const ExperimentResults results = FakeManyDatasets(4);
  const std::string html = RenderReport(std::span(&results, 1), {});
  EXPECT_THAT(html, HasSubstr("212 of 217 runs done, 1 failed"));
  EXPECT_THAT(html, HasSubstr("NaiveFLAIM: the model would need 3.1 GB &lt;of memory&gt;"));
  EXPECT_THAT(html, HasSubstr("of processor time for 213 runs"));
}

TEST(Report, ExplainsTheResultsItShowsAndNoOthers) {
  const ExperimentResults results = FakeHeterogeneity(2);
  const std::string html = RenderReport(std::span(&results, 1), {});
  EXPECT_THAT(html, HasSubstr("<code>heterogeneity</code>"));
  EXPECT_THAT(html, Not(HasSubstr("<code>nll</code>")));
}

TEST(Report, SurvivesHostileTexts) {
  const std::string hostile = "</style></title><script>alert(\"x\")</script><!-- & ' \x01";
  ExperimentResults results;
  Experiment& experiment = results.experiment;
  experiment.name = hostile;
  experiment.title = hostile;
  experiment.about = hostile;
  experiment.methods = {hostile};
  experiment.ours = {hostile};
  RunSettings settings;
  settings.dataset = hostile;
  settings.seed = 1;
  AddRun(results, hostile, settings, {{hostile, 0.5}});
  settings.seed = 2;
  AddRun(results, hostile, settings, Json(), hostile);
  experiment.tables.push_back({hostile, TableKind::kMeans, {"method"}, "dataset", {hostile}, "", ""});
  experiment.tables.push_back({hostile, TableKind::kRatio, {hostile}, hostile, {hostile}, hostile, hostile});
  experiment.tables.push_back({hostile, TableKind::kOverhead, {"dataset"}, "", {hostile}, hostile, hostile});
  experiment.tables.push_back({hostile, TableKind::kRanks, {"method"}, hostile, {hostile}, "", ""});
  experiment.plots.push_back({.title = hostile, .x = hostile, .y = hostile, .lines = hostile, .panels = hostile});
  experiment.paper.push_back({{{"method", hostile}, {"dataset", hostile}}, {}, hostile});
  const std::string html = RenderReport(std::span(&results, 1), {hostile, hostile, hostile});
  EXPECT_EQ(ExplainBadMarkup(html), "");
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
}

TEST(Report, HasDistinctAnchorsForItsContents) {
  const std::vector<ExperimentResults> twice = {FakeHeterogeneity(1), FakeHeterogeneity(1)};
  const std::string html = RenderReport(twice, {});
  for (const char* anchor : {"table5", "table5-2", "names"}) {
    EXPECT_THAT(html, HasSubstr(std::string("href=\"#") + anchor + "\""));
    EXPECT_THAT(html, HasSubstr(std::string("id=\"") + anchor + "\""));
  }
}

TEST(Report, OfNothingIsStillAPage) {
  EXPECT_THAT(ExplainBadMarkup(RenderReport({}, {})), IsEmpty());
  const ExperimentResults empty;
  EXPECT_THAT(ExplainBadMarkup(RenderReport(std::span(&empty, 1), {})), IsEmpty());
}

TEST(Report, OfEverythingThePaperHasStaysSmall) {
  std::vector<ExperimentResults> all = AllKinds(2);
  for (int copy = 0; copy < 8; ++copy) all.push_back(FakeByEpsilon(2));
  for (int copy = 0; copy < 4; ++copy) all.push_back(FakeByRounds(2));
  EXPECT_LT(RenderReport(all, {}).size(), 3'000'000U);
}

}  // namespace
}  // namespace flaim
