#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/seeded_random_source.h"
#include "secagg/messages/messages.h"

namespace flaim::secagg {
namespace {

class RandomMessages {
 public:
  explicit RandomMessages(std::uint64_t seed) : random_(seed, "messages") {}

  SessionId Session() { return Array<32>(); }

  // One message of each kind.
  std::vector<MessageBody> OneOfEach() {
    std::vector<MessageBody> bodies;
    bodies.push_back(RandomOffer());
    bodies.push_back(RandomAdvertise());
    bodies.push_back(RandomKeyList());
    Shares shares;
    for (std::size_t i = Below(4); i > 0; --i) shares.boxes.push_back(Array<sizeof(SealedShares)>());
    bodies.push_back(shares);
    Inbox inbox;
    for (std::size_t i = Below(4); i > 0; --i) {
      inbox.entries.push_back({.from = U32(), .box = Array<sizeof(SealedShares)>()});
    }
    bodies.push_back(inbox);
    bodies.push_back(Masked{.packed = RandomBytes(Below(50))});
    bodies.push_back(Survivors{.members = RandomBytes(Below(50))});
    bodies.push_back(Confirm{.signature = Array<64>()});
    Bundle bundle;
    for (std::size_t i = Below(4); i > 0; --i) bundle.entries.push_back({.from = U32(), .signature = Array<64>()});
    bodies.push_back(bundle);
    bodies.push_back(RandomUnmask());
    bodies.push_back(Finished{.contributors = U32()});
    bodies.push_back(Abort{.reason = static_cast<AbortReason>(Below(4))});
    return bodies;
  }

  std::size_t Below(std::size_t bound) { return random_.NextBelow(bound); }
  std::uint8_t Byte() { return static_cast<std::uint8_t>(random_.NextU64()); }

 private:
  std::uint32_t U32() { return static_cast<std::uint32_t>(random_.NextU64()); }

  template <std::size_t kSize>
  std::array<std::uint8_t, kSize> Array() {
    std::array<std::uint8_t, kSize> bytes;
    random_.Fill(std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }

  Bytes RandomBytes(std::size_t size) {
    Bytes bytes(size);
    for (std::uint8_t& byte : bytes) byte = Byte();
    return bytes;
  }

  Offer RandomOffer() {
    Offer offer;
    offer.deadline_unix_ms = static_cast<std::int64_t>(random_.NextU64());
    offer.terms.roster = Array<32>();
    offer.terms.model = Array<32>();
    offer.terms.workload = Array<32>();
    for (std::size_t i = Below(4); i > 0; --i) {
      offer.terms.blocks.push_back(
          {.entries = U32(), .sigma_squared = Rational(static_cast<std::int64_t>(Below(1000)), 7)});
    }
    offer.terms.entry_bound = static_cast<std::int64_t>(random_.NextU64());
    offer.terms.bounds = {.invited = static_cast<int>(Below(1000)),
                          .dropouts = static_cast<int>(Below(9)),
                          .colluders = static_cast<int>(Below(9))};
    offer.terms.graph = {.degree = static_cast<int>(Below(99)), .threshold = static_cast<int>(Below(99))};
    offer.terms.committee = static_cast<int>(Below(99));
    offer.terms.ring_bits = static_cast<int>(Below(65));
    offer.terms.cipher = static_cast<MaskCipher>(Below(2));
    offer.signature = Array<64>();
    return offer;
  }

  Advertise RandomAdvertise() {
    return {.offer = Array<32>(),
            .mask_key = Array<32>(),
            .sealing_key = Array<32>(),
            .seed_commitment = Array<32>(),
            .signature = Array<64>()};
  }

  KeyList RandomKeyList() {
    KeyList list;
    for (std::size_t i = Below(5); i > 0; --i) list.everyone.push_back({.id = U32(), .advertisement = Array<32>()});
    for (std::size_t i = Below(3); i > 0; --i) list.neighbours.push_back(RandomAdvertise());
    return list;
  }

  Unmask RandomUnmask() {
    Unmask unmask;
    random_.Fill(std::as_writable_bytes(std::span(unmask.seed.bytes())));
    for (std::size_t i = Below(4); i > 0; --i) {
      Unmask::Entry& entry = unmask.entries.emplace_back();
      entry.of = U32();
      entry.kind = static_cast<ShareKind>(Below(2));
      random_.Fill(std::as_writable_bytes(std::span(entry.share.bytes())));
    }
    return unmask;
  }

  SeededRandomSource random_;
};

TEST(MessageCodec, ReadsBackWhatItWroteForEveryKind) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomMessages messages(seed);
    const SessionId session = messages.Session();
    const std::vector<MessageBody> bodies = messages.OneOfEach();
    ASSERT_EQ(bodies.size(), std::variant_size_v<MessageBody>);
    for (std::size_t kind = 0; kind < bodies.size(); ++kind) {
      ASSERT_EQ(bodies[kind].index(), kind);
      const Bytes encoded = Encode(session, bodies[kind]);
      const absl::StatusOr<Message> decoded = Decode(encoded);
      ASSERT_TRUE(decoded.ok()) << "kind " << kind << ": " << decoded.status();
      EXPECT_EQ(decoded->session, session);
      EXPECT_EQ(decoded->body.index(), kind);
      EXPECT_EQ(Encode(decoded->session, decoded->body), encoded) << "kind " << kind;
    }
  }
}

TEST(MessageCodec, KeepsEveryTermOfAnOffer) {
  RandomMessages messages(7);
  const std::vector<MessageBody> bodies = messages.OneOfEach();
  const MessageBody& body = bodies[0];
  const absl::StatusOr<Message> decoded = Decode(Encode(messages.Session(), body));
  ASSERT_TRUE(decoded.ok());
  const Offer& sent = std::get<Offer>(body);
  const Offer& received = std::get<Offer>(decoded->body);
  EXPECT_TRUE(sent.terms == received.terms);
  EXPECT_EQ(sent.deadline_unix_ms, received.deadline_unix_ms);
  EXPECT_EQ(sent.signature, received.signature);
}

TEST(MessageCodec, RefusesEveryMessageThatWasCutShort) {
  RandomMessages messages(8);
  const SessionId session = messages.Session();
  const std::vector<MessageBody> bodies = messages.OneOfEach();
  for (const MessageBody& body : bodies) {
    // These two end where the message ends; every prefix is another message of the kind.
    if (std::holds_alternative<Masked>(body) || std::holds_alternative<Survivors>(body)) continue;
    const Bytes encoded = Encode(session, body);
    for (std::size_t size = 0; size < encoded.size(); ++size) {
      EXPECT_FALSE(Decode(ByteView(encoded).first(size)).ok()) << "kind " << body.index() << ", " << size << " bytes";
    }
  }
}

TEST(MessageCodec, RefusesBytesAfterTheEnd) {
  RandomMessages messages(9);
  const SessionId session = messages.Session();
  const std::vector<MessageBody> bodies = messages.OneOfEach();
  for (const MessageBody& body : bodies) {
    if (std::holds_alternative<Masked>(body) || std::holds_alternative<Survivors>(body)) continue;
    Bytes encoded = Encode(session, body);
    encoded.push_back(0);
    EXPECT_FALSE(Decode(encoded).ok()) << "kind " << body.index();
  }
}

TEST(MessageCodec, GivesOneFormToOneMessage) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomMessages messages(seed);
    const SessionId session = messages.Session();
    const std::vector<MessageBody> bodies = messages.OneOfEach();
    for (const MessageBody& body : bodies) {
      Bytes damaged = Encode(session, body);
      damaged[messages.Below(damaged.size())] ^= static_cast<std::uint8_t>(1U << messages.Below(8));
      const absl::StatusOr<Message> decoded = Decode(damaged);
      if (!decoded.ok()) continue;
      EXPECT_EQ(Encode(decoded->session, decoded->body), damaged);
    }
  }
}

