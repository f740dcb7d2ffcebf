#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "secagg/crypto/key_agreement.h"
#include "secagg/messages/messages.h"
#include "secagg/protocol/participation.h"
#include "secagg/protocol/ring_vector.h"

namespace flaim::secagg {

// The point of the sharing polynomials at which a participant's shares are taken.
inline SharePoint PointOf(ParticipantId id) { return SharePoint{id} + 1; }

// The graph among those who advertised: drawn from all that they advertised, so everybody computes the same one, and
// the server has no say in it other than through whom it lists.
Digest GraphSeed(const Digest& key_list);

// A participant's neighbours in the graph and what is between it and them: keys to seal shares with, the shares that
// they entrusted to it, and the masks that it has in common with them.
class Neighbourhood {
 public:
  // Works out who the neighbours are and checks that their advertisements are genuine: signed by them, in answer to
  // the same offer. InvalidArgument if not, if a sealing key is of low order, or if the graph does not protect so many.
  static absl::StatusOr<Neighbourhood> Meet(const Participation& me, const Digest& offer, const Digest& key_list,
                                            const KeyList& list, const AgreementKey& sealing_key);

  int rank() const { return rank_; }  // of this participant in the key list

  // Shares of both secrets for each neighbour, in boxes that only it can open. Once.
  Shares SealShares(const Secret32& seed, const Secret32& mask_key, RandomSource& random);

  // Takes what neighbours sent. InvalidArgument if anything in it is not from a neighbour, comes twice, does not open,
  // or if too few sent something.
  absl::Status OpenInbox(const Inbox& inbox);

  // Applies the masks in common with those who sent shares. InvalidArgument if a mask key is of low order.
  absl::Status Mask(const AgreementKey& mask_key, MaskCipher cipher, RingVector& contribution) const;

  // Whether enough neighbours survive, and none that cannot have.
  absl::Status CheckSurvivors(const std::vector<bool>& survivors) const;

  // One share for each who sent some: of the seed if it survived, of the mask key if not. Once.
  std::vector<Unmask::Entry> TakeShares(const std::vector<bool>& survivors);

 private:
  struct Neighbour {
    ParticipantId id = 0;
    int rank = 0;
    AgreementPublicKey mask_key{};
    Secret32 sealing_key;  // for what we send it
    Secret32 opening_key;  // for what it sends us
    Share seed_share;
    Share mask_key_share;
    bool has_shared = false;  // its shares have come, so we mask with it
  };

  Neighbourhood(ParticipantId self, GraphParameters graph, int needed, const Digest& key_list)
      : self_(self), graph_(graph), needed_(needed), key_list_(key_list) {}

  absl::Status Add(const KeyList::Entry& listed, int rank, const Advertise& advertisement,
                   const AgreementKey& sealing_key);
  Neighbour* Find(ParticipantId id);

  ParticipantId self_;
  GraphParameters graph_;
  int needed_;  // so many must be there
  Digest key_list_;
  int rank_ = 0;
  std::vector<Neighbour> neighbours_;  // ascending
};

}  // namespace flaim::secagg
