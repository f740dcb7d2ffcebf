#include "secagg/crypto/shamir.h"

#include <algorithm>

#include "base/check.h"
#include "base/status.h"
#include "secagg/kernels/field61.h"

namespace flaim::secagg {
namespace {

constexpr std::size_t kLimbBytes = 7;

// Field elements that are wiped.
class SecretElements {
 public:
  explicit SecretElements(std::size_t count) : elements_(count) {}
  ~SecretElements() { sodium_memzero(elements_.data(), elements_.size() * sizeof(std::uint64_t)); }
  SecretElements(const SecretElements&) = delete;
  SecretElements& operator=(const SecretElements&) = delete;

  std::span<std::uint64_t> span() { return elements_; }

 private:
  std::vector<std::uint64_t> elements_;
};

// Limb i holds bytes [7i, 7i + 7) of the secret; the last limb has the 4 that are left.
std::size_t BytesOfLimb(std::size_t limb) { return std::min(kLimbBytes, Secret32::kBytes - limb * kLimbBytes); }

std::uint64_t ReadLittleEndian(std::span<const std::uint8_t> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) number = number << 8 | bytes[i - 1];
  return number;
}

void WriteLittleEndian(std::uint64_t number, std::span<std::uint8_t> bytes) {
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(number & 0xff);
    number >>= 8;
  }
}

std::uint64_t UniformElement(RandomSource& random) {
  std::uint64_t drawn;
  do {
    drawn = random.NextU64() >> 3;
  } while (drawn == kFieldPrime);
  return drawn;
}

bool PointsAreDistinct(std::vector<SharePoint> points) {
  std::sort(points.begin(), points.end());
  return std::adjacent_find(points.begin(), points.end()) == points.end();
}

bool IsPoint(SharePoint point) { return point != 0 && point < kFieldPrime; }

absl::StatusOr<std::vector<SharePoint>> PointsOf(std::span<const HeldShare> shares) {
  if (shares.empty()) return InvalidArgument("no shares to recover a secret from");
  std::vector<SharePoint> points;
  points.reserve(shares.size());
  for (const HeldShare& held : shares) {
    CHECK(held.share != nullptr, "a held share without a share");
    if (!IsPoint(held.point)) return InvalidArgument("{} is not a point of a share", held.point);
    points.push_back(held.point);
  }
  if (!PointsAreDistinct(points)) return InvalidArgument("two of {} shares are for the same point", shares.size());
  return points;
}

}  // namespace

std::vector<Share> SplitSecret(const Secret32& secret, int threshold, std::span<const SharePoint> points,
                               RandomSource& random) {
  CHECK(threshold >= 1 && static_cast<std::size_t>(threshold) <= points.size(), "threshold {} of {} shares", threshold,
        points.size());
  CHECK(std::all_of(points.begin(), points.end(), IsPoint) && PointsAreDistinct({points.begin(), points.end()}),
        "points must be distinct, not zero and in the field");
  std::vector<Share> shares(points.size());
  SecretElements coefficients(static_cast<std::size_t>(threshold));
  for (std::size_t limb = 0; limb < kSecretLimbs; ++limb) {
    const std::span<std::uint64_t> polynomial = coefficients.span();
    polynomial[0] = ReadLittleEndian(secret.bytes().subspan(limb * kLimbBytes, BytesOfLimb(limb)));
    for (std::uint64_t& coefficient : polynomial.subspan(1)) coefficient = UniformElement(random);
    for (std::size_t i = 0; i < points.size(); ++i) {
      WriteLittleEndian(FieldEvaluate(polynomial, points[i]), shares[i].bytes().subspan(limb * 8, 8));
    }
  }
  return shares;
}

absl::StatusOr<Secret32> CombineShares(std::span<const HeldShare> shares) {
  ASSIGN_OR_RETURN(const std::vector<SharePoint> points, PointsOf(shares));
  std::vector<std::uint64_t> lagrange(points.size());
  LagrangeAtZero(points, lagrange);

  Secret32 secret;
  for (std::size_t limb = 0; limb < kSecretLimbs; ++limb) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::uint64_t element = ReadLittleEndian(shares[i].share->bytes().subspan(limb * 8, 8));
      if (element >= kFieldPrime) return InvalidArgument("a share holds a number that is not in the field");
      value = FieldAdd(value, FieldMultiply(lagrange[i], element));
    }
    if (value >> (8 * BytesOfLimb(limb)) != 0)
      return InvalidArgument("these shares are not of one secret: some are wrong");
    WriteLittleEndian(value, secret.bytes().subspan(limb * kLimbBytes, BytesOfLimb(limb)));
  }
  return secret;
}

}  // namespace flaim::secagg
