#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "federation/federation.h"
#include "io/append_log.h"
#include "secagg/messages/messages.h"

namespace flaim::runtime {

// What a coordinator has settled, in order, so that it can be stopped at any point and go on: it asks the same things
// again, is answered from here as far as the journal goes, and from there on asks the sites. Everything is on disk
// before the call returns. Not thread-safe.
class StudyJournal {
 public:
  struct Begun {
    Digest manifest{};
    std::string roster;
    std::uint64_t schedule_seed = 0;  // of who is asked when
  };
  struct Gathered {
    std::int64_t round = 0;
    std::vector<secagg::ParticipantId> members;
    std::int64_t newcomers = 0;
  };
  // A sum that was begun, and what became of it: neither if it is still to be finished.
  struct Sum {
    Digest request{};
    std::int64_t round = 0;  // these two for people
    std::string query;
    secagg::SessionId session{};
    std::vector<secagg::ParticipantId> invited;
    std::int64_t deadline_unix_ms = 0;
    int attempt = 1;
    std::optional<std::string> failure;
    bool is_done = false;
    std::vector<secagg::ParticipantId> contributors;
    std::vector<std::int64_t> counts;
  };

  static absl::StatusOr<StudyJournal> Open(const std::string& path);

  const std::optional<Begun>& begun() const { return begun_; }
  // What earlier runs settled and this one has not replayed yet.
  const std::deque<std::variant<Gathered, Sum>>& past() const { return past_; }
  absl::Status Begin(const Begun& begun);

  // The next thing that an earlier run settled, if it is of this kind; nothing once all have been replayed. DataLoss if
  // it is of the other kind: the journal belongs to another study or version.
  absl::StatusOr<std::optional<Gathered>> ReplayGathered();
  absl::StatusOr<std::optional<Sum>> ReplaySum();

  absl::Status Record(const Gathered& gathered);
  absl::Status RecordBegun(const Sum& sum);
  absl::Status RecordDone(const Sum& sum);
  absl::Status RecordFailed(const Sum& sum);

 private:
  explicit StudyJournal(AppendLog log) : log_(std::move(log)) {}

  absl::Status Load(const std::string& record);
  template <typename Kind>
  absl::StatusOr<std::optional<Kind>> Replay();

  AppendLog log_;
  std::optional<Begun> begun_;
  std::deque<std::variant<Gathered, Sum>> past_;
};

}  // namespace flaim::runtime
