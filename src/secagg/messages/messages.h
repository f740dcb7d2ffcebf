#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "io/bytes.h"
#include "io/digest.h"
#include "secagg/crypto/key_agreement.h"
#include "secagg/crypto/sealed_box.h"
#include "secagg/crypto/shamir.h"
#include "secagg/crypto/signature.h"
#include "secagg/messages/roster.h"
#include "secagg/messages/terms.h"

namespace flaim::secagg {

// The messages of a session, in their order. Left: who sends it. docs/SECURE_AGGREGATION.md draws the sequence and has
// the byte formats.

// Drawn at random by the server; a participant answers each one once.
using SessionId = Digest;

// server: the terms, signed.
struct Offer {
  std::int64_t deadline_unix_ms = 0;
  SessionTerms terms;
  Signature signature{};
};

// client: fresh keys for this session, signed together with the offer.
struct Advertise {
  Digest offer{};                    // of the offer that was answered
  AgreementPublicKey mask_key{};     // for masks; its secret half is shared out, to be recovered if its owner vanishes
  AgreementPublicKey sealing_key{};  // for what neighbours send each other through the server
  Digest seed_commitment{};          // of the seed of the sender's own mask
  Signature signature{};
};

// server: everybody who advertised, and the advertisements of the receiver's neighbours in the graph.
struct KeyList {
  struct Entry {
    ParticipantId id = 0;
    Digest advertisement{};
  };
  std::vector<Entry> everyone;        // ascending
  std::vector<Advertise> neighbours;  // ascending
};

// A share of the seed and one of the mask key, sealed for one neighbour.
using SealedShares = std::array<std::uint8_t, 2 * Share::kBytes + kSealBytes>;

// client: one box for each neighbour, in their order.
struct Shares {
  std::vector<SealedShares> boxes;
};

// server: what neighbours sent, each from its sender.
struct Inbox {
  struct Entry {
    ParticipantId from = 0;
    SealedShares box{};
  };
  std::vector<Entry> entries;  // ascending
};

// client: the masked vector, packed.
struct Masked {
  Bytes packed;
};

// server: whose masked vectors are in the sum; bit i stands for entry i of the key list, the spare bits are zero.
struct Survivors {
  Bytes members;
};

// client: its signature over the survivors.
struct Confirm {
  Signature signature{};
};

// server: others' signatures over the survivors.
struct Bundle {
  struct Entry {
    ParticipantId from = 0;
    Signature signature{};
  };
  std::vector<Entry> entries;  // ascending
};

// Which of a neighbour's two secrets is recovered: never both.
enum class ShareKind : std::uint8_t {
  kSeed = 0,     // of a survivor: its own mask is taken out of the sum
  kMaskKey = 1,  // of somebody who vanished: the masks it has in common with survivors are
};

// client: its own seed, and for each neighbour the share of one kind.
struct Unmask {
  struct Entry {
    ParticipantId of = 0;
    ShareKind kind = ShareKind::kSeed;
    Share share;
  };
  Secret32 seed;
  std::vector<Entry> entries;  // ascending
};

// server: the sum is made.
struct Finished {
  std::uint32_t contributors = 0;
};

// server: there will be no sum.
enum class AbortReason : std::uint8_t {
  kTooFewParticipants = 0,
  kTooFewShares = 1,
  kWrongShares = 2,
  kGivenUp = 3,
};

struct Abort {
  AbortReason reason = AbortReason::kGivenUp;
};

std::string ToString(AbortReason reason);

using MessageBody =
    std::variant<Offer, Advertise, KeyList, Shares, Inbox, Masked, Survivors, Confirm, Bundle, Unmask, Finished, Abort>;

struct Message {
  SessionId session{};
  MessageBody body;
};

Bytes Encode(const SessionId& session, const MessageBody& body);

// InvalidArgument for anything that Encode did not make. Believes nothing about meaning: that is the receiver's job.
absl::StatusOr<Message> Decode(ByteView bytes);

// What signatures are over, and what messages refer to each other by.
Digest DigestOf(const SessionId& session, const Offer& offer);
Digest DigestOf(ParticipantId from, const Advertise& advertisement);
// Everything that a key list tells all its receivers alike.
Digest DigestOf(const Digest& offer, const KeyList& key_list);
Digest DigestOfSurvivors(const Digest& key_list, ByteView members);
Digest CommitmentTo(const Secret32& seed);

}  // namespace flaim::secagg
