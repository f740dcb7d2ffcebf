#include "secagg/protocol/secure_server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "secagg/graph/neighbour_graph.h"
#include "secagg/kernels/packing.h"
#include "secagg/messages/attendance.h"
#include "secagg/messages/members.h"
#include "secagg/protocol/confirmations.h"
#include "secagg/protocol/contribution.h"
#include "secagg/protocol/mask_removal.h"
#include "secagg/protocol/neighbourhood.h"
#include "secagg/protocol/ring_vector.h"

namespace flaim::secagg {
namespace {

// Neighbours would refuse a key of low order and drop out, all of them, so it is refused here. Any key tells.
absl::Status CheckKeys(const Advertise& advertisement) {
  static const AgreementKey probe = AgreementKey::FromSecret(Secret32());
  RETURN_IF_ERROR(probe.Agree(advertisement.mask_key).status());
  return probe.Agree(advertisement.sealing_key).status();
}

class SecureServer final : public SumServer {
 public:
  SecureServer(Invitation invitation, Parallel& parallel)
      : invitation_(std::move(invitation)),
        parallel_(parallel),
        offer_(MakeOffer(invitation_)),
        offer_digest_(DigestOf(invitation_.session, offer_)),
        attendance_(invitation_.invited),
        advertised_(invitation_.invited.size()) {}

  std::vector<ParticipantId> Recipients() const override { return attendance_.expected(); }

  Bytes MessageFor(ParticipantId to) const override { return Encode(invitation_.session, BodyFor(to)); }

  absl::Status Receive(ParticipantId from, ByteView bytes) override {
    RETURN_IF_ERROR(attendance_.Check(from));
    ASSIGN_OR_RETURN(Message message, Decode(bytes));
    if (message.session != invitation_.session) return InvalidArgument("the message belongs to another session");
    RETURN_IF_ERROR(std::visit([&](auto& body) { return Take(from, body); }, message.body));
    attendance_.Mark(from);
    return absl::OkStatus();
  }

  bool IsStageComplete() const override { return attendance_.IsComplete(); }

