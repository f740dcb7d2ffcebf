#include "secagg/messages/attendance.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim::secagg {

Attendance::Attendance(std::vector<ParticipantId> expected)
    : expected_(std::move(expected)), answered_(expected_.size()) {
  CHECK(std::is_sorted(expected_.begin(), expected_.end()));
}

std::size_t Attendance::PlaceOf(ParticipantId id) const {
  const auto found = std::lower_bound(expected_.begin(), expected_.end(), id);
  return found != expected_.end() && *found == id ? static_cast<std::size_t>(found - expected_.begin())
                                                  : expected_.size();
}

absl::Status Attendance::Check(ParticipantId from) const {
  const std::size_t place = PlaceOf(from);
  if (place == expected_.size()) return FailedPrecondition("nothing is expected of participant {} now", from);
  if (answered_[place]) return absl::AlreadyExistsError(fmt::format("participant {} has answered", from));
  return absl::OkStatus();
}

void Attendance::Mark(ParticipantId from) {
  const std::size_t place = PlaceOf(from);
  CHECK(place < expected_.size() && !answered_[place]);
  answered_[place] = true;
  ++answered_count_;
}

std::vector<ParticipantId> Attendance::Answered() const {
  std::vector<ParticipantId> answered;
  answered.reserve(answered_count_);
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    if (answered_[i]) answered.push_back(expected_[i]);
  }
  return answered;
}

}  // namespace flaim::secagg
