#include <limits>
#include <type_traits>
#include <utility>

#include "base/status.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/wire.h"

// One pair of functions, Write and Read, for each kind of message, and the header before them all: a version, the kind,
// the session.

namespace flaim::secagg {
namespace {

constexpr std::uint8_t kVersion = 2;

void Write(const Rational& value, WireWriter& writer) {
  writer.I64(value.numerator());
  writer.I64(value.denominator());
}

Rational ReadRational(WireReader& reader) {
  const std::int64_t numerator = reader.I64();
  const std::int64_t denominator = reader.I64();
  const bool is_in_range =
      numerator >= 0 && numerator <= Rational::kMaxTerm && denominator > 0 && denominator <= Rational::kMaxTerm;
  if (is_in_range) {
    const Rational value(numerator, denominator);
    if (value.numerator() == numerator && value.denominator() == denominator) return value;
  }
  reader.Refuse();
  return Rational(0, 1);
}

// A count that is an int to the program.
int ReadCount(WireReader& reader) {
  const std::uint32_t value = reader.U32();
  if (value <= static_cast<std::uint32_t>(std::numeric_limits<int>::max())) return static_cast<int>(value);
  reader.Refuse();
  return 0;
}

void WriteCount(int count, WireWriter& writer) { writer.U32(static_cast<std::uint32_t>(count)); }

template <typename Enum>
Enum ReadEnum(WireReader& reader, Enum last) {
  const std::uint8_t value = reader.U8();
  if (value > static_cast<std::uint8_t>(last)) reader.Refuse();
  return static_cast<Enum>(value);
}

void Write(const Block& block, WireWriter& writer) {
  writer.U32(block.entries);
  Write(block.sigma_squared, writer);
}

void Read(WireReader& reader, Block& block) {
  block.entries = reader.U32();
  block.sigma_squared = ReadRational(reader);
}

constexpr std::size_t kBlockBytes = 4 + 16;

void Write(const SessionTerms& terms, WireWriter& writer) {
  writer.Raw(terms.roster);
  writer.Raw(terms.model);
  writer.Raw(terms.workload);
  writer.U32(static_cast<std::uint32_t>(terms.blocks.size()));
  for (const Block& block : terms.blocks) Write(block, writer);
  writer.I64(terms.entry_bound);
  WriteCount(terms.bounds.invited, writer);
  WriteCount(terms.bounds.dropouts, writer);
  WriteCount(terms.bounds.colluders, writer);
  WriteCount(terms.graph.degree, writer);
  WriteCount(terms.graph.threshold, writer);
  WriteCount(terms.committee, writer);
  WriteCount(terms.ring_bits, writer);
  writer.U8(static_cast<std::uint8_t>(terms.cipher));
}

void Read(WireReader& reader, SessionTerms& terms) {
  reader.Raw(terms.roster);
  reader.Raw(terms.model);
  reader.Raw(terms.workload);
  terms.blocks.resize(reader.Length(kBlockBytes));
  for (Block& block : terms.blocks) Read(reader, block);
  terms.entry_bound = reader.I64();
  terms.bounds.invited = ReadCount(reader);
  terms.bounds.dropouts = ReadCount(reader);
  terms.bounds.colluders = ReadCount(reader);
  terms.graph.degree = ReadCount(reader);
  terms.graph.threshold = ReadCount(reader);
  terms.committee = ReadCount(reader);
  terms.ring_bits = ReadCount(reader);
  terms.cipher = ReadEnum(reader, MaskCipher::kChaCha20);
}

void WriteUnsigned(const Offer& offer, WireWriter& writer) {
  writer.I64(offer.deadline_unix_ms);
  Write(offer.terms, writer);
}

void Write(const Offer& offer, WireWriter& writer) {
  WriteUnsigned(offer, writer);
  writer.Raw(offer.signature);
}

void Read(WireReader& reader, Offer& offer) {
  offer.deadline_unix_ms = reader.I64();
  Read(reader, offer.terms);
  reader.Raw(offer.signature);
}

void WriteUnsigned(const Advertise& advertisement, WireWriter& writer) {
  writer.Raw(advertisement.offer);
  writer.Raw(advertisement.mask_key);
  writer.Raw(advertisement.sealing_key);
  writer.Raw(advertisement.seed_commitment);
}

void Write(const Advertise& advertisement, WireWriter& writer) {
  WriteUnsigned(advertisement, writer);
  writer.Raw(advertisement.signature);
}

void Read(WireReader& reader, Advertise& advertisement) {
  reader.Raw(advertisement.offer);
  reader.Raw(advertisement.mask_key);
  reader.Raw(advertisement.sealing_key);
  reader.Raw(advertisement.seed_commitment);
  reader.Raw(advertisement.signature);
}

constexpr std::size_t kAdvertiseBytes = 4 * 32 + 64;

void Write(const KeyList& list, WireWriter& writer) {
  writer.U32(static_cast<std::uint32_t>(list.everyone.size()));
  for (const KeyList::Entry& entry : list.everyone) {
    writer.U32(entry.id);
    writer.Raw(entry.advertisement);
  }
  writer.U32(static_cast<std::uint32_t>(list.neighbours.size()));
  for (const Advertise& neighbour : list.neighbours) Write(neighbour, writer);
}

void Read(WireReader& reader, KeyList& list) {
  list.everyone.resize(reader.Length(sizeof(ParticipantId) + sizeof(Digest)));
  for (KeyList::Entry& entry : list.everyone) {
    entry.id = reader.U32();
    reader.Raw(entry.advertisement);
  }
  list.neighbours.resize(reader.Length(kAdvertiseBytes));
  for (Advertise& neighbour : list.neighbours) Read(reader, neighbour);
}

void Write(const Shares& shares, WireWriter& writer) {
  writer.U32(static_cast<std::uint32_t>(shares.boxes.size()));
  for (const SealedShares& box : shares.boxes) writer.Raw(box);
}

void Read(WireReader& reader, Shares& shares) {
  shares.boxes.resize(reader.Length(sizeof(SealedShares)));
  for (SealedShares& box : shares.boxes) reader.Raw(box);
}

void Write(const Inbox& inbox, WireWriter& writer) {
  writer.U32(static_cast<std::uint32_t>(inbox.entries.size()));
  for (const Inbox::Entry& entry : inbox.entries) {
    writer.U32(entry.from);
    writer.Raw(entry.box);
  }
}

void Read(WireReader& reader, Inbox& inbox) {
  inbox.entries.resize(reader.Length(sizeof(ParticipantId) + sizeof(SealedShares)));
  for (Inbox::Entry& entry : inbox.entries) {
    entry.from = reader.U32();
    reader.Raw(entry.box);
  }
}

void Write(const Masked& masked, WireWriter& writer) { writer.Raw(masked.packed); }

void Read(WireReader& reader, Masked& masked) {
  const ByteView rest = reader.Rest();
  masked.packed.assign(rest.begin(), rest.end());
}

void Write(const Survivors& survivors, WireWriter& writer) { writer.Raw(survivors.members); }

void Read(WireReader& reader, Survivors& survivors) {
  const ByteView rest = reader.Rest();
  survivors.members.assign(rest.begin(), rest.end());
}

void Write(const Confirm& confirm, WireWriter& writer) { writer.Raw(confirm.signature); }

void Read(WireReader& reader, Confirm& confirm) { reader.Raw(confirm.signature); }

void Write(const Bundle& bundle, WireWriter& writer) {
  writer.U32(static_cast<std::uint32_t>(bundle.entries.size()));
  for (const Bundle::Entry& entry : bundle.entries) {
    writer.U32(entry.from);
    writer.Raw(entry.signature);
  }
}

void Read(WireReader& reader, Bundle& bundle) {
  bundle.entries.resize(reader.Length(sizeof(ParticipantId) + sizeof(Signature)));
  for (Bundle::Entry& entry : bundle.entries) {
    entry.from = reader.U32();
    reader.Raw(entry.signature);
  }
}

void Write(const Unmask& unmask, WireWriter& writer) {
  writer.Raw(unmask.seed.bytes());
  writer.U32(static_cast<std::uint32_t>(unmask.entries.size()));
  for (const Unmask::Entry& entry : unmask.entries) {
    writer.U32(entry.of);
    writer.U8(static_cast<std::uint8_t>(entry.kind));
    writer.Raw(entry.share.bytes());
  }
}

void Read(WireReader& reader, Unmask& unmask) {
  reader.Raw(unmask.seed.bytes());
  unmask.entries.resize(reader.Length(sizeof(ParticipantId) + 1 + Share::kBytes));
  for (Unmask::Entry& entry : unmask.entries) {
    entry.of = reader.U32();
    entry.kind = ReadEnum(reader, ShareKind::kMaskKey);
    reader.Raw(entry.share.bytes());
  }
}

void Write(const Finished& finished, WireWriter& writer) { writer.U32(finished.contributors); }

void Read(WireReader& reader, Finished& finished) { finished.contributors = reader.U32(); }

void Write(const Abort& abort, WireWriter& writer) { writer.U8(static_cast<std::uint8_t>(abort.reason)); }

void Read(WireReader& reader, Abort& abort) { abort.reason = ReadEnum(reader, AbortReason::kGivenUp); }

template <std::size_t kKind = 0>
MessageBody ReadBody(std::uint8_t kind, WireReader& reader) {
  if constexpr (kKind == std::variant_size_v<MessageBody>) {
    reader.Refuse();
    return Abort{};
  } else {
    if (kind != kKind) return ReadBody<kKind + 1>(kind, reader);
    std::variant_alternative_t<kKind, MessageBody> body;
    Read(reader, body);
    return body;
  }
}

}  // namespace

Bytes Encode(const SessionId& session, const MessageBody& body) {
  WireWriter writer;
  if (const Masked* masked = std::get_if<Masked>(&body)) writer.Reserve(masked->packed.size() + 64);
  writer.U8(kVersion);
  writer.U8(static_cast<std::uint8_t>(body.index()));
  writer.Raw(session);
  std::visit([&writer](const auto& message) { Write(message, writer); }, body);
  return writer.Take();
}

absl::StatusOr<Message> Decode(ByteView bytes) {
  WireReader reader(bytes);
  const std::uint8_t version = reader.U8();
  if (reader.ok() && version != kVersion) {
    return InvalidArgument("a message of version {}; this program speaks version {}", version, kVersion);
  }
  const std::uint8_t kind = reader.U8();
  SessionId session;
  reader.Raw(session);
  Message message{.session = session, .body = ReadBody(kind, reader)};
  if (!reader.AtEnd()) return InvalidArgument("a message of {} bytes is malformed", bytes.size());
  return message;
}

Digest DigestOf(const SessionId& session, const Offer& offer) {
  WireWriter writer;
  WriteUnsigned(offer, writer);
  return Transcript("flaim offer").Add(session).Add(writer.Take()).Finish();
}

Digest DigestOf(ParticipantId from, const Advertise& advertisement) {
  WireWriter writer;
  WriteUnsigned(advertisement, writer);
  return Transcript("flaim advertise").Add(from).Add(writer.Take()).Finish();
}

Digest DigestOf(const Digest& offer, const KeyList& key_list) {
  Transcript transcript("flaim key list");
  transcript.Add(offer).Add(key_list.everyone.size());
  for (const KeyList::Entry& entry : key_list.everyone) transcript.Add(entry.id).Add(entry.advertisement);
  return transcript.Finish();
}

Digest DigestOfSurvivors(const Digest& key_list, ByteView members) {
  return Transcript("flaim survivors").Add(key_list).Add(members).Finish();
}

Digest CommitmentTo(const Secret32& seed) { return Transcript("flaim seed").Add(seed.bytes()).Finish(); }

std::string ToString(AbortReason reason) {
  switch (reason) {
    case AbortReason::kTooFewParticipants:
      return "too few participants are left";
    case AbortReason::kTooFewShares:
      return "too few participants stayed to the end to unmask the sum";
    case AbortReason::kWrongShares:
      return "a secret could not be recovered: somebody sent wrong shares";
    case AbortReason::kGivenUp:
      return "the server gave up";
  }
  return "";
}

}  // namespace flaim::secagg