  void CloseStage() override {
    CHECK(!IsOver());
    switch (stage_) {
      case Stage::kAdvertise:
        return BeginSharing();
      case Stage::kShares:
        return BeginMasking();
      case Stage::kMasked:
        return BeginConfirming();
      case Stage::kConfirm:
        return Begin(Stage::kUnmask);
      case Stage::kUnmask:
        return Finish();
      case Stage::kOver:
        return;
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
  // What the server waits for.
  enum class Stage { kAdvertise, kShares, kMasked, kConfirm, kUnmask, kOver };

  MessageBody BodyFor(ParticipantId to) const {
    switch (stage_) {
      case Stage::kAdvertise:
        return offer_;
      case Stage::kShares:
        return KeyListFor(record_.RankOf(to));
      case Stage::kMasked:
        return InboxFor(record_.RankOf(to));
      case Stage::kConfirm:
        return survivors_;
      case Stage::kUnmask:
        return BundleFor(record_.RankOf(to));
      case Stage::kOver:
        break;
    }
    if (abort_) return Abort{.reason = *abort_};
    return Finished{.contributors = static_cast<std::uint32_t>(outcome_->contributors.size())};
  }

  // One overload for each message that a participant may send, and the last for the others.
  absl::Status Take(ParticipantId from, Advertise& advertisement) {
    RETURN_IF_ERROR(Expect(Stage::kAdvertise));
    if (advertisement.offer != offer_digest_) return InvalidArgument("the advertisement answers another offer");
    const VerifyingKey& key = invitation_.roster.KeyOf(from);
    if (!IsSignedBy(key, DigestOf(from, advertisement), advertisement.signature)) {
      return InvalidArgument("the advertisement is not signed by participant {}", from);
    }
    RETURN_IF_ERROR(CheckKeys(advertisement));
    const auto place = std::lower_bound(invitation_.invited.begin(), invitation_.invited.end(), from);
    advertised_[place - invitation_.invited.begin()] = advertisement;
    return absl::OkStatus();
  }

  absl::Status Take(ParticipantId from, Shares& shares) {
    RETURN_IF_ERROR(Expect(Stage::kShares));
    const int rank = record_.RankOf(from);
    if (shares.boxes.size() != record_.neighbours[rank].size()) {
      return InvalidArgument("{} boxes for {} neighbours", shares.boxes.size(), record_.neighbours[rank].size());
    }
    boxes_[rank] = std::move(shares.boxes);
    return absl::OkStatus();
  }

  absl::Status Take(ParticipantId from, Masked& masked) {
    RETURN_IF_ERROR(Expect(Stage::kMasked));
    if (masked.packed.size() != PackedBytes(sum_->size(), sum_->bits())) {
      return InvalidArgument("a masked vector of {} bytes; {} entries of {} bits are due", masked.packed.size(),
                             sum_->size(), sum_->bits());
    }
    sum_->AddPacked(masked.packed);
    record_.survived[record_.RankOf(from)] = true;
    return absl::OkStatus();
  }

  absl::Status Take(ParticipantId from, Confirm& confirm) {
    RETURN_IF_ERROR(Expect(Stage::kConfirm));
    if (!IsSignedBy(invitation_.roster.KeyOf(from), survivors_digest_, confirm.signature)) {
      return InvalidArgument("participant {} did not sign these survivors", from);
    }
    confirmations_[record_.RankOf(from)] = confirm.signature;
    return absl::OkStatus();
  }

  absl::Status Take(ParticipantId from, Unmask& unmask) {
    RETURN_IF_ERROR(Expect(Stage::kUnmask));
    return removal_->Add(record_.RankOf(from), std::move(unmask));
  }

  template <typename ServerMessage>
  absl::Status Take(ParticipantId, ServerMessage&) {
    return InvalidArgument("only the server sends this message");
  }

  absl::Status Expect(Stage stage) const {
    return stage_ == stage ? absl::OkStatus() : absl::FailedPreconditionError("the message is of another stage");
  }

  // From here on: those who have answered.
  void Begin(Stage stage) {
    attendance_ = Attendance(attendance_.Answered());
    stage_ = stage;
  }

  bool AreTooFew() const {
    return static_cast<std::int64_t>(attendance_.answered_count()) < invitation_.terms.bounds.LeastSurvivors();
  }

  void BeginSharing() {
    if (AreTooFew()) return End(AbortReason::kTooFewParticipants);
    for (std::size_t i = 0; i < advertised_.size(); ++i) {
      if (!advertised_[i]) continue;
      const ParticipantId id = invitation_.invited[i];
      key_list_.everyone.push_back({.id = id, .advertisement = DigestOf(id, *advertised_[i])});
      record_.ids.push_back(id);
      record_.advertisements.push_back(*advertised_[i]);
    }
    DrawGraph();
    Begin(Stage::kShares);
  }

  void DrawGraph() {
    const int participants = static_cast<int>(record_.ids.size());
    const GraphParameters parameters = GraphAmong(invitation_.terms, participants);
    record_.key_list = DigestOf(offer_digest_, key_list_);
    record_.cipher = invitation_.terms.cipher;
    record_.threshold = parameters.threshold;
    const NeighbourGraph graph(participants, parameters.degree, GraphSeed(record_.key_list));
    for (int rank = 0; rank < participants; ++rank) record_.neighbours.push_back(graph.NeighboursOf(rank));
    committee_ = CommitteeAmong(invitation_.terms, participants, record_.key_list);
    quorum_ = QuorumOf(participants, invitation_.terms.bounds.colluders, invitation_.terms.committee);
    record_.shared.resize(participants);
    record_.survived.resize(participants);
    boxes_.resize(participants);
    confirmations_.resize(participants);
  }

  KeyList KeyListFor(int rank) const {
    KeyList list = key_list_;
    for (const int neighbour : record_.neighbours[rank]) list.neighbours.push_back(record_.advertisements[neighbour]);
    return list;
  }

  void BeginMasking() {
    if (AreTooFew()) return End(AbortReason::kTooFewParticipants);
    for (const ParticipantId id : attendance_.Answered()) record_.shared[record_.RankOf(id)] = true;
    sum_.emplace(invitation_.terms.ring_bits, EntriesOf(invitation_.terms));
    Begin(Stage::kMasked);
  }

  Inbox InboxFor(int rank) const {
    Inbox inbox;
    for (const int neighbour : record_.neighbours[rank]) {
      if (!record_.shared[neighbour]) continue;
      const std::vector<int>& theirs = record_.neighbours[neighbour];
      const auto place = std::lower_bound(theirs.begin(), theirs.end(), rank) - theirs.begin();
      inbox.entries.push_back({.from = record_.ids[neighbour], .box = boxes_[neighbour][place]});
    }
    return inbox;
  }

  void BeginConfirming() {
    if (AreTooFew()) return End(AbortReason::kTooFewParticipants);
    survivors_.members = PackMembers(record_.survived);
    survivors_digest_ = DigestOfSurvivors(record_.key_list, survivors_.members);
    removal_.emplace(record_);
    Begin(Stage::kConfirm);
  }

  // As many signatures as anybody asks to see, and no more: checking them is most of a participant's work then.
  Bundle BundleFor(int rank) const {
    Bundle bundle;
    for (const int member : committee_) {
      if (static_cast<int>(bundle.entries.size()) == quorum_) break;
      if (member == rank || !confirmations_[member]) continue;
      bundle.entries.push_back({.from = record_.ids[member], .signature = *confirmations_[member]});
    }
    return bundle;
  }

  void Finish() {
    if (const std::optional<AbortReason> failure = removal_->Remove(*sum_, parallel_)) return End(*failure);
    SumOutcome made;
    for (std::size_t rank = 0; rank < record_.ids.size(); ++rank) {
      if (record_.survived[rank]) made.contributors.push_back(record_.ids[rank]);
    }
    made.blocks = ReadSum(invitation_.terms, *sum_, static_cast<int>(made.contributors.size()));
    outcome_ = std::move(made);
    removal_.reset();
    Begin(Stage::kOver);
  }

  // Everybody who may still be waiting is told.
  void End(AbortReason reason) {
    abort_ = reason;
    outcome_ = absl::AbortedError(ToString(reason));
    removal_.reset();
    stage_ = Stage::kOver;
  }

  const Invitation invitation_;
  Parallel& parallel_;
  const Offer offer_;
  const Digest offer_digest_;
  Stage stage_ = Stage::kAdvertise;
  Attendance attendance_;
  std::vector<std::optional<Advertise>> advertised_;  // by place in the invitation, until all are in

  KeyList key_list_;  // without neighbours
  SessionRecord record_;
  std::vector<std::vector<SealedShares>> boxes_;  // by rank: for its neighbours, in their order
  std::optional<RingVector> sum_;                 // masked until the end
  std::vector<int> committee_;                    // ranks of those who confirm, ascending
  int quorum_ = 0;                                // so many of them must
  Survivors survivors_;
  Digest survivors_digest_{};
  std::vector<std::optional<Signature>> confirmations_;  // by rank
  std::optional<MaskRemoval> removal_;

  std::optional<AbortReason> abort_;
  absl::StatusOr<SumOutcome> outcome_ = absl::FailedPreconditionError("the session is not over");
};

}  // namespace

absl::StatusOr<std::unique_ptr<SumServer>> MakeSecureServer(Invitation invitation, Parallel& parallel) {
  RETURN_IF_ERROR(CheckInvitation(invitation));
  return std::make_unique<SecureServer>(std::move(invitation), parallel);
}

}  // namespace flaim::secagg
