#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "secagg/messages/roster.h"

namespace flaim::secagg {

// Who is expected to answer in a stage, and who has.
class Attendance {
 public:
  // REQUIRES: expected ascends.
  explicit Attendance(std::vector<ParticipantId> expected);

  // Whether an answer of `from` would be taken: FailedPrecondition if it is not expected, AlreadyExists if it has
  // answered.
  absl::Status Check(ParticipantId from) const;
  // REQUIRES: Check(from).
  void Mark(ParticipantId from);

  const std::vector<ParticipantId>& expected() const { return expected_; }
  bool IsComplete() const { return answered_count_ == expected_.size(); }
  std::size_t answered_count() const { return answered_count_; }
  // Ascending.
  std::vector<ParticipantId> Answered() const;

 private:
  // The place of `id`, or expected_.size().
  std::size_t PlaceOf(ParticipantId id) const;

  std::vector<ParticipantId> expected_;
  std::vector<bool> answered_;
  std::size_t answered_count_ = 0;
};

}  // namespace flaim::secagg
