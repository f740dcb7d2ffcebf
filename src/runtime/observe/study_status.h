#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/observe/log.h"

namespace flaim::runtime {

// How a study stands, as its coordinator knows it: public values only. What the status page, `flaim status` and
// /metrics show.

enum class StudyPhase : std::uint8_t { kEnrolling, kWaiting, kRunning, kFinished, kFailed };
std::string ToString(StudyPhase phase);

struct SiteStatus {
  std::string name;
  bool is_online = false;
  bool is_approved = false;
  std::string fingerprint;
  std::int64_t last_seen_unix_ms = 0;  // 0: never
  std::int64_t rounds_served = 0;
  double rho_spent = 0;              // by the coordinator's reckoning; the site keeps its own account
  std::uint64_t sent_bytes = 0;      // by the site
  std::uint64_t received_bytes = 0;  // by the site

  bool operator==(const SiteStatus&) const = default;
};

struct RoundStatus {
  std::int64_t round = 0;
  std::int64_t members = 0;
  std::vector<std::string> chosen;  // queries, by the names of their columns
  double sigma = 0;
  double records = 0;  // estimated
  double seconds = 0;

  bool operator==(const RoundStatus&) const = default;
};

// The secure sum that is being made.
struct SumStatus {
  std::string name;
  std::string stage;
  std::int64_t answered = 0;
  std::int64_t expected = 0;

  bool operator==(const SumStatus&) const = default;
};

struct StudyStatus {
  std::string study;
  std::string method;
  std::string software;
  std::string manifest;  // its digest
  std::string roster;    // its digest; empty before the study begins
  StudyPhase phase = StudyPhase::kEnrolling;
  bool is_research = false;  // seeded: not private
  double epsilon = 0;
  double delta = 0;
  double rho_allowance = 0;  // of each site
  double share_spent = 0;    // of the study's plan, 0 to 1
  std::int64_t started_unix_ms = 0;
  std::int64_t now_unix_ms = 0;
  std::optional<double> seconds_left;
  std::int64_t minimum_sites = 0;
  std::int64_t rounds_planned = 0;  // 0: open
  std::vector<SiteStatus> sites;
  std::vector<RoundStatus> rounds;
  std::optional<SumStatus> sum;
  std::string result;   // where the model is, once there is one
  std::string failure;  // why there is none
  std::vector<LogLine> log;
  LogCounts log_counts;

  bool operator==(const StudyStatus&) const = default;
};

// The sites that are connected now; those that may be.
std::int64_t OnlineSites(const StudyStatus& status);
std::int64_t ApprovedSites(const StudyStatus& status);

// Numbers that JSON does not have are written as the texts "inf", "-inf" and "nan"; what is not UTF-8 is replaced.
std::string ToJson(const StudyStatus& status);
// InvalidArgument, with the place, for anything that ToJson did not make: fields that are missing, unknown or there
// twice, or of another type.
absl::StatusOr<StudyStatus> ParseStudyStatus(const std::string& json);
// For a terminal: lines of at most `columns` characters, 60 if fewer are asked for. Control characters in names do
// nothing there.
std::string ToText(const StudyStatus& status, int columns);

// From the pace of the last rounds, `seconds_since_round` after the last one ended. Nothing is known before the first
// round is over, and nothing is left once the study has ended.
std::optional<double> SecondsLeft(const StudyStatus& status, double seconds_since_round);

// Where the coordinator writes it and the page reads it. Thread-safe.
class StatusBoard {
 public:
  StatusBoard(const Clock& clock, const Log& log) : clock_(clock), log_(log) {}

  // `change` must not call the board.
  void Update(const std::function<void(StudyStatus&)>& change);
  // With the time, the log's tail and an estimate of what is left.
  StudyStatus Read() const;

 private:
  const Clock& clock_;
  const Log& log_;
  mutable std::mutex mutex_;
  StudyStatus status_;
  std::int64_t round_ended_unix_ms_ = 0;
};

}  // namespace flaim::runtime
