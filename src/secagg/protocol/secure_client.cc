#include "secagg/protocol/secure_client.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/status.h"
#include "secagg/messages/members.h"
#include "secagg/protocol/confirmations.h"
#include "secagg/protocol/neighbourhood.h"
#include "secagg/protocol/session_keys.h"

namespace flaim::secagg {
namespace {

class SecureClient final : public SumClient {
 public:
  SecureClient(Participation participation, const Surroundings& surroundings)
      : me_(std::move(participation)), surroundings_(surroundings) {}

  absl::StatusOr<Bytes> Receive(ByteView bytes) override {
    if (IsOver()) return absl::FailedPreconditionError("the session is over");
    ASSIGN_OR_RETURN(const Message message, Decode(bytes));
    if (stage_ != Stage::kOffer && message.session != session_) {
      return absl::FailedPreconditionError("the message belongs to another session");
    }
    return std::visit([&](const auto& body) { return Take(message.session, body); }, message.body);
  }

  bool IsOver() const override { return stage_ == Stage::kOver; }

 private:
  // What the client waits for.
  enum class Stage { kOffer, kKeyList, kInbox, kSurvivors, kBundle, kEnd, kOver };

  // One overload for each message that a server may send; the last refuses the others.
  absl::StatusOr<Bytes> Take(const SessionId& session, const Offer& offer) {
    return InTurn(Stage::kOffer, [&] { return OnOffer(session, offer); });
  }
  absl::StatusOr<Bytes> Take(const SessionId&, const KeyList& list) {
    return InTurn(Stage::kKeyList, [&] { return OnKeyList(list); });
  }
  absl::StatusOr<Bytes> Take(const SessionId&, const Inbox& inbox) {
    return InTurn(Stage::kInbox, [&] { return OnInbox(inbox); });
  }
  absl::StatusOr<Bytes> Take(const SessionId&, const Survivors& survivors) {
    return InTurn(Stage::kSurvivors, [&] { return OnSurvivors(survivors); });
  }
  absl::StatusOr<Bytes> Take(const SessionId&, const Bundle& bundle) {
    return InTurn(Stage::kBundle, [&] { return OnBundle(bundle); });
  }
  absl::StatusOr<Bytes> Take(const SessionId&, const Finished&) {
    if (stage_ != Stage::kEnd) return absl::FailedPreconditionError("this message is not due yet");
    End();
    return Bytes();
  }
  absl::StatusOr<Bytes> Take(const SessionId&, const Abort&) {
    if (stage_ == Stage::kOffer) return absl::FailedPreconditionError("there is no session to abandon yet");
    End();
    return Bytes();
  }
  template <typename ClientMessage>
  absl::StatusOr<Bytes> Take(const SessionId&, const ClientMessage&) {
    return absl::FailedPreconditionError("only participants send this message");
  }

  // Answers a stage when its turn has come, and once. Whatever goes wrong then is the end, except that an offer which
  // is refused leaves the client waiting for a right one: it may be a late one of an earlier session.
  template <typename Handler>
  absl::StatusOr<Bytes> InTurn(Stage stage, Handler handler) {
    if (stage_ > stage) return absl::AlreadyExistsError("this stage was answered, and is not answered twice");
    if (stage_ < stage) return absl::FailedPreconditionError("this message is not due yet");
    const absl::StatusOr<MessageBody> answer = handler();
    if (!answer.ok()) {
      if (stage != Stage::kOffer) End();
      return answer.status();
    }
    stage_ = static_cast<Stage>(static_cast<int>(stage) + 1);
    return Encode(session_, *answer);
  }

  absl::StatusOr<MessageBody> OnOffer(const SessionId& session, const Offer& offer) {
    RETURN_IF_ERROR(AcceptOffer(me_, surroundings_, session, offer));
    session_ = session;
    offer_ = DigestOf(session, offer);
    mask_key_ = AgreementKey::Generate(surroundings_.random);
    sealing_key_ = AgreementKey::Generate(surroundings_.random);
    surroundings_.random.Fill(std::as_writable_bytes(std::span(seed_.bytes())));
    Advertise advertisement{.offer = offer_,
                            .mask_key = mask_key_->public_key(),
                            .sealing_key = sealing_key_->public_key(),
                            .seed_commitment = CommitmentTo(seed_),
                            .signature = {}};
    advertisement_ = DigestOf(me_.self, advertisement);
    advertisement.signature = me_.signing_key.Sign(advertisement_);
    return advertisement;
  }

