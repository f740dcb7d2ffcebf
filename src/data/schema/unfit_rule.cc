#include "data/schema/unfit_rule.h"

#include <array>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"refuse", "other", "drop"};

}  // namespace

std::string_view NameOf(UnfitRule rule) { return kNames[static_cast<std::size_t>(rule)]; }

absl::StatusOr<UnfitRule> ParseUnfitRule(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<UnfitRule>(i);
  }
  return InvalidArgument("unfit is {}, and must be refuse, other or drop", QuoteForMessage(name));
}

absl::Status CheckUnfitRule(const Schema& schema, UnfitRule rule) {
  if (rule != UnfitRule::kOther) return absl::OkStatus();
  for (const Column& column : schema.columns()) {
    if (column.CatchAll()) continue;
    return InvalidArgument(
        "column {} has no code for a value that does not fit, which 'unfit other' needs: set nullable = true for it in "
        "the schema, or give it an 'other' value if it is categorical, or choose 'unfit drop'",
        QuoteForMessage(column.name()));
  }
  return absl::OkStatus();
}

}  // namespace flaim
