#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "secagg/protocol/study_testing.h"

// For tests only: a session over a network that loses, delays, duplicates and reorders messages, with participants who
// join late, crash, and are started again, and a server that waits too short or too long. A seed decides all of it.

namespace flaim::secagg {

struct ScheduleResult {
  bool has_sum = false;
  int contributors = 0;
  std::vector<std::string> violations;  // of what must hold in every schedule; none if all is well
};

// Plays one schedule of the study that options.seed stands for. What must hold whatever happens:
//   - the server ends with an abort, or with the exact sum over the contributors that it names;
//   - these are as many as the terms promise;
//   - nobody's counts of a block are asked for twice;
//   - nobody gives two different answers to one stage;
//   - what participants give the server, with what colluders hold, never makes both the seed and the mask key of
//   anybody;
//   - no vector that is sent equals the contribution that it hides.
// The last two are of the secure protocol only. REQUIRES: blocks without noise.
ScheduleResult PlaySchedule(const StudyOptions& options);

// A study for the `number`th schedule: 2 to 12 participants, most often few, on complete graphs and on circles, with
// and without dropouts and colluders.
StudyOptions StudyOfSchedule(std::uint64_t number, Protocol protocol);

struct ScheduleCounts {
  int sums = 0;
  int sums_of_some = 0;  // that somebody is missing from
  int aborts = 0;
  std::vector<std::string> violations;
};

// Plays schedules `first` to `first + count - 1`.
ScheduleCounts PlaySchedules(std::uint64_t first, int count, Protocol protocol);

}  // namespace flaim::secagg