TEST(MessageCodec, DoesNotBelieveALengthThatTheBytesCannotHold) {
  const Bytes empty_inbox = Encode(SessionId{}, Inbox{});
  Bytes claims_four_billion = empty_inbox;
  std::fill(claims_four_billion.end() - 4, claims_four_billion.end(), std::uint8_t{0xFF});
  EXPECT_FALSE(Decode(claims_four_billion).ok());
}

TEST(MessageCodec, SaysWhichVersionItSpeaks) {
  Bytes future = Encode(SessionId{}, Abort{});
  future[0] = 9;
  const absl::Status refused = Decode(future).status();
  EXPECT_NE(std::string(refused.message()).find("version 9"), std::string::npos) << refused;
}

// What a fuzzer starts from is worth little if it is refused at the first byte.
TEST(MessageCodec, ReadsOneSeedOfEachKindFromTheCorpusOfItsFuzzer) {
  std::set<std::size_t> kinds;
  for (const auto& seed : std::filesystem::directory_iterator(FLAIM_SOURCE_DIR "/fuzz/corpus/secagg_message")) {
    std::ifstream file(seed.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const absl::StatusOr<Message> message = Decode(AsBytes(bytes));
    ASSERT_TRUE(message.ok()) << seed.path() << ": " << message.status();
    kinds.insert(message->body.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<MessageBody>);
}

TEST(MessageCodec, RefusesFractionsThatAreNotInLowestTermsOrHaveNoDenominator) {
  Offer offer;
  offer.terms.blocks = {{.entries = 1, .sigma_squared = Rational(3, 1)}};
  const Bytes good = Encode(SessionId{}, offer);
  ASSERT_TRUE(Decode(good).ok());
  const std::size_t numerator = 2 + 32 + 8 + 3 * 32 + 4 + 4;
  ASSERT_EQ(good[numerator], 3);
  ASSERT_EQ(good[numerator + 8], 1);
  Bytes not_lowest = good;
  not_lowest[numerator + 8] = 3;
  EXPECT_FALSE(Decode(not_lowest).ok());
  Bytes no_denominator = good;
  no_denominator[numerator + 8] = 0;
  EXPECT_FALSE(Decode(no_denominator).ok());
  Bytes negative = good;
  negative[numerator + 7] = 0x80;
  EXPECT_FALSE(Decode(negative).ok());
}

TEST(MessageDigest, CoversEverythingBeforeTheSignature) {
  RandomMessages messages(11);
  const SessionId session = messages.Session();
  const std::vector<MessageBody> bodies = messages.OneOfEach();
  const Offer offer = std::get<Offer>(bodies[0]);
  Offer other_model = offer;
  other_model.terms.model[0] ^= 1;
  Offer other_deadline = offer;
  ++other_deadline.deadline_unix_ms;
  Offer other_signature = offer;
  other_signature.signature[0] ^= 1;
  EXPECT_NE(DigestOf(session, offer), DigestOf(session, other_model));
  EXPECT_NE(DigestOf(session, offer), DigestOf(session, other_deadline));
  EXPECT_NE(DigestOf(session, offer), DigestOf(messages.Session(), offer));
  EXPECT_EQ(DigestOf(session, offer), DigestOf(session, other_signature));

  const Advertise advertise = std::get<Advertise>(bodies[1]);
  Advertise other_key = advertise;
  other_key.mask_key[31] ^= 1;
  EXPECT_NE(DigestOf(1, advertise), DigestOf(1, other_key));
  EXPECT_NE(DigestOf(1, advertise), DigestOf(2, advertise));
}

}  // namespace
}  // namespace flaim::secagg
