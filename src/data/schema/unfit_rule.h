#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"

namespace flaim {

// What becomes of a row with a value that does not fit its column: one that Column::Encode refuses.
//
// kRefuse stops at the first one and says where it is. That suits the owner of the rows, who alone sees it. Where
// others see whether a reader stopped (a site that does not come to its study), a stop is a noiseless answer to "does
// anybody here have that value?". The two other rules never stop. Both look at one row at a time, so that a row becomes
// one row of codes or none, whatever the other rows are: adding or removing it moves every marginal by one at most.
enum class UnfitRule : std::uint8_t {
  kRefuse,
  kOther,  // counts the value as the column's `other`, or as missing
  kDrop,   // leaves the row out, of every marginal
};

// "refuse", "other" or "drop".
std::string_view NameOf(UnfitRule rule);
absl::StatusOr<UnfitRule> ParseUnfitRule(std::string_view name);

// InvalidArgument if the rule is kOther and a column has neither `other` nor missing values, with what to do about it.
absl::Status CheckUnfitRule(const Schema& schema, UnfitRule rule);

}  // namespace flaim
