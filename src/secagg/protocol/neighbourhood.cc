#include "secagg/protocol/neighbourhood.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "secagg/crypto/sealed_box.h"
#include "secagg/graph/neighbour_graph.h"
#include "secagg/protocol/session_keys.h"

namespace flaim::secagg {
namespace {

using TwoShares = SecretBytes<2 * Share::kBytes>;

TwoShares Join(const Share& seed_share, const Share& mask_key_share) {
  TwoShares both;
  std::copy_n(seed_share.bytes().begin(), Share::kBytes, both.bytes().begin());
  std::copy_n(mask_key_share.bytes().begin(), Share::kBytes, both.bytes().begin() + Share::kBytes);
  return both;
}

void Part(const TwoShares& both, Share& seed_share, Share& mask_key_share) {
  std::copy_n(both.bytes().begin(), Share::kBytes, seed_share.bytes().begin());
  std::copy_n(both.bytes().begin() + Share::kBytes, Share::kBytes, mask_key_share.bytes().begin());
}

// Whether what is shown as a neighbour's advertisement is its own, in answer to the same offer.
absl::Status CheckAdvertisement(const Roster& roster, const KeyList::Entry& listed, const Digest& offer,
                                const Advertise& advertisement) {
  if (advertisement.offer != offer) {
    return InvalidArgument("participant {} answered another offer: the server tells different stories", listed.id);
  }
  const Digest digest = DigestOf(listed.id, advertisement);
  if (digest != listed.advertisement) {
    return InvalidArgument("the keys shown for participant {} are not those in the list", listed.id);
  }
  if (!IsSignedBy(roster.KeyOf(listed.id), digest, advertisement.signature)) {
    return InvalidArgument("the keys shown for participant {} are not signed by it", listed.id);
  }
  return absl::OkStatus();
}

Digest ContextOf(const Digest& key_list, ParticipantId from, ParticipantId to) {
  return Transcript("flaim shares").Add(key_list).Add(from).Add(to).Finish();
}

}  // namespace

Digest GraphSeed(const Digest& key_list) { return Transcript("flaim graph").Add(key_list).Finish(); }

absl::StatusOr<Neighbourhood> Neighbourhood::Meet(const Participation& me, const Digest& offer, const Digest& key_list,
                                                  const KeyList& list, const AgreementKey& sealing_key) {
  const int participants = static_cast<int>(list.everyone.size());
  const int colluders = me.agreed.bounds.colluders;
  const GraphParameters parameters = GraphAmong(me.agreed, participants);
  if (-SecurityFailureLog2(participants, colluders, parameters) < me.security_bits) {
    return InvalidArgument("degree {} and threshold {} do not protect {} participants of whom {} may collude",
                           parameters.degree, parameters.threshold, participants, colluders);
  }
  if (-CommitteeSecurityLog2(participants, colluders, me.agreed.committee) < me.security_bits) {
    return InvalidArgument("a committee of {} does not bind a server with {} colluders among {} participants",
                           me.agreed.committee, colluders, participants);
  }
  Neighbourhood neighbourhood(me.self, parameters, NeighboursNeeded(participants, colluders, parameters), key_list);
  const auto self = std::find_if(list.everyone.begin(), list.everyone.end(),
                                 [&me](const KeyList::Entry& entry) { return entry.id == me.self; });
  neighbourhood.rank_ = static_cast<int>(self - list.everyone.begin());
  const NeighbourGraph graph(participants, parameters.degree, GraphSeed(key_list));
  const std::vector<int> ranks = graph.NeighboursOf(neighbourhood.rank_);
  if (list.neighbours.size() != ranks.size()) {
    return InvalidArgument("the key list shows {} neighbours; there are {}", list.neighbours.size(), ranks.size());
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const KeyList::Entry& listed = list.everyone[ranks[i]];
    RETURN_IF_ERROR(CheckAdvertisement(me.roster, listed, offer, list.neighbours[i]));
    RETURN_IF_ERROR(neighbourhood.Add(listed, ranks[i], list.neighbours[i], sealing_key));
  }
  return neighbourhood;
}

absl::Status Neighbourhood::Add(const KeyList::Entry& listed, int rank, const Advertise& advertisement,
                                const AgreementKey& sealing_key) {
  ASSIGN_OR_RETURN(const Secret32 agreed, sealing_key.Agree(advertisement.sealing_key));
  Neighbour& neighbour = neighbours_.emplace_back();
  neighbour.id = listed.id;
  neighbour.rank = rank;
  neighbour.mask_key = advertisement.mask_key;
  neighbour.sealing_key = SealingKey(agreed, key_list_, self_, listed.id);
  neighbour.opening_key = SealingKey(agreed, key_list_, listed.id, self_);
  return absl::OkStatus();
}

Shares Neighbourhood::SealShares(const Secret32& seed, const Secret32& mask_key, RandomSource& random) {
  Shares sealed;
  if (neighbours_.empty()) return sealed;
  std::vector<SharePoint> points;
  for (const Neighbour& neighbour : neighbours_) points.push_back(PointOf(neighbour.id));
  const std::vector<Share> seed_shares = SplitSecret(seed, graph_.threshold, points, random);
  const std::vector<Share> mask_key_shares = SplitSecret(mask_key, graph_.threshold, points, random);
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    Neighbour& neighbour = neighbours_[i];
    const Bytes box = Seal(neighbour.sealing_key, ContextOf(key_list_, self_, neighbour.id),
                           Join(seed_shares[i], mask_key_shares[i]).bytes());
    std::copy_n(box.begin(), box.size(), sealed.boxes.emplace_back().begin());
    neighbour.sealing_key.Wipe();
  }
  return sealed;
}

