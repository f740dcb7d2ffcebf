#include "runtime/identity/invite_code.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "base/check.h"
#include "base/sodium_library.h"
#include "base/status.h"
#include "io/hex.h"
#include "io/message_text.h"
#include "runtime/identity/network_address.h"

namespace flaim::runtime {
namespace {

constexpr std::string_view kPrefix = "flaim-";
constexpr std::uint8_t kInviteVersion = 1;
constexpr std::size_t kHeaderBytes = 2;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kFixedBytes = kHeaderBytes + InviteCode::kSecretBytes + sizeof(Digest) + kChecksumBytes;
constexpr std::size_t kMaxTextBytes = 1024;
constexpr std::size_t kMaxSiteNameBytes = 64;
constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

Digest ChecksumOf(ByteView bytes) { return Sha256(bytes); }

std::size_t EncodedSize(std::size_t bytes) { return (bytes * 8 + 5) / 6; }

std::string Encode(ByteView bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kVariant);
  text.pop_back();  // the final NUL
  return text;
}

// Nothing unless the text is exactly what Encode writes.
std::optional<Bytes> Decode(std::string_view text) {
  Bytes bytes(text.size() + 1);  // never without memory
  std::size_t size = 0;
  const char* end = nullptr;
  const int result =
      sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size, &end, kVariant);
  if (result != 0 || end != text.data() + text.size()) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

bool IsLetterOrDigit(char character) {
  return ('a' <= character && character <= 'z') || ('A' <= character && character <= 'Z') ||
         ('0' <= character && character <= '9');
}

bool IsWhiteSpace(char character) { return std::string_view(" \t\r\n\v\f").find(character) != std::string_view::npos; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsWhiteSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsWhiteSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool HasRightChecksum(ByteView bytes) {
  if (bytes.size() <= kChecksumBytes) return false;
  const Digest digest = ChecksumOf(bytes.first(bytes.size() - kChecksumBytes));
  return std::memcmp(digest.data(), bytes.last(kChecksumBytes).data(), kChecksumBytes) == 0;
}

absl::Status CutOff() {
  return InvalidArgument("the invite code has been cut off: copy all of it, from 'flaim-' to the end of the line");
}

absl::Status CheckCharacters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsLetterOrDigit(text[i]) || text[i] == '-' || text[i] == '_') continue;
    return InvalidArgument(
        "character {} of the invite code is mistyped: there are only letters, digits, '-' and '_' in it, and no blanks "
        "or line ends",
        i + 1);
  }
  return absl::OkStatus();
}

// What is likely to have happened to a code whose checksum is wrong. Its length, if that can still be read, tells.
absl::Status ExplainDamage(std::string_view encoded) {
  const std::optional<Bytes> front = Decode(encoded.substr(0, 4));
  const bool has_length = front.has_value() && front->size() >= kHeaderBytes && front->front() == kInviteVersion;
  const std::size_t least = EncodedSize(kFixedBytes + (has_length ? (*front)[1] : 1));
  if (encoded.size() < least) return CutOff();
  if (has_length && encoded.size() > least) {
    return InvalidArgument("the invite code has {} characters too many at its end, or is mistyped: copy it again",
                           encoded.size() - least);
  }
  return InvalidArgument("the invite code is mistyped: its checksum is wrong. Copy it again");
}

absl::StatusOr<InviteCode> ReadFields(ByteView bytes) {
  if (bytes.size() < kFixedBytes || bytes.size() != kFixedBytes + bytes[1]) {
    return InvalidArgument("the invite code was not made by this program: ask for a new one");
  }
  InviteCode code;
  bytes = bytes.subspan(1);
  const std::size_t address_bytes = bytes.front();
  code.address.assign(reinterpret_cast<const char*>(bytes.data() + 1), address_bytes);
  bytes = bytes.subspan(1 + address_bytes);
  std::copy_n(bytes.begin(), code.secret.size(), code.secret.begin());
  std::copy_n(bytes.begin() + InviteCode::kSecretBytes, code.authority.size(), code.authority.begin());
  RETURN_IF_ERROR(ParseNetworkAddress(code.address).status());
  return code;
}

}  // namespace

std::string ToText(const InviteCode& code) {
  CHECK(ParseNetworkAddress(code.address).ok(), "an invite to no address");
  InitialiseSodium();
  Bytes bytes = {kInviteVersion, static_cast<std::uint8_t>(code.address.size())};
  bytes.insert(bytes.end(), code.address.begin(), code.address.end());
  bytes.insert(bytes.end(), code.secret.begin(), code.secret.end());
  bytes.insert(bytes.end(), code.authority.begin(), code.authority.end());
  const Digest checksum = ChecksumOf(bytes);
  bytes.insert(bytes.end(), checksum.begin(), checksum.begin() + kChecksumBytes);
  return fmt::format("{}{}", kPrefix, Encode(bytes));
}

absl::StatusOr<InviteCode> ParseInviteCode(std::string_view text) {
  InitialiseSodium();
  text = Trimmed(text);
  if (text.empty() || (text.size() < kPrefix.size() && kPrefix.starts_with(text))) return CutOff();
  if (!text.starts_with(kPrefix)) {
    return InvalidArgument("this is no invite code, or its beginning is missing or mistyped: it begins with '{}'",
                           kPrefix);
  }
  if (text.size() > kMaxTextBytes) return InvalidArgument("{} characters are too many for an invite code", text.size());
  RETURN_IF_ERROR(CheckCharacters(text));
  const std::string_view encoded = text.substr(kPrefix.size());
  const std::optional<Bytes> bytes = Decode(encoded);
  if (!bytes.has_value() || !HasRightChecksum(*bytes)) return ExplainDamage(encoded);
  if (bytes->front() != kInviteVersion) {
    return FailedPrecondition(
        "the invite code is whole, but of version {}, and this program knows version {}: use the same version of flaim "
        "as the coordinator",
        bytes->front(), kInviteVersion);
  }
  return ReadFields(*bytes);
}

std::string SecretOf(const InviteCode& code) { return {code.secret.begin(), code.secret.end()}; }

Digest DigestOfSecret(std::string_view secret) {
  return Transcript("flaim invite secret").Add(AsBytes(secret)).Finish();
}

Digest DigestOfApplication(std::string_view secret, std::string_view signing_request, const secagg::VerifyingKey& key) {
  return Transcript("flaim application").Add(AsBytes(secret)).Add(AsBytes(signing_request)).Add(key).Finish();
}

std::string IdentityFingerprint(const Digest& request, const secagg::VerifyingKey& key) {
  const Digest digest = Transcript("flaim identity").Add(request).Add(key).Finish();
  std::string text = ToHex(std::span(digest).first<16>());
  for (std::size_t dash = 4; dash < text.size(); dash += 5) text.insert(dash, 1, '-');
  return text;
}

absl::Status CheckSiteName(std::string_view name) {
  const bool is_name = !name.empty() && name.size() <= kMaxSiteNameBytes && IsLetterOrDigit(name.front()) &&
                       std::all_of(name.begin(), name.end(), [](char character) {
                         return IsLetterOrDigit(character) || character == '-' || character == '_' || character == '.';
                       });
  if (is_name) return absl::OkStatus();
  return InvalidArgument(
      "{} cannot be the name of a site: use at most {} letters, digits, '-', '_' and '.', beginning with a letter or "
      "digit",
      QuoteForMessage(name), kMaxSiteNameBytes);
}

}  // namespace flaim::runtime
