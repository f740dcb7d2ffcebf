#include "data/types/boolean_type.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

bool Contains(const std::vector<std::string>& spellings, std::string_view text) {
  return std::find(spellings.begin(), spellings.end(), text) != spellings.end();
}

}  // namespace

absl::StatusOr<BooleanType> BooleanType::Create(BooleanSpec spec) {
  std::set<std::string_view> seen;
  for (const auto* spellings : {&spec.true_spellings, &spec.false_spellings}) {
    if (spellings->empty()) return InvalidArgument("needs at least one spelling of true and one of false");
    for (const std::string& spelling : *spellings) {
      if (seen.insert(spelling).second) continue;
      return InvalidArgument("lists the spelling {} twice; remove one of them", QuoteForMessage(spelling));
    }
  }
  return BooleanType(std::move(spec));
}

Encoded BooleanType::Encode(std::string_view text) const {
  if (Contains(spec_.true_spellings, text)) return {1, EncodeOutcome::kExact};
  if (Contains(spec_.false_spellings, text)) return {0, EncodeOutcome::kExact};
  return {0, EncodeOutcome::kMalformed};
}

void BooleanType::Decode(std::uint32_t code, RandomSource&, std::string& out) const {
  CHECK(code < 2);
  out += code == 1 ? spec_.true_spellings.front() : spec_.false_spellings.front();
}

}  // namespace flaim
