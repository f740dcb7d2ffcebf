#include "runtime/identity/invite_code.h"

#include <set>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/digest.h"
#include "runtime/identity/network_address.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

InviteCode RandomCode(RandomSource& random, const std::string& address) {
  InviteCode code{.address = address};
  random.Fill(std::as_writable_bytes(std::span(code.secret)));
  random.Fill(std::as_writable_bytes(std::span(code.authority)));
  return code;
}

InviteCode RandomCode(RandomSource& random) {
  std::string host(1 + random.NextBelow(60), 'a');
  for (char& character : host) character = static_cast<char>('a' + random.NextBelow(26));
  return RandomCode(random, fmt::format("{}:{}", host, 1 + random.NextBelow(65535)));
}

std::string MessageOf(std::string_view text) { return std::string(ParseInviteCode(text).status().message()); }

// base64url without padding, written once more and differently.
std::string Base64Url(const Bytes& bytes) {
  std::string text;
  std::uint32_t bits = 0;
  int count = 0;
  for (const std::uint8_t byte : bytes) {
    bits = bits << 8 | byte;
    for (count += 8; count >= 6; count -= 6) text += kAlphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) text += kAlphabet[bits << (6 - count) & 63];
  return text;
}

// A code with a right checksum around any bytes.
std::string Sealed(Bytes bytes) {
  const Digest digest = Sha256(bytes);
  bytes.insert(bytes.end(), digest.begin(), digest.begin() + 4);
  return fmt::format("flaim-{}", Base64Url(bytes));
}

Bytes BytesOf(const InviteCode& code, std::uint8_t version) {
  Bytes bytes(2 + code.address.size());
  bytes[0] = version;
  bytes[1] = static_cast<std::uint8_t>(code.address.size());
  std::copy(code.address.begin(), code.address.end(), bytes.begin() + 2);
  bytes.insert(bytes.end(), code.secret.begin(), code.secret.end());
  bytes.insert(bytes.end(), code.authority.begin(), code.authority.end());
  return bytes;
}

TEST(InviteCode, ReadsWhatItWrites) {
  SeededRandomSource random(1);
  for (int i = 0; i < 500; ++i) {
    const InviteCode code = RandomCode(random);
    const std::string text = ToText(code);
    EXPECT_THAT(text, MatchesRegex("flaim-[A-Za-z0-9_-]+"));
    EXPECT_EQ(text, Sealed(BytesOf(code, 1)));
    EXPECT_EQ(*ParseInviteCode(text), code);
  }
  const InviteCode ipv6 = RandomCode(random, "[2001:db8::7]:7443");
  EXPECT_EQ(*ParseInviteCode(ToText(ipv6)), ipv6);
}

TEST(InviteCode, IgnoresWhiteSpaceAroundItOnly) {
  SeededRandomSource random(2);
  const InviteCode code = RandomCode(random);
  const std::string text = ToText(code);
  EXPECT_EQ(*ParseInviteCode(fmt::format(" \t\r\n{}\n \r", text)), code);
  EXPECT_THAT(MessageOf(fmt::format("{} {}", text.substr(0, 20), text.substr(20))), HasSubstr("character 21"));
}

TEST(InviteCode, NoticesEverySingleCharacterThatIsChangedLostOrAdded) {
  SeededRandomSource random(3);
  const std::string text = ToText(RandomCode(random, "flaim.example.org:7443"));
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      const char character = static_cast<char>(value);
      std::string added = text;
      added.insert(i, 1, character);
      const bool is_around =
          (i == 0 || i == text.size()) && std::string_view(" \t\r\n\v\f").find(character) != std::string_view::npos;
      EXPECT_EQ(ParseInviteCode(added).ok(), is_around) << added;
      if (i == text.size() || character == text[i]) continue;
      std::string changed = text;
      changed[i] = character;
      EXPECT_FALSE(ParseInviteCode(changed).ok()) << changed;
    }
  }
  for (std::size_t i = 0; i < text.size(); ++i) EXPECT_FALSE(ParseInviteCode(std::string(text).erase(i, 1)).ok()) << i;
}

TEST(InviteCode, NoticesNeighboursThatChangedPlaces) {
  SeededRandomSource random(4);
  const std::string text = ToText(RandomCode(random));
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string changed = text;
    std::swap(changed[i], changed[i + 1]);
    EXPECT_EQ(ParseInviteCode(changed).ok(), changed == text) << changed;
  }
}

TEST(InviteCode, SaysThatItWasCutOffWhereverThatIs) {
  SeededRandomSource random(5);
  for (int i = 0; i < 20; ++i) {
    const std::string text = ToText(RandomCode(random));
    for (std::size_t size = 0; size < text.size(); ++size) {
      EXPECT_THAT(MessageOf(text.substr(0, size)), HasSubstr("cut off")) << size << " of " << text;
    }
  }
}

