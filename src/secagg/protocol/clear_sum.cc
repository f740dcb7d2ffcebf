#include "secagg/protocol/clear_sum.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "secagg/kernels/packing.h"
#include "secagg/messages/attendance.h"
#include "secagg/protocol/contribution.h"
#include "secagg/protocol/ring_vector.h"

namespace flaim::secagg {
namespace {

class ClearClient final : public SumClient {
 public:
  ClearClient(Participation participation, const Surroundings& surroundings)
      : me_(std::move(participation)), surroundings_(surroundings) {}

  absl::StatusOr<Bytes> Receive(ByteView bytes) override {
    if (IsOver()) return absl::FailedPreconditionError("the session is over");
    ASSIGN_OR_RETURN(const Message message, Decode(bytes));
    if (stage_ != Stage::kOffer && message.session != session_) {
      return absl::FailedPreconditionError("the message belongs to another session");
    }
    if (const Offer* offer = std::get_if<Offer>(&message.body)) {
      return InTurn(Stage::kOffer, [&] { return OnOffer(message.session, *offer); });
    }
    if (const KeyList* list = std::get_if<KeyList>(&message.body)) {
      return InTurn(Stage::kKeyList, [&] { return OnKeyList(*list); });
    }
    const bool is_end = (std::holds_alternative<Finished>(message.body) && stage_ == Stage::kEnd) ||
                        (std::holds_alternative<Abort>(message.body) && stage_ != Stage::kOffer);
    if (!is_end) {
      return absl::FailedPreconditionError("this message is not due");
    }
    stage_ = Stage::kOver;
    return Bytes();
  }

  bool IsOver() const override { return stage_ == Stage::kOver; }

 private:
  enum class Stage { kOffer, kKeyList, kEnd, kOver };

  template <typename Handler>
  absl::StatusOr<Bytes> InTurn(Stage stage, Handler handler) {
    if (stage_ > stage) return absl::AlreadyExistsError("this stage was answered, and is not answered twice");
    if (stage_ < stage) return absl::FailedPreconditionError("this message is not due yet");
    const absl::StatusOr<MessageBody> answer = handler();
    if (!answer.ok()) {
      if (stage != Stage::kOffer) stage_ = Stage::kOver;
      return answer.status();
    }
    stage_ = static_cast<Stage>(static_cast<int>(stage) + 1);
    return Encode(session_, *answer);
  }

  absl::StatusOr<MessageBody> OnOffer(const SessionId& session, const Offer& offer) {
    RETURN_IF_ERROR(AcceptOffer(me_, surroundings_, session, offer));
    session_ = session;
    Advertise advertisement;
    advertisement.offer = DigestOf(session, offer);
    advertisement_ = DigestOf(me_.self, advertisement);
    return advertisement;
  }

  absl::StatusOr<MessageBody> OnKeyList(const KeyList& list) {
    RETURN_IF_ERROR(AcceptEveryone(me_, list.everyone, advertisement_));
    RingVector vector(me_.agreed.ring_bits, EntriesOf(me_.agreed));
    RETURN_IF_ERROR(
        AddContribution(me_.agreed, session_, me_.contribution, me_.stands_in_for, surroundings_.noise(), vector));
    return Masked{.packed = vector.Pack()};
  }

  const Participation me_;
  const Surroundings surroundings_;
  Stage stage_ = Stage::kOffer;
  SessionId session_{};
  Digest advertisement_{};
};

class ClearServer final : public SumServer {
 public:
  explicit ClearServer(Invitation invitation)
      : invitation_(std::move(invitation)), offer_(MakeOffer(invitation_)), attendance_(invitation_.invited) {}

  std::vector<ParticipantId> Recipients() const override { return attendance_.expected(); }

  Bytes MessageFor(ParticipantId) const override {
    switch (stage_) {
      case Stage::kAdvertise:
        return Encode(invitation_.session, offer_);
      case Stage::kVector:
        return Encode(invitation_.session, key_list_);
      case Stage::kOver:
        break;
    }
    if (abort_) return Encode(invitation_.session, Abort{.reason = *abort_});
    return Encode(invitation_.session,
                  Finished{.contributors = static_cast<std::uint32_t>(outcome_->contributors.size())});
  }

