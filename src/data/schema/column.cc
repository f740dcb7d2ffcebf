#include "data/schema/column.h"

#include <algorithm>

#include "base/check.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

Encoded EncodeAs(const ColumnType& type, std::string_view text) {
  return std::visit([&](const auto& concrete) { return concrete.Encode(text); }, type);
}

bool HasBounds(const ColumnType& type) {
  return !std::holds_alternative<CategoricalType>(type) && !std::holds_alternative<BooleanType>(type);
}

std::string_view WhatBelongsInto(const ColumnType& type) {
  if (std::holds_alternative<IntegerType>(type)) return "a whole number";
  if (std::holds_alternative<RealType>(type)) return "a number";
  if (std::holds_alternative<BooleanType>(type)) return "one of its spellings of true and false";
  if (const auto* time = std::get_if<TimeType>(&type); time != nullptr && time->spec().format) {
    return "a date in its format";
  }
  return NameOf(type) == "date" ? "a date such as 2024-02-29" : "a date with time such as 2024-02-29T13:05:59";
}

absl::Status CheckText(std::string_view what, std::string_view text) {
  if (IsUtf8(text) && text.find('\0') == std::string_view::npos) return absl::OkStatus();
  return InvalidArgument("has a {} that is not UTF-8 text: {}; convert the schema and the data to UTF-8", what,
                         QuoteForMessage(text));
}

absl::Status CheckTexts(std::string_view what, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) RETURN_IF_ERROR(CheckText(what, text));
  return absl::OkStatus();
}

absl::Status CheckTextsOf(const ColumnType& type) {
  if (const auto* categorical = std::get_if<CategoricalType>(&type)) {
    RETURN_IF_ERROR(CheckTexts("value", categorical->spec().values));
    return CheckText("value", categorical->spec().other.value_or(""));
  }
  if (const auto* boolean = std::get_if<BooleanType>(&type)) {
    RETURN_IF_ERROR(CheckTexts("spelling", boolean->spec().true_spellings));
    return CheckTexts("spelling", boolean->spec().false_spellings);
  }
  if (const auto* time = std::get_if<TimeType>(&type)) return CheckText("format", time->spec().format.value_or(""));
  return absl::OkStatus();
}

absl::Status CheckMissing(const ColumnSpec& spec, const std::vector<std::string>& missing) {
  RETURN_IF_ERROR(CheckTexts("missing-value marker", missing));
  if (!spec.nullable) return absl::OkStatus();
  if (missing.empty()) {
    return InvalidArgument("is nullable, but no text means 'missing'; list one under 'missing', e.g. missing = [\"\"]");
  }
  for (const std::string& marker : missing) {
    if (EncodeAs(spec.type, marker).outcome != EncodeOutcome::kExact) continue;
    return InvalidArgument(
        "is nullable, and {} is both a missing-value marker and one of its values; give the column a 'missing' list of "
        "its own, or change its values or bounds",
        QuoteForMessage(marker));
  }
  return absl::OkStatus();
}

absl::Status CheckSpec(const ColumnSpec& spec, const std::vector<std::string>& missing) {
  if (spec.name.empty()) return InvalidArgument("has an empty name; name it as in the header of the data");
  RETURN_IF_ERROR(CheckText("name", spec.name));
  RETURN_IF_ERROR(CheckTextsOf(spec.type));
  if (spec.clamp && !HasBounds(spec.type)) {
    return InvalidArgument("has 'clamp', which a {} column has no bounds for; remove it", NameOf(spec.type));
  }
  return CheckMissing(spec, missing);
}

}  // namespace

std::string_view NameOf(const ColumnType& type) {
  static constexpr std::string_view kNames[] = {"categorical", "integer", "real", "boolean", "date"};
  const auto* time = std::get_if<TimeType>(&type);
  if (time != nullptr && time->spec().kind == TimeKind::kDateTime) return "datetime";
  return kNames[type.index()];
}

