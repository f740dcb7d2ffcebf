#include "runtime/observe/metrics.h"

#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace flaim::runtime {
namespace {

using Label = std::pair<std::string_view, std::string>;

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char byte : text) {
    if (byte == '\\' || byte == '"') escaped += '\\';
    escaped += byte == '\n' ? std::string_view("\\n") : std::string_view(&byte, 1);
  }
  return escaped;
}

std::string Number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

class Exposition {
 public:
  void Begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  void Sample(double value, const std::vector<Label>& labels = {}) {
    std::string list;
    for (const auto& [label, of] : labels) {
      list += fmt::format("{}{}=\"{}\"", list.empty() ? "" : ",", label, Escaped(of));
    }
    text_ += labels.empty() ? fmt::format("{} {}\n", name_, Number(value))
                            : fmt::format("{}{{{}}} {}\n", name_, list, Number(value));
  }
  void Gauge(std::string_view name, std::string_view help, double value) {
    Begin(name, "gauge", help);
    Sample(value);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string name_;
  std::string text_;
};

void WriteStudy(const StudyStatus& status, Exposition& out) {
  out.Begin("flaim_study_info", "gauge", "What is running; always 1.");
  out.Sample(1, {{"study", status.study},
                 {"method", status.method},
                 {"software", status.software},
                 {"manifest", status.manifest}});
  out.Begin("flaim_phase", "gauge", "1 for the phase that the study is in.");
  for (const StudyPhase phase : {StudyPhase::kEnrolling, StudyPhase::kWaiting, StudyPhase::kRunning,
                                 StudyPhase::kFinished, StudyPhase::kFailed}) {
    out.Sample(phase == status.phase ? 1 : 0, {{"phase", ToString(phase)}});
  }
  out.Gauge("flaim_research_mode", "1 if the noise is seeded, so that nothing is private.", status.is_research ? 1 : 0);
  out.Gauge("flaim_started_timestamp_seconds", "When the study was started.",
            static_cast<double>(status.started_unix_ms) / 1000);
}

void WriteProgress(const StudyStatus& status, Exposition& out) {
  out.Gauge("flaim_rounds_done", "Rounds that are over.", static_cast<double>(status.rounds.size()));
  out.Gauge("flaim_rounds_planned", "Rounds of the plan; 0 if their number is open.",
            static_cast<double>(status.rounds_planned));
  if (status.seconds_left) out.Gauge("flaim_left_seconds", "Estimate of the time left.", *status.seconds_left);
  if (!status.rounds.empty()) {
    out.Gauge("flaim_last_round_seconds", "How long the last round took.", status.rounds.back().seconds);
    out.Gauge("flaim_records_estimate", "Records of all sites, from noisy sums.", status.rounds.back().records);
  }
  out.Gauge("flaim_budget_spent_ratio", "Share of the planned privacy budget that is spent.", status.share_spent);
  out.Gauge("flaim_epsilon", "Epsilon of the study's promise.", status.epsilon);
  out.Gauge("flaim_delta", "Delta of the study's promise.", status.delta);
  out.Gauge("flaim_rho_allowance", "What each site may spend, in zCDP.", status.rho_allowance);
}

void WriteSites(const StudyStatus& status, Exposition& out) {
  out.Gauge("flaim_sites_approved", "Sites that may take part.", static_cast<double>(ApprovedSites(status)));
  out.Gauge("flaim_sites_online", "Sites that are connected.", static_cast<double>(OnlineSites(status)));
  out.Gauge("flaim_sites_required", "Sites that a round needs.", static_cast<double>(status.minimum_sites));
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        const std::function<double(const SiteStatus&)>& value) {
    if (status.sites.empty()) return;
    out.Begin(name, type, help);
    for (const SiteStatus& site : status.sites) out.Sample(value(site), {{"site", site.name}});
  };
  each("flaim_site_online", "gauge", "1 if the site is connected.",
       [](const SiteStatus& site) { return site.is_online ? 1 : 0; });
  each("flaim_site_last_seen_timestamp_seconds", "gauge", "When the site was last heard of; 0 if never.",
       [](const SiteStatus& site) { return static_cast<double>(site.last_seen_unix_ms) / 1000; });
  each("flaim_site_rounds_total", "counter", "Rounds that the site served.",
       [](const SiteStatus& site) { return static_cast<double>(site.rounds_served); });
  each("flaim_site_rho_spent", "gauge", "What the site has spent by the coordinator's reckoning, in zCDP.",
       [](const SiteStatus& site) { return site.rho_spent; });
  each("flaim_site_sent_bytes_total", "counter", "Bytes that the site sent.",
       [](const SiteStatus& site) { return static_cast<double>(site.sent_bytes); });
  each("flaim_site_received_bytes_total", "counter", "Bytes that the site received.",
       [](const SiteStatus& site) { return static_cast<double>(site.received_bytes); });
}

void WriteLog(const StudyStatus& status, Exposition& out) {
  out.Begin("flaim_log_lines_total", "counter", "Lines of the coordinator's log.");
  out.Sample(static_cast<double>(status.log_counts.infos), {{"level", ToString(LogLevel::kInfo)}});
  out.Sample(static_cast<double>(status.log_counts.warnings), {{"level", ToString(LogLevel::kWarning)}});
  out.Sample(static_cast<double>(status.log_counts.errors), {{"level", ToString(LogLevel::kError)}});
}

}  // namespace

std::string ToMetrics(const StudyStatus& status) {
  Exposition out;
  WriteStudy(status, out);
  WriteProgress(status, out);
  WriteSites(status, out);
  WriteLog(status, out);
  return out.Take();
}

}  // namespace flaim::runtime
