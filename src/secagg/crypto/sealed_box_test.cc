#include "secagg/crypto/sealed_box.h"

#include <gtest/gtest.h>

#include "base/seeded_random_source.h"
#include "secagg/crypto/hex_testing.h"

namespace flaim::secagg {
namespace {

Bytes RandomBytes(std::size_t size, RandomSource& random) {
  Bytes bytes(size);
  random.Fill(std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

Secret32 RandomKey(RandomSource& random) {
  Secret32 key;
  random.Fill(std::as_writable_bytes(key.bytes()));
  return key;
}

TEST(Seal, GivesTheVectorOfTheXChaChaDraftAppendixA31) {
  const Bytes box = internal::SealWithNonce(
      SecretFromHex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"),
      ArrayFromHex<24>("404142434445464748494a4b4c4d4e4f5051525354555657"), FromHex("50515253c0c1c2c3c4c5c6c7"),
      AsBytes("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
              "would be it."));
  EXPECT_EQ(ToHex(box),
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39"
            "ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
            "21f9664c97637da9768812f615c68b13b52e"
            "c0875924c1c7987947deafd8780acf49");
}

TEST(Seal, UsesTheZeroNonce) {
  SeededRandomSource random(1);
  const Secret32 key = RandomKey(random);
  const Bytes message = RandomBytes(100, random);
  EXPECT_EQ(Seal(key, AsBytes("context"), message), internal::SealWithNonce(key, {}, AsBytes("context"), message));
}

TEST(Open, GivesBackWhatWasSealed) {
  SeededRandomSource random(2);
  for (const std::size_t size : {0, 1, 15, 16, 17, 63, 64, 65, 112, 1000}) {
    const Secret32 key = RandomKey(random);
    const Bytes context = RandomBytes(random.NextBelow(40), random);
    const Bytes message = RandomBytes(size, random);
    const Bytes box = Seal(key, context, message);
    ASSERT_EQ(box.size(), size + kSealBytes);
    Bytes opened(size);
    EXPECT_TRUE(Open(key, context, box, opened).ok());
    EXPECT_EQ(opened, message);
  }
}

class ASealedBox : public testing::Test {
 protected:
  ASealedBox() : random_(3), key_(RandomKey(random_)), message_(RandomBytes(80, random_)) {
    box_ = Seal(key_, AsBytes("from 3 to 5"), message_);
  }

  void ExpectRefused(const Secret32& key, std::string_view context, ByteView box) {
    Bytes opened(box.size() - kSealBytes, 0xaa);
    EXPECT_EQ(Open(key, AsBytes(context), box, opened).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(opened, Bytes(opened.size(), 0)) << "something of the box was left in the message";
  }

  SeededRandomSource random_;
  Secret32 key_;
  Bytes message_;
  Bytes box_;
};

TEST_F(ASealedBox, DoesNotOpenWithAnotherKey) {
  for (std::size_t bit = 0; bit < 256; ++bit) {
    Secret32 other = key_.Clone();
    other.bytes()[bit / 8] = static_cast<std::uint8_t>(other.bytes()[bit / 8] ^ (1U << (bit % 8)));
    ExpectRefused(other, "from 3 to 5", box_);
  }
}

TEST_F(ASealedBox, DoesNotOpenInAnotherContext) {
  for (const std::string_view context : {"from 5 to 3", "from 3 to 50", "from 3 to ", ""}) {
    ExpectRefused(key_, context, box_);
  }
}

TEST_F(ASealedBox, DoesNotOpenWhenAnyBitWasChanged) {
  for (std::size_t bit = 0; bit < 8 * box_.size(); ++bit) {
    Bytes changed = box_;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ (1U << (bit % 8)));
    ExpectRefused(key_, "from 3 to 5", changed);
  }
}

TEST_F(ASealedBox, DoesNotOpenWhenItWasCutOrLengthened) {
  for (std::size_t size = kSealBytes; size < box_.size(); ++size) {
    ExpectRefused(key_, "from 3 to 5", ByteView(box_).first(size));
  }
  Bytes longer = box_;
  longer.push_back(0);
  ExpectRefused(key_, "from 3 to 5", longer);
}

TEST_F(ASealedBox, DoesNotOpenWhenShorterThanItsSeal) {
  for (std::size_t size = 0; size < kSealBytes; ++size) {
    EXPECT_EQ(Open(key_, AsBytes("from 3 to 5"), ByteView(box_).first(size), {}).code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace flaim::secagg
