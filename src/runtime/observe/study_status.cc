#include "runtime/observe/study_status.h"

#include <algorithm>
#include <chrono>

namespace flaim::runtime {
namespace {

constexpr std::size_t kRoundsOfPace = 5;

double SecondsOfRecentRound(const StudyStatus& status) {
  const std::size_t counted = std::min(status.rounds.size(), kRoundsOfPace);
  double seconds = 0;
  for (auto round = status.rounds.end() - static_cast<std::ptrdiff_t>(counted); round != status.rounds.end(); ++round) {
    seconds += round->seconds;
  }
  return seconds / static_cast<double>(counted);
}

std::optional<double> RoundsLeft(const StudyStatus& status) {
  const auto done = static_cast<double>(status.rounds.size());
  if (status.rounds_planned > 0) return std::max(static_cast<double>(status.rounds_planned) - done, 0.0);
  if (!(status.share_spent > 0)) return std::nullopt;
  return std::max(done * (1 - status.share_spent) / status.share_spent, 0.0);
}

}  // namespace

std::string ToString(StudyPhase phase) {
  switch (phase) {
    case StudyPhase::kEnrolling:
      return "enrolling";
    case StudyPhase::kWaiting:
      return "waiting";
    case StudyPhase::kRunning:
      return "running";
    case StudyPhase::kFinished:
      return "finished";
    case StudyPhase::kFailed:
      break;
  }
  return "failed";
}

std::int64_t OnlineSites(const StudyStatus& status) {
  return std::count_if(status.sites.begin(), status.sites.end(), [](const SiteStatus& site) { return site.is_online; });
}

std::int64_t ApprovedSites(const StudyStatus& status) {
  return std::count_if(status.sites.begin(), status.sites.end(),
                       [](const SiteStatus& site) { return site.is_approved; });
}

std::optional<double> SecondsLeft(const StudyStatus& status, double seconds_since_round) {
  if (status.phase != StudyPhase::kRunning || status.rounds.empty()) return std::nullopt;
  const std::optional<double> rounds = RoundsLeft(status);
  if (!rounds) return std::nullopt;
  const double pace = SecondsOfRecentRound(status);
  return std::max(*rounds * pace - std::clamp(seconds_since_round, 0.0, std::max(pace, 0.0)), 0.0);
}

void StatusBoard::Update(const std::function<void(StudyStatus&)>& change) {
  const std::lock_guard lock(mutex_);
  const std::size_t rounds_before = status_.rounds.size();
  change(status_);
  if (status_.rounds.size() == rounds_before) return;
  round_ended_unix_ms_ = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now().time_since_epoch()).count();
}

StudyStatus StatusBoard::Read() const {
  std::unique_lock lock(mutex_);
  StudyStatus status = status_;
  const std::int64_t round_ended_unix_ms = round_ended_unix_ms_;
  lock.unlock();
  status.now_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now().time_since_epoch()).count();
  status.seconds_left = SecondsLeft(status, static_cast<double>(status.now_unix_ms - round_ended_unix_ms) / 1000);
  status.log = log_.Tail();
  status.log_counts = log_.Counts();
  return status;
}

}  // namespace flaim::runtime
