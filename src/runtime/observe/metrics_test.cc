#include "runtime/observe/metrics.h"

#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/observe/study_status_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using testing_support::ExampleStatus;

using Labels = std::map<std::string, std::string>;

// A reader of the format by its description, which shares nothing with the writer.
class Scrape {
 public:
  explicit Scrape(const std::string& text) {
    EXPECT_TRUE(text.ends_with('\n'));
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with('#')) {
        ReadComment(line);
      } else {
        ReadSample(line);
      }
    }
  }

  std::optional<double> Value(const std::string& name, const Labels& labels = {}) const {
    const auto found = samples_.find({name, labels});
    return found == samples_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::map<std::string, std::string>& types() const { return types_; }
  const std::map<std::pair<std::string, Labels>, double>& samples() const { return samples_; }

 private:
  void ReadComment(const std::string& line) {
    std::istringstream in(line);
    std::string hash, kind, name, rest;
    in >> hash >> kind >> name;
    std::getline(in, rest);
    ASSERT_TRUE(kind == "HELP" || kind == "TYPE") << line;
    if (kind == "HELP") return;
    ASSERT_TRUE(rest == " gauge" || rest == " counter") << line;
    ASSERT_TRUE(types_.emplace(name, rest.substr(1)).second) << name << " has two types";
    current_ = name;
  }

  void ReadSample(const std::string& line) {
    std::size_t at = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    const std::string name = line.substr(0, at);
    ASSERT_EQ(name, current_) << "the samples of a metric stand together, below its type";
    Labels labels;
    if (line[at] == '{') at = ReadLabels(line, at + 1, labels);
    ASSERT_EQ(line.at(at), ' ') << line;
    std::size_t read = 0;
    const std::string number = line.substr(at + 1);
    const double value = std::stod(number, &read);
    ASSERT_EQ(read, number.size()) << line;
    ASSERT_TRUE(samples_.emplace(std::pair(name, labels), value).second) << line << " is there twice";
  }

  static std::size_t ReadLabels(const std::string& line, std::size_t at, Labels& labels) {
    while (line.at(at) != '}') {
      const std::size_t equals = line.find("=\"", at);
      const std::string label = line.substr(at, equals - at);
      std::string value;
      for (at = equals + 2; line.at(at) != '"'; ++at) {
        if (line[at] != '\\') {
          value += line[at];
          continue;
        }
        const char escaped = line.at(++at);
        EXPECT_TRUE(escaped == 'n' || escaped == '"' || escaped == '\\') << line;
        value += escaped == 'n' ? '\n' : escaped;
      }
      EXPECT_TRUE(labels.emplace(label, value).second) << line;
      if (line.at(++at) == ',') ++at;
    }
    return at + 1;
  }

  std::string current_;
  std::map<std::string, std::string> types_;
  std::map<std::pair<std::string, Labels>, double> samples_;
};

TEST(Metrics, SayHowTheStudyStands) {
  const StudyStatus status = ExampleStatus(5);
  const Scrape scrape(ToMetrics(status));
  EXPECT_EQ(scrape.Value("flaim_sites_approved"), 5);
  EXPECT_EQ(scrape.Value("flaim_sites_online"), 4);
  EXPECT_EQ(scrape.Value("flaim_sites_required"), 3);
  EXPECT_EQ(scrape.Value("flaim_rounds_done"), 7);
  EXPECT_EQ(scrape.Value("flaim_rounds_planned"), 10);
  EXPECT_EQ(scrape.Value("flaim_left_seconds"), 24);
  EXPECT_EQ(scrape.Value("flaim_budget_spent_ratio"), 0.7);
  EXPECT_EQ(scrape.Value("flaim_epsilon"), 1);
  EXPECT_EQ(scrape.Value("flaim_delta"), 1e-6);
  EXPECT_EQ(scrape.Value("flaim_research_mode"), 0);
  EXPECT_EQ(scrape.Value("flaim_records_estimate"), 48'835);
  EXPECT_EQ(scrape.Value("flaim_started_timestamp_seconds"), 1'893'456'000);
  EXPECT_EQ(scrape.Value("flaim_log_lines_total", {{"level", "info"}}), 12);
  EXPECT_EQ(scrape.Value("flaim_log_lines_total", {{"level", "warning"}}), 1);
  EXPECT_EQ(scrape.Value("flaim_study_info", {{"study", status.study},
                                              {"method", status.method},
                                              {"software", status.software},
                                              {"manifest", status.manifest}}),
            1);
}

TEST(Metrics, SayWhatEachSiteDid) {
  const StudyStatus status = ExampleStatus(5);
  const Scrape scrape(ToMetrics(status));
  for (const SiteStatus& site : status.sites) {
    const Labels labels = {{"site", site.name}};
    EXPECT_EQ(scrape.Value("flaim_site_online", labels), site.is_online ? 1 : 0);
    EXPECT_EQ(scrape.Value("flaim_site_rounds_total", labels), site.rounds_served);
    EXPECT_EQ(scrape.Value("flaim_site_rho_spent", labels), site.rho_spent);
    EXPECT_EQ(scrape.Value("flaim_site_sent_bytes_total", labels), site.sent_bytes);
    EXPECT_EQ(scrape.Value("flaim_site_received_bytes_total", labels), site.received_bytes);
    EXPECT_EQ(scrape.Value("flaim_site_last_seen_timestamp_seconds", labels),
              static_cast<double>(site.last_seen_unix_ms) / 1000);
  }
}

TEST(Metrics, AreInOnePhaseAtATime) {
  for (const StudyPhase phase : {StudyPhase::kEnrolling, StudyPhase::kWaiting, StudyPhase::kRunning,
                                 StudyPhase::kFinished, StudyPhase::kFailed}) {
    StudyStatus status;
    status.phase = phase;
    const Scrape scrape(ToMetrics(status));
    double sum = 0;
    for (const auto& [sample, value] : scrape.samples()) sum += sample.first == "flaim_phase" ? value : 0;
    EXPECT_EQ(scrape.Value("flaim_phase", {{"phase", ToString(phase)}}), 1);
    EXPECT_EQ(sum, 1);
  }
}

TEST(Metrics, EscapeTheNamesOfSites) {
  StudyStatus status = ExampleStatus(2);
  for (const char* name : {"a\"} 1\nflaim_epsilon 9", "back\\slash\\n", "new\nline", "Süd", ""}) {
    status.sites[0].name = name;
    const Scrape scrape(ToMetrics(status));
    EXPECT_EQ(scrape.Value("flaim_site_rounds_total", {{"site", name}}), 7);
    EXPECT_EQ(scrape.Value("flaim_epsilon"), 1);
  }
}

TEST(Metrics, KnowInfinityAndLeaveOutWhatIsNotKnown) {
  StudyStatus status;
  status.epsilon = INFINITY;
  status.delta = NAN;
  const Scrape scrape(ToMetrics(status));
  EXPECT_EQ(scrape.Value("flaim_epsilon"), INFINITY);
  EXPECT_TRUE(std::isnan(scrape.Value("flaim_delta").value_or(0)));
  EXPECT_THAT(scrape.types(), Not(Contains(Key("flaim_left_seconds"))));
  EXPECT_THAT(scrape.types(), Not(Contains(Key("flaim_site_online"))));
}

TEST(Metrics, CallCountersTotalAndNothingElse) {
  const Scrape scrape(ToMetrics(ExampleStatus(2)));
  for (const auto& [name, type] : scrape.types()) {
    EXPECT_EQ(type == "counter", name.ends_with("_total")) << name;
  }
}

}  // namespace
}  // namespace flaim::runtime
