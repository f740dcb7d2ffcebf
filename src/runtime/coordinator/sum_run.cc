#include "runtime/coordinator/sum_run.h"

#include <algorithm>

#include "base/status.h"
#include "messages.pb.h"
#include "runtime/messages/digest_bytes.h"

namespace flaim::runtime {
namespace {

constexpr const char* kStages[] = {"invitation", "keys", "counts", "confirmation", "unmasking"};

std::string NameOf(messages::Refusal::Reason reason) {
  switch (reason) {
    case messages::Refusal::NOT_CONSENTED:
      return "it has not consented to this study";
    case messages::Refusal::BUDGET:
      return "its own privacy budget does not allow it";
    case messages::Refusal::CAP:
      return "it has served as often as it agreed to";
    case messages::Refusal::NOT_AGREED:
      return "it was asked for something that it did not agree to";
    default:
      return "something is wrong there: its own log says what";
  }
}

}  // namespace

absl::StatusOr<secagg::SumOutcome> SumRun::Run() {
  ASSIGN_OR_RETURN(const SumEvents::Progress past, sum_.events.Replay(sum_.server));
  stage_ = past.stages_closed;
  answered_.insert(past.answered.begin(), past.answered.end());
  while (!sum_.server.IsOver()) {
    RETURN_IF_ERROR(RunStage());
    RETURN_IF_ERROR(sum_.events.StageClosed());
    sum_.server.CloseStage();
    answered_.clear();
    ++stage_;
  }
  TellTheEnd();
  return sum_.server.outcome();
}

absl::Status SumRun::RunStage() {
  recipients_ = sum_.server.Recipients();
  for (const secagg::ParticipantId site : recipients_) Ask(site);
  const Time begun = clock_.Now();
  last_change_ = begun;
  Report();
  while (!sum_.server.IsStageComplete()) {
    if (std::none_of(recipients_.begin(), recipients_.end(), [&](auto site) { return IsAwaited(site); })) break;
    const Time until = WaitUntil(begun);
    if (clock_.Now() >= until) break;
    ASSIGN_OR_RETURN(const std::optional<SiteEvent> event, exchange_.Next(until));
    if (event) RETURN_IF_ERROR(Take(*event));
  }
  return absl::OkStatus();
}

bool SumRun::IsAwaited(secagg::ParticipantId site) const {
  return !answered_.contains(site) && !refused_.contains(site);
}

SumRun::Time SumRun::WaitUntil(Time begun) const {
  const bool somebody_is_there = std::any_of(recipients_.begin(), recipients_.end(),
                                             [&](auto site) { return IsAwaited(site) && exchange_.IsReady(site); });
  const Time latest = begun + patience_.connected;
  return somebody_is_there ? latest : std::min(latest, last_change_ + patience_.disconnected);
}

void SumRun::Ask(secagg::ParticipantId site) {
  if (!IsAwaited(site) || !exchange_.IsReady(site)) return;
  messages::CoordinatorMessage out;
  messages::Sum& sum = *out.mutable_sum();
  sum.set_session(BytesOf(sum_.session));
  const Bytes message = sum_.server.MessageFor(site);
  sum.set_message(message.data(), message.size());
  if (stage_ == 0) {
    sum.set_request(sum_.request.request);
    sum.set_model(sum_.request.model);
  }
  exchange_.Send(site, out.SerializeAsString());
}

void SumRun::TellTheEnd() {
  recipients_ = sum_.server.Recipients();
  refused_.clear();
  for (const secagg::ParticipantId site : recipients_) Ask(site);
}

absl::Status SumRun::Take(const SiteEvent& event) {
  switch (event.kind) {
    case SiteEvent::Kind::kReady:
      last_change_ = clock_.Now();
      if (std::find(recipients_.begin(), recipients_.end(), event.site) != recipients_.end()) Ask(event.site);
      return absl::OkStatus();
    case SiteEvent::Kind::kGone:
      last_change_ = clock_.Now();
      return absl::OkStatus();
    case SiteEvent::Kind::kMessage:
      break;
  }
  const messages::SiteMessage& message = event.message;
  const std::string session = BytesOf(sum_.session);
  if (message.has_refusal() && message.refusal().session() == session && !answered_.contains(event.site)) {
    refused_.insert(event.site);
    const messages::Refusal::Reason reason = message.refusal().reason();
    if (reason != messages::Refusal::CANNOT_ANSWER) declined_.insert(event.site);
    watch_.OnRefusal(event.site, NameOf(reason));
    Report();
  }
  if (message.has_sum() && message.sum().session() == session) return TakeAnswer(event.site, message.sum().message());
  return absl::OkStatus();
}

// What the server refuses changes nothing: a repeated answer, one that comes too late, or nonsense.
absl::Status SumRun::TakeAnswer(secagg::ParticipantId from, const std::string& message) {
  if (!sum_.server.Receive(from, AsBytes(message)).ok()) return absl::OkStatus();
  RETURN_IF_ERROR(sum_.events.Received(from, message));
  answered_.insert(from);
  last_change_ = clock_.Now();
  Report();
  return absl::OkStatus();
}

void SumRun::Report() const {
  const std::size_t stage = std::min<std::size_t>(static_cast<std::size_t>(stage_), std::size(kStages) - 1);
  watch_.OnStage(kStages[stage], answered_.size(), recipients_.size());
}

}  // namespace flaim::runtime
