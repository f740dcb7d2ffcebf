#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "runtime/observe/display.h"
#include "runtime/observe/study_status.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kFewestColumns = 60;
constexpr std::size_t kLabelColumns = 10;
constexpr std::size_t kShownSites = 40;
constexpr std::size_t kShownRounds = 8;
constexpr std::size_t kShownLines = 10;

// Lines of a limited width.
class Page {
 public:
  explicit Page(std::size_t columns) : columns_(columns) {}

  std::size_t columns() const { return columns_; }
  void Line(std::string_view text) {
    std::string line = CutTo(text, columns_);
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + '\n';
  }
  void Fact(std::string_view label, std::string_view value) {
    Line(fmt::format("{}{}", PadTo(label, kLabelColumns), value));
  }
  std::string Take() { return std::move(text_); }

 private:
  const std::size_t columns_;
  std::string text_;
};

// A table whose first or last column takes what the others leave.
struct Column {
  std::string title;
  bool is_number = true;
};

class TextTable {
 public:
  TextTable(std::vector<Column> columns, std::size_t flexible) : columns_(std::move(columns)), flexible_(flexible) {}

  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  void Print(Page& page) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      widths.push_back(TextWidth(columns_[i].title));
      for (const auto& row : rows_) widths[i] = std::max(widths[i], TextWidth(row[i]));
    }
    std::size_t others = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) others += i == flexible_ ? 0 : widths[i] + 2;
    const std::size_t left = page.columns() > others ? page.columns() - others : 0;
    widths[flexible_] = std::min(widths[flexible_], std::max<std::size_t>(left, 8));
    std::vector<std::string> titles;
    for (const Column& column : columns_) titles.push_back(column.title);
    page.Line(Format(titles, widths));
    for (const auto& row : rows_) page.Line(Format(row, widths));
  }

 private:
  std::string Format(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = CutTo(row[i], widths[i]);
      const std::string space(widths[i] - TextWidth(cell), ' ');
      line += fmt::format("{}{}{}", i == 0 ? "" : "  ", columns_[i].is_number ? space : cell,
                          columns_[i].is_number ? cell : space);
    }
    return line;
  }

  const std::vector<Column> columns_;
  const std::size_t flexible_;
  std::vector<std::vector<std::string>> rows_;
};

std::string Ago(std::int64_t then_unix_ms, std::int64_t now_unix_ms) {
  const double ms = static_cast<double>(now_unix_ms) - static_cast<double>(then_unix_ms);
  return fmt::format("{} ago", DurationInShort(ms / 1000));
}

std::string Promise(const StudyStatus& status) {
  if (status.is_research) return "none: the noise is seeded";
  return fmt::format("epsilon {:.4g}, delta {:.4g}", status.epsilon, status.delta);
}

std::string Rounds(const StudyStatus& status) {
  std::string text = fmt::format("{} done", status.rounds.size());
  if (status.rounds_planned > 0) text = fmt::format("{} of {} done", status.rounds.size(), status.rounds_planned);
  if (status.seconds_left) text += fmt::format(", about {} left", DurationInShort(*status.seconds_left));
  return text;
}

std::string Budget(const StudyStatus& status, std::size_t columns) {
  const std::string words = fmt::format("{:.0f}% of the plan; rho {:.4g} for each site",
                                        100 * std::clamp(status.share_spent, 0.0, 1.0), status.rho_allowance);
  const std::size_t taken = kLabelColumns + TextWidth(words) + 2;
  const std::size_t bar = std::min<std::size_t>(columns > taken ? columns - taken : 0, 30);
  return bar < 5 ? words : fmt::format("{}  {}", Bar(status.share_spent, bar), words);
}

std::string Traffic(const StudyStatus& status) {
  double sent = 0;
  double received = 0;
  for (const SiteStatus& site : status.sites) {
    sent += static_cast<double>(site.sent_bytes);
    received += static_cast<double>(site.received_bytes);
  }
  return fmt::format("{} from the sites, {} to them", BytesInShort(sent), BytesInShort(received));
}

void PrintHeading(const StudyStatus& status, Page& page) {
  page.Line(fmt::format("{}: {}", Printable(status.study), ToString(status.phase)));
  if (status.is_research) page.Line("RESEARCH: seeded noise, NOT PRIVATE");
  if (!status.failure.empty()) page.Fact("failure", Printable(status.failure));
  if (!status.result.empty()) page.Fact("result", Printable(status.result));
  page.Line("");
}