absl::Status Neighbourhood::OpenInbox(const Inbox& inbox) {
  for (const Inbox::Entry& entry : inbox.entries) {
    Neighbour* neighbour = Find(entry.from);
    if (neighbour == nullptr || neighbour->has_shared) {
      return InvalidArgument("shares from participant {}, who is no neighbour or sent some already", entry.from);
    }
    TwoShares both;
    RETURN_IF_ERROR(Open(neighbour->opening_key, ContextOf(key_list_, entry.from, self_), entry.box, both.bytes()));
    Part(both, neighbour->seed_share, neighbour->mask_key_share);
    neighbour->opening_key.Wipe();
    neighbour->has_shared = true;
  }
  if (static_cast<int>(inbox.entries.size()) < needed_) {
    return InvalidArgument("{} neighbours sent shares; masks are safe with {}", inbox.entries.size(), needed_);
  }
  return absl::OkStatus();
}

absl::Status Neighbourhood::Mask(const AgreementKey& mask_key, MaskCipher cipher, RingVector& contribution) const {
  for (const Neighbour& neighbour : neighbours_) {
    if (!neighbour.has_shared) continue;
    ASSIGN_OR_RETURN(const Secret32 agreed, mask_key.Agree(neighbour.mask_key));
    contribution.Apply(cipher, PairMaskSeed(agreed, key_list_, self_, neighbour.id), PairMaskSign(self_, neighbour.id));
  }
  return absl::OkStatus();
}

absl::Status Neighbourhood::CheckSurvivors(const std::vector<bool>& survivors) const {
  int live = 0;
  for (const Neighbour& neighbour : neighbours_) {
    if (!survivors[neighbour.rank]) continue;
    if (!neighbour.has_shared) {
      return InvalidArgument("participant {} cannot have survived: it sent no shares", neighbour.id);
    }
    ++live;
  }
  if (live < needed_) return InvalidArgument("{} neighbours survived; masks are safe with {}", live, needed_);
  return absl::OkStatus();
}

std::vector<Unmask::Entry> Neighbourhood::TakeShares(const std::vector<bool>& survivors) {
  std::vector<Unmask::Entry> entries;
  for (Neighbour& neighbour : neighbours_) {
    if (!neighbour.has_shared) continue;
    const bool is_survivor = survivors[neighbour.rank];
    Unmask::Entry& entry = entries.emplace_back();
    entry.of = neighbour.id;
    entry.kind = is_survivor ? ShareKind::kSeed : ShareKind::kMaskKey;
    entry.share = std::move(is_survivor ? neighbour.seed_share : neighbour.mask_key_share);
  }
  return entries;
}

Neighbourhood::Neighbour* Neighbourhood::Find(ParticipantId id) {
  const auto found = std::lower_bound(neighbours_.begin(), neighbours_.end(), id,
                                      [](const Neighbour& neighbour, ParticipantId key) { return neighbour.id < key; });
  return found != neighbours_.end() && found->id == id ? &*found : nullptr;
}

}  // namespace flaim::secagg
