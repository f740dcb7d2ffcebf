#include "data/types/categorical_type.h"

#include <functional>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim {

struct CategoricalType::Lookup {
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  CategoricalSpec spec;
  std::vector<std::string> text_of_code;
  absl::flat_hash_map<std::string, std::uint32_t, TextHash, std::equal_to<>> code_of_text;
  std::uint32_t other_code = 0;
};

absl::StatusOr<CategoricalType> CategoricalType::Create(CategoricalSpec spec) {
  if (spec.values.empty()) return InvalidArgument("has no values; list at least one under 'values'");
  auto lookup = std::make_shared<Lookup>();
  lookup->text_of_code = spec.values;
  if (spec.other && std::find(spec.values.begin(), spec.values.end(), *spec.other) == spec.values.end()) {
    lookup->text_of_code.push_back(*spec.other);
  }
  if (static_cast<std::int64_t>(lookup->text_of_code.size()) > kMaxCodesPerColumn) {
    return InvalidArgument("has {} values; at most {} are allowed", lookup->text_of_code.size(), kMaxCodesPerColumn);
  }
  for (const std::string& text : lookup->text_of_code) {
    const auto code = static_cast<std::uint32_t>(lookup->code_of_text.size());
    if (!lookup->code_of_text.emplace(text, code).second) {
      return InvalidArgument("lists the value {} twice; remove one of them", QuoteForMessage(text));
    }
  }
  if (spec.other) lookup->other_code = lookup->code_of_text.at(*spec.other);
  lookup->spec = std::move(spec);
  return CategoricalType(std::move(lookup));
}

const CategoricalSpec& CategoricalType::spec() const { return lookup_->spec; }

std::uint32_t CategoricalType::size() const { return static_cast<std::uint32_t>(lookup_->text_of_code.size()); }

Encoded CategoricalType::Encode(std::string_view text) const {
  const auto found = lookup_->code_of_text.find(text);
  if (found != lookup_->code_of_text.end()) [[likely]]
    return {found->second, EncodeOutcome::kExact};
  return {lookup_->other_code, EncodeOutcome::kNotListed};
}

void CategoricalType::Decode(std::uint32_t code, RandomSource&, std::string& out) const {
  CHECK(code < size());
  out += lookup_->text_of_code[code];
}

}  // namespace flaim
