#include "runtime/coordinator/sum_events.h"

#include "base/status.h"
#include "messages.pb.h"

namespace flaim::runtime {

absl::StatusOr<SumEvents> SumEvents::Open(const std::string& path) {
  ASSIGN_OR_RETURN(AppendLog log, AppendLog::Open(path, "sum"));
  return SumEvents(std::move(log));
}

absl::StatusOr<SumEvents::Progress> SumEvents::Replay(secagg::SumServer& server) {
  Progress progress;
  for (const std::string& record : log_.TakeRecords()) {
    messages::SumEvent event;
    if (!event.ParseFromString(record) || server.IsOver()) {
      return absl::DataLossError("the record of the sum that was being made cannot be understood");
    }
    if (event.is_stage_closed()) {
      server.CloseStage();
      progress.answered.clear();
      ++progress.stages_closed;
    } else {
      RETURN_IF_ERROR(server.Receive(event.received().from(), AsBytes(event.received().message())));
      progress.answered.push_back(event.received().from());
    }
  }
  return progress;
}

absl::Status SumEvents::Received(secagg::ParticipantId from, const std::string& message) {
  messages::SumEvent event;
  event.mutable_received()->set_from(from);
  event.mutable_received()->set_message(message);
  return log_.Append(event.SerializeAsString());
}

absl::Status SumEvents::StageClosed() {
  messages::SumEvent event;
  event.set_is_stage_closed(true);
  return log_.AppendDurably(event.SerializeAsString());
}

}  // namespace flaim::runtime