  absl::StatusOr<MessageBody> OnKeyList(const KeyList& list) {
    RETURN_IF_ERROR(AcceptEveryone(me_, list.everyone, advertisement_));
    for (const KeyList::Entry& entry : list.everyone) ids_.push_back(entry.id);
    key_list_ = DigestOf(offer_, list);
    ASSIGN_OR_RETURN(neighbours_, Neighbourhood::Meet(me_, offer_, key_list_, list, *sealing_key_));
    sealing_key_.reset();
    return neighbours_->SealShares(seed_, mask_key_->secret(), surroundings_.random);
  }

  absl::StatusOr<MessageBody> OnInbox(const Inbox& inbox) {
    RETURN_IF_ERROR(neighbours_->OpenInbox(inbox));
    RingVector masked(me_.agreed.ring_bits, EntriesOf(me_.agreed));
    masked.Apply(me_.agreed.cipher, OwnMaskSeed(seed_, key_list_), MaskSign::kAdd);
    RETURN_IF_ERROR(neighbours_->Mask(*mask_key_, me_.agreed.cipher, masked));
    mask_key_.reset();
    RETURN_IF_ERROR(
        AddContribution(me_.agreed, session_, me_.contribution, me_.stands_in_for, surroundings_.noise(), masked));
    return Masked{.packed = masked.Pack()};
  }

  absl::StatusOr<MessageBody> OnSurvivors(const Survivors& message) {
    ASSIGN_OR_RETURN(survivors_, UnpackMembers(message.members, ids_.size()));
    const auto count = std::count(survivors_.begin(), survivors_.end(), true);
    if (count < me_.agreed.bounds.LeastSurvivors()) {
      return InvalidArgument("{} survivors; the terms promise {}", count, me_.agreed.bounds.LeastSurvivors());
    }
    if (!survivors_[neighbours_->rank()]) return InvalidArgument("the server counts this participant as vanished");
    RETURN_IF_ERROR(neighbours_->CheckSurvivors(survivors_));
    survivors_digest_ = DigestOfSurvivors(key_list_, message.members);
    return Confirm{.signature = me_.signing_key.Sign(survivors_digest_)};
  }

  absl::StatusOr<MessageBody> OnBundle(const Bundle& bundle) {
    const int participants = static_cast<int>(ids_.size());
    const std::vector<int> committee = CommitteeAmong(me_.agreed, participants, key_list_);
    RETURN_IF_ERROR(
        CheckConfirmations(me_.roster,
                           {.ids = ids_,
                            .survivors = survivors_,
                            .digest = survivors_digest_,
                            .committee = committee,
                            .quorum = QuorumOf(participants, me_.agreed.bounds.colluders, me_.agreed.committee)},
                           me_.self, bundle));
    Unmask unmask;
    unmask.seed = std::move(seed_);
    unmask.entries = neighbours_->TakeShares(survivors_);
    return unmask;
  }

  void End() {
    stage_ = Stage::kOver;
    mask_key_.reset();
    sealing_key_.reset();
    seed_.Wipe();
    neighbours_.reset();
  }

  const Participation me_;
  const Surroundings surroundings_;
  Stage stage_ = Stage::kOffer;

  // What everybody was told, if the server is honest; each digest covers those before it.
  SessionId session_{};
  Digest offer_{};
  Digest advertisement_{};
  Digest key_list_{};
  Digest survivors_digest_{};
  std::vector<ParticipantId> ids_;  // of all who advertised, ascending
  std::vector<bool> survivors_;     // by rank in the key list

  // What nobody may know. Each goes when it has served.
  std::optional<AgreementKey> mask_key_;
  std::optional<AgreementKey> sealing_key_;
  Secret32 seed_;
  std::optional<Neighbourhood> neighbours_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<SumClient>> MakeSecureClient(Participation participation,
                                                            const Surroundings& surroundings) {
  RETURN_IF_ERROR(CheckParticipation(participation));
  return std::make_unique<SecureClient>(std::move(participation), surroundings);
}

}  // namespace flaim::secagg
