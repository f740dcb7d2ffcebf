#include "privacy/release/sum_permit.h"

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/status.h"
#include "privacy/ledger/release_value.h"

namespace flaim {
namespace {

std::vector<std::byte> ValueOf(const SumName& sum) {
  std::array<std::int64_t, sizeof(SumName) / sizeof(std::int64_t)> words{};
  std::memcpy(words.data(), sum.data(), sum.size());
  return EncodeCounts(words);
}

}  // namespace

SumPermit::SumPermit(SumPermit&& other) noexcept : granted_(std::exchange(other.granted_, std::nullopt)) {}

const SumName& SumPermit::sum() const {
  CHECK(granted_.has_value(), "this permit has been used");
  return granted_->sum;
}

const GaussianMechanism& SumPermit::mechanism() const {
  CHECK(granted_.has_value(), "this permit has been used");
  return granted_->mechanism;
}

absl::StatusOr<SumPermit> ReleaseIntoSum(Spend<GaussianMechanism> spend, const SumName& sum,
                                         const std::string& provenance) {
  if (spend.recorded_.has_value()) {
    return absl::AlreadyExistsError("these counts have gone into a sum already; another attempt is another release");
  }
  const GaussianMechanism mechanism = spend.mechanism();
  RETURN_IF_ERROR(spend.Record(ValueOf(sum), provenance));
  return SumPermit(sum, mechanism);
}

}  // namespace flaim
