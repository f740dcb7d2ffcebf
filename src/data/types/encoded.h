#pragma once

#include <cstdint>

namespace flaim {

// More codes than this in one column is refused: a marginal over it could never be measured well.
inline constexpr std::int64_t kMaxCodesPerColumn = std::int64_t{1} << 20;

enum class EncodeOutcome : std::uint8_t {
  kExact,      // the text is one of the type's values
  kBelow,      // smaller than the minimum
  kAbove,      // larger than the maximum
  kNotListed,  // not one of the listed values
  kMalformed,  // not a text of this type at all
  kMissing,    // a missing-value marker where none is allowed
};

// What a column type makes of a text. For kBelow, kAbove and kNotListed `code` is where the text would go if the
// column clamps or has a catch-all; whether it does is the column's affair.
struct Encoded {
  std::uint32_t code = 0;
  EncodeOutcome outcome = EncodeOutcome::kExact;

  bool operator==(const Encoded&) const = default;
};

}  // namespace flaim