void PrintFacts(const StudyStatus& status, Page& page) {
  page.Fact("method", Printable(status.method));
  page.Fact("promise", Promise(status));
  page.Fact("budget", Budget(status, page.columns()));
  page.Fact("rounds", Rounds(status));
  if (status.sum) {
    page.Fact("sum", fmt::format("{}: {}, {} of {} answered", Printable(status.sum->name), Printable(status.sum->stage),
                                 status.sum->answered, status.sum->expected));
  }
  page.Fact("sites", fmt::format("{} of {} approved ones online, at least {} needed", OnlineSites(status),
                                 ApprovedSites(status), status.minimum_sites));
  if (!status.rounds.empty()) page.Fact("records", fmt::format("about {:.0f}", status.rounds.back().records));
  page.Fact("traffic", Traffic(status));
  if (status.started_unix_ms > 0) page.Fact("started", Ago(status.started_unix_ms, status.now_unix_ms));
}

std::string LastSeen(const SiteStatus& site, std::int64_t now_unix_ms) {
  if (!site.is_approved) return "not approved";
  if (site.is_online) return "now";
  if (site.last_seen_unix_ms == 0) return "never";
  return Ago(site.last_seen_unix_ms, now_unix_ms);
}

// Who is missing comes first, so that nobody is missed among many.
void PrintSites(const StudyStatus& status, Page& page) {
  if (status.sites.empty()) return;
  TextTable table({{"", false}, {"site", false}, {"seen"}, {"rounds"}, {"rho"}, {"sent"}, {"received"}}, 1);
  std::vector<SiteStatus> sites = status.sites;
  std::stable_partition(sites.begin(), sites.end(), [](const SiteStatus& site) { return !site.is_online; });
  const std::size_t shown = std::min(sites.size(), kShownSites);
  for (std::size_t i = 0; i < shown; ++i) {
    const SiteStatus& site = sites[i];
    table.Add({site.is_online ? "●" : "○", Printable(site.name), LastSeen(site, status.now_unix_ms),
               fmt::format("{}", site.rounds_served), fmt::format("{:.4g}", site.rho_spent),
               BytesInShort(static_cast<double>(site.sent_bytes)),
               BytesInShort(static_cast<double>(site.received_bytes))});
  }
  page.Line("");
  table.Print(page);
  if (shown < status.sites.size()) page.Line(fmt::format("   and {} more", status.sites.size() - shown));
}

void PrintRounds(const StudyStatus& status, Page& page) {
  if (status.rounds.empty()) return;
  TextTable table({{"round"}, {"sites"}, {"time"}, {"sigma"}, {"queries", false}}, 4);
  const std::size_t shown = std::min(status.rounds.size(), kShownRounds);
  for (std::size_t i = 0; i < shown; ++i) {
    const RoundStatus& round = status.rounds[status.rounds.size() - 1 - i];
    std::string chosen;
    for (const std::string& query : round.chosen) chosen += (chosen.empty() ? "" : ", ") + Printable(query);
    table.Add({fmt::format("{}", round.round), fmt::format("{}", round.members), DurationInShort(round.seconds),
               fmt::format("{:.4g}", round.sigma), chosen});
  }
  page.Line("");
  table.Print(page);
  if (shown < status.rounds.size()) page.Line(fmt::format("and {} before", status.rounds.size() - shown));
}

void PrintLog(const StudyStatus& status, Page& page) {
  if (status.log.empty()) return;
  page.Line("");
  const std::size_t skipped = status.log.size() - std::min(status.log.size(), kShownLines);
  for (std::size_t i = skipped; i < status.log.size(); ++i) page.Line(ToText(status.log[i]));
}

}  // namespace

std::string ToText(const StudyStatus& status, int columns) {
  Page page(std::max(static_cast<std::size_t>(std::max(columns, 0)), kFewestColumns));
  PrintHeading(status, page);
  PrintFacts(status, page);
  PrintSites(status, page);
  PrintRounds(status, page);
  PrintLog(status, page);
  return page.Take();
}

}  // namespace flaim::runtime