TEST(InviteCode, TellsAMistypedOneFromOneWithSomethingBehindIt) {
  SeededRandomSource random(6);
  const std::string text = ToText(RandomCode(random, "flaim.example.org:7443"));
  std::string mistyped = text;
  mistyped[40] = mistyped[40] == 'x' ? 'y' : 'x';
  EXPECT_THAT(MessageOf(mistyped), HasSubstr("mistyped: its checksum"));
  EXPECT_THAT(MessageOf(text + "abc"), HasSubstr("3 characters too many"));
  EXPECT_THAT(MessageOf(fmt::format("Flaim{}", text.substr(5))), HasSubstr("begins with 'flaim-'"));
  EXPECT_THAT(MessageOf(text.substr(6)), HasSubstr("begins with 'flaim-'"));
  EXPECT_THAT(MessageOf(fmt::format("flaim-{:A<100000}", "")), HasSubstr("too many"));
}

TEST(InviteCode, TellsAnotherVersionFromDamage) {
  SeededRandomSource random(7);
  for (const int version : {0, 2, 3, 255}) {
    const std::string text = Sealed(BytesOf(RandomCode(random), static_cast<std::uint8_t>(version)));
    const absl::Status status = ParseInviteCode(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr(fmt::format("version {},", version)));
  }
  EXPECT_EQ(ParseInviteCode(Sealed({2})).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(InviteCode, RefusesBitsThatNoEncoderWrites) {
  SeededRandomSource random(8);
  int checked = 0;
  for (int i = 0; i < 20; ++i) {
    const InviteCode code = RandomCode(random);
    const std::string text = ToText(code);
    if ((BytesOf(code, 1).size() + 4) % 3 == 0) continue;
    std::string changed = text;
    changed.back() = kAlphabet[kAlphabet.find(text.back()) + 1];
    EXPECT_FALSE(ParseInviteCode(changed).ok());
    EXPECT_FALSE(ParseInviteCode(text + "=").ok());
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

TEST(InviteCode, RefusesFieldsThatAreNotWhatTheyShouldBe) {
  SeededRandomSource random(9);
  for (const char* address : {"", "nowhere", "host:0", "host:99999", "ho st:1", "::1:7443"}) {
    EXPECT_EQ(ParseInviteCode(Sealed(BytesOf(RandomCode(random, address), 1))).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
  Bytes bytes = BytesOf(RandomCode(random), 1);
  for (int i = 0; i < 256; ++i) {
    if (i == bytes[1]) continue;
    Bytes changed = bytes;
    changed[1] = static_cast<std::uint8_t>(i);
    EXPECT_FALSE(ParseInviteCode(Sealed(changed)).ok()) << i;
  }
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseInviteCode(Sealed({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)})).ok());
  }
}

TEST(InviteCode, OfRandomTextIsRefused) {
  SeededRandomSource random(10);
  for (int i = 0; i < 2000; ++i) {
    std::string text = "flaim-";
    const std::uint64_t size = random.NextBelow(200);
    for (std::uint64_t j = 0; j < size; ++j) text += kAlphabet[random.NextBelow(64)];
    EXPECT_FALSE(ParseInviteCode(text).ok()) << text;
  }
}

TEST(DigestOfApplication, DependsOnEveryPart) {
  const secagg::VerifyingKey key = {1};
  const secagg::VerifyingKey other_key = {2};
  const std::set<Digest> digests = {DigestOfApplication("secret", "request", key),
                                    DigestOfApplication("secre", "trequest", key),
                                    DigestOfApplication("secret", "request", other_key),
                                    DigestOfApplication("secret", "reques", key),
                                    DigestOfSecret("secret"),
                                    DigestOfSecret("secre")};
  EXPECT_EQ(digests.size(), 6U);
}

TEST(IdentityFingerprint, IsEightGroupsThatDependOnBothKeys) {
  const Digest request = {1};
  const secagg::VerifyingKey key = {2};
  const std::string text = IdentityFingerprint(request, key);
  EXPECT_THAT(text, MatchesRegex("([0-9a-f][0-9a-f][0-9a-f][0-9a-f]-){7}[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"));
  EXPECT_EQ(text, IdentityFingerprint(request, key));
  std::set<std::string> texts = {text};
  for (std::size_t bit = 0; bit < 256; ++bit) {
    Digest changed = request;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ 1U << bit % 8);
    texts.insert(IdentityFingerprint(changed, key));
    secagg::VerifyingKey changed_key = key;
    changed_key[bit / 8] = static_cast<std::uint8_t>(changed_key[bit / 8] ^ 1U << bit % 8);
    texts.insert(IdentityFingerprint(request, changed_key));
  }
  EXPECT_EQ(texts.size(), 513U);
}

TEST(CheckSiteName, AcceptsPlainNamesOnly) {
  EXPECT_TRUE(CheckSiteName(std::string(64, 'x')).ok());
  EXPECT_FALSE(CheckSiteName(std::string(65, 'x')).ok());
  for (const char* name : {"hospital-3", "a", "7", "A.b_c-d"}) EXPECT_TRUE(CheckSiteName(name).ok()) << name;
  for (const char* name :
       {"", "-a", "_a", ".a", "a b", "a/b", "a'b", "a\nb", "h\xc3\xb6spital", "a,b", "a=b", "a:b", "a*"}) {
    EXPECT_EQ(CheckSiteName(name).code(), absl::StatusCode::kInvalidArgument) << name;
  }
  EXPECT_FALSE(CheckSiteName(std::string_view("a\0b", 3)).ok());
}

}  // namespace
}  // namespace flaim::runtime
