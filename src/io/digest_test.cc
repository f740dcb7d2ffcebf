#include "io/digest.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "io/hex.h"

namespace flaim {
namespace {

TEST(Sha256, GivesTheExamplesOfFips180) {
  EXPECT_EQ(ToHex(Sha256(AsBytes("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ToHex(Sha256(AsBytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(ToHex(Sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Blake2b, GivesTheExampleOfRfc7693) {
  EXPECT_EQ(ToHex(Blake2b<64>().Add(AsBytes("abc")).Finish()),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
}

TEST(Blake2b, IsTheSameInPiecesAndAnotherForEachLength) {
  EXPECT_EQ(ToHex(Blake2b<16>().Add(AsBytes("a")).Add(AsBytes("bc")).Finish()), "cf4ab791c62b8d2b2109c90275287816");
}

TEST(Transcript, IsSha256OfItsFieldsEachAfterItsLength) {
  const Bytes spelt_out = *FromHex(
      "05000000000000006c6162656c"        // "label"
      "0200000000000000abcd"              // a field
      "08000000000000000807060504030201"  // a number
      "0000000000000000");                // an empty field
  const Bytes field = *FromHex("abcd");
  EXPECT_EQ(Transcript("label").Add(field).Add(0x0102030405060708).Add(ByteView()).Finish(), Sha256(spelt_out));
}

// Bytes 0 and 1 look most like lengths.
TEST(Transcript, HasAnotherDigestForEveryListOfShortFields) {
  const std::vector<std::string> fields = {
      "",
      std::string(1, '\0'),
      "\1",
      std::string(8, '\0'),
      std::string(1, '\1') + std::string(7, '\0'),
      std::string(16, '\0'),
      std::string(1, '\1') + std::string(8, '\0'),
  };
  std::set<Digest> digests;
  std::size_t lists = 0;
  const auto record = [&](const std::vector<std::size_t>& list) {
    Transcript transcript(fields[list[0]]);
    for (std::size_t i = 1; i < list.size(); ++i) transcript.Add(AsBytes(fields[list[i]]));
    digests.insert(transcript.Finish());
    ++lists;
  };
  for (std::size_t a = 0; a < fields.size(); ++a) {
    record({a});
    for (std::size_t b = 0; b < fields.size(); ++b) {
      record({a, b});
      for (std::size_t c = 0; c < fields.size(); ++c) record({a, b, c});
    }
  }
  EXPECT_EQ(lists, 7U + 49U + 343U);
  EXPECT_EQ(digests.size(), lists);
}

TEST(Transcript, DoesNotLetFieldsRunIntoEachOther) {
  const auto digest_of = [](std::string_view first, std::string_view second) {
    return Transcript("names").Add(AsBytes(first)).Add(AsBytes(second)).Finish();
  };
  EXPECT_NE(digest_of("ab", "c"), digest_of("a", "bc"));
  EXPECT_NE(digest_of("abc", ""), digest_of("", "abc"));
  EXPECT_EQ(digest_of("ab", "c"), digest_of("ab", "c"));
}

TEST(Transcript, HasAnotherDigestForEveryPurpose) {
  EXPECT_NE(Transcript("survivors").Add(7).Finish(), Transcript("advertisement").Add(7).Finish());
}

}  // namespace
}  // namespace flaim
