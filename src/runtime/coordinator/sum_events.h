#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "io/append_log.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::runtime {

// What the server of one sum took in, in order, on disk: a server that is fed the same again is where it was. Answers
// are made durable together, when their stage is closed and before anything follows from them; a crash before that
// loses answers, and their senders, asked again, give the same.
class SumEvents {
 public:
  static absl::StatusOr<SumEvents> Open(const std::string& path);

  // How far a sum had come.
  struct Progress {
    int stages_closed = 0;
    std::vector<secagg::ParticipantId> answered;  // in the stage that is open
  };
  // Brings a new server to where the last one was.
  absl::StatusOr<Progress> Replay(secagg::SumServer& server);

  absl::Status Received(secagg::ParticipantId from, const std::string& message);
  // Durable when it returns.
  absl::Status StageClosed();

 private:
  explicit SumEvents(AppendLog log) : log_(std::move(log)) {}

  AppendLog log_;
};

}  // namespace flaim::runtime