std::uint32_t SizeOf(const ColumnType& type) {
  return std::visit([](const auto& concrete) { return concrete.size(); }, type);
}

bool HasOneTextForEachCode(const ColumnType& type) {
  if (const auto* integer = std::get_if<IntegerType>(&type)) {
    return integer->spec().max - integer->spec().min + 1 == std::int64_t{integer->size()};
  }
  if (const auto* time = std::get_if<TimeType>(&type)) {
    return std::holds_alternative<std::monostate>(time->spec().bins);
  }
  return !std::holds_alternative<RealType>(type);
}

absl::StatusOr<Column> Column::Create(ColumnSpec spec, const std::vector<std::string>& schema_missing) {
  std::vector<std::string> missing = spec.missing.value_or(schema_missing);
  if (const absl::Status status = CheckSpec(spec, missing); !status.ok()) {
    return InvalidArgument("column {} {}", QuoteForMessage(spec.name), std::string(status.message()));
  }
  return Column(std::move(spec), std::move(missing));
}

Column::Column(ColumnSpec spec, std::vector<std::string> missing)
    : spec_(std::move(spec)), missing_(std::move(missing)), size_(SizeOf(spec_.type) + (spec_.nullable ? 1 : 0)) {
  const auto* categorical = std::get_if<CategoricalType>(&spec_.type);
  has_other_ = categorical != nullptr && categorical->spec().other.has_value();
}

Encoded Column::Encode(std::string_view text) const {
  if (spec_.nullable && IsMissing(text)) return {size_ - 1, EncodeOutcome::kExact};
  const Encoded encoded = EncodeAs(spec_.type, text);
  if (encoded.outcome == EncodeOutcome::kExact) [[likely]]
    return encoded;
  if (!spec_.nullable && IsMissing(text)) return {0, EncodeOutcome::kMissing};
  if (Accepts(encoded.outcome)) return {encoded.code, EncodeOutcome::kExact};
  return encoded;
}

std::optional<std::uint32_t> Column::CatchAll() const {
  if (has_other_) {
    const auto& categorical = std::get<CategoricalType>(spec_.type);
    return categorical.Encode(*categorical.spec().other).code;
  }
  if (spec_.nullable) return size_ - 1;
  return std::nullopt;
}

void Column::Decode(std::uint32_t code, RandomSource& random, std::string& out) const {
  CHECK(code < size_);
  if (spec_.nullable && code == size_ - 1) {
    out += missing_.front();
    return;
  }
  std::visit([&](const auto& type) { type.Decode(code, random, out); }, spec_.type);
}

std::string Column::Explain(std::string_view text, EncodeOutcome outcome) const {
  const std::string value = QuoteForMessage(text);
  switch (outcome) {
    case EncodeOutcome::kExact:
      return fmt::format("{} is a value of the column", value);
    case EncodeOutcome::kMissing:
      return fmt::format("{} means a missing value; set nullable = true for this column if values may be missing",
                         value);
    case EncodeOutcome::kBelow:
      return fmt::format("{} is below the minimum; lower 'min' in the schema, or set clamp = true", value);
    case EncodeOutcome::kAbove:
      return fmt::format("{} is above the maximum; raise 'max' in the schema, or set clamp = true", value);
    case EncodeOutcome::kNotListed:
      return fmt::format("{} is not one of the listed values; add it to 'values', or give the column an 'other' value",
                         value);
    case EncodeOutcome::kMalformed:
      break;
  }
  return fmt::format(
      "{} is not {}; correct it, or, if it means a missing value, set nullable = true and list it under 'missing'",
      value, WhatBelongsInto(spec_.type));
}

bool Column::IsMissing(std::string_view text) const {
  return std::find(missing_.begin(), missing_.end(), text) != missing_.end();
}

bool Column::Accepts(EncodeOutcome outcome) const {
  if (outcome == EncodeOutcome::kBelow || outcome == EncodeOutcome::kAbove) return spec_.clamp;
  return outcome == EncodeOutcome::kNotListed && has_other_;
}

}  // namespace flaim