  absl::Status Receive(ParticipantId from, ByteView bytes) override {
    RETURN_IF_ERROR(attendance_.Check(from));
    ASSIGN_OR_RETURN(const Message message, Decode(bytes));
    if (message.session != invitation_.session) return InvalidArgument("the message belongs to another session");
    RETURN_IF_ERROR(Take(from, message.body));
    attendance_.Mark(from);
    return absl::OkStatus();
  }

  bool IsStageComplete() const override { return attendance_.IsComplete(); }

  void CloseStage() override {
    CHECK(!IsOver());
    const auto answered = static_cast<std::int64_t>(attendance_.answered_count());
    if (answered < invitation_.terms.bounds.LeastSurvivors()) return End(AbortReason::kTooFewParticipants);
    if (stage_ == Stage::kAdvertise) {
      BeginAdding();
    } else {
      outcome_ = SumOutcome{.contributors = attendance_.Answered(),
                            .blocks = ReadSum(invitation_.terms, *sum_, static_cast<int>(answered))};
      Begin(Stage::kOver);
    }
  }

  void GiveUp() override {
    if (!IsOver()) End(AbortReason::kGivenUp);
  }
  bool IsOver() const override { return stage_ == Stage::kOver; }
  const absl::StatusOr<SumOutcome>& outcome() const override {
    CHECK(IsOver());
    return outcome_;
  }

 private:
  enum class Stage { kAdvertise, kVector, kOver };

  absl::Status Take(ParticipantId from, const MessageBody& body) {
    if (const Advertise* advertisement = std::get_if<Advertise>(&body)) {
      if (stage_ != Stage::kAdvertise) return absl::FailedPreconditionError("the message is of another stage");
      key_list_.everyone.push_back({.id = from, .advertisement = DigestOf(from, *advertisement)});
      return absl::OkStatus();
    }
    const Masked* vector = std::get_if<Masked>(&body);
    if (vector == nullptr) return InvalidArgument("this message has no place here");
    if (stage_ != Stage::kVector) return absl::FailedPreconditionError("the message is of another stage");
    if (vector->packed.size() != PackedBytes(sum_->size(), sum_->bits())) {
      return InvalidArgument("a vector of {} bytes; {} entries of {} bits are due", vector->packed.size(), sum_->size(),
                             sum_->bits());
    }
    sum_->AddPacked(vector->packed);
    return absl::OkStatus();
  }

  void BeginAdding() {
    std::sort(key_list_.everyone.begin(), key_list_.everyone.end(),
              [](const KeyList::Entry& a, const KeyList::Entry& b) { return a.id < b.id; });
    sum_.emplace(invitation_.terms.ring_bits, EntriesOf(invitation_.terms));
    Begin(Stage::kVector);
  }

  void Begin(Stage stage) {
    attendance_ = Attendance(attendance_.Answered());
    stage_ = stage;
  }

  void End(AbortReason reason) {
    abort_ = reason;
    outcome_ = absl::AbortedError(ToString(reason));
    stage_ = Stage::kOver;
  }

  const Invitation invitation_;
  const Offer offer_;
  Stage stage_ = Stage::kAdvertise;
  Attendance attendance_;
  KeyList key_list_;
  std::optional<RingVector> sum_;
  std::optional<AbortReason> abort_;
  absl::StatusOr<SumOutcome> outcome_ = absl::FailedPreconditionError("the session is not over");
};

}  // namespace

absl::StatusOr<std::unique_ptr<SumClient>> MakeClearClient(Participation participation,
                                                           const Surroundings& surroundings) {
  RETURN_IF_ERROR(CheckParticipation(participation));
  return std::make_unique<ClearClient>(std::move(participation), surroundings);
}

absl::StatusOr<std::unique_ptr<SumServer>> MakeClearServer(Invitation invitation) {
  RETURN_IF_ERROR(CheckInvitation(invitation));
  return std::make_unique<ClearServer>(std::move(invitation));
}

}  // namespace flaim::secagg
