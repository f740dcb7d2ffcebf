#include "data/guess/column_profile.h"

#include <algorithm>
#include <vector>

#include "base/status.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr std::int64_t kBins = 32;

TimeSpec::Bins BinsForDays(std::int64_t days) {
  if (days <= TimeType::kMaxStepsWithoutBins) return {};
  constexpr std::int64_t kDaysPerMonth = 30;
  if (days <= TimeType::kMaxStepsWithoutBins * kDaysPerMonth) return CalendarUnit::kMonth;
  return CalendarUnit::kYear;
}

}  // namespace

template <typename Number>
void ColumnProfile::Bounds<Number>::Include(Number value) {
  min = is_empty ? value : std::min(min, value);
  max = is_empty ? value : std::max(max, value);
  is_empty = false;
}

void ColumnProfile::Observe(std::string_view text) {
  guess_.Observe(text);
  if (IsUsualMissingMarker(text)) {
    if (!markers_.contains(text)) markers_.emplace(text);
    return;
  }
  if (const std::optional<std::int64_t> integer = ParseInteger(text)) integers_.Include(*integer);
  if (const std::optional<double> real = ParseReal(text)) reals_.Include(*real);
  if (const std::optional<CalendarSeconds> time = ParseIso(text)) times_.Include(*time);
  if (has_too_many_texts_ || texts_.contains(text)) return;
  has_too_many_texts_ = texts_.size() == kMaxValues || text.size() > kMaxValueBytes;
  if (!has_too_many_texts_) texts_.emplace(text);
}

absl::StatusOr<std::optional<ColumnSpec>> ColumnProfile::Describe(const std::string& name) const {
  ASSIGN_OR_RETURN(std::optional<ColumnType> type, DescribeType());
  if (!type) return std::nullopt;
  const bool is_categorical = std::holds_alternative<CategoricalType>(*type);
  std::vector<std::string> markers;
  for (const std::string& marker : markers_) {
    if (!is_categorical || marker.empty()) markers.push_back(marker);
  }
  ColumnSpec spec{name, *std::move(type), !markers.empty(), false, std::nullopt};
  const bool has_only_empty_marker = markers.size() == 1 && markers.front().empty();
  if (spec.nullable && !has_only_empty_marker) spec.missing = std::move(markers);
  return spec;
}

absl::StatusOr<std::optional<ColumnType>> ColumnProfile::DescribeType() const {
  switch (guess_.Best()) {
    case GuessedType::kInteger: {
      IntegerSpec spec{.min = integers_.min, .max = integers_.max, .bins = {}, .bin_width = {}};
      if (spec.max - spec.min >= IntegerType::kMaxNumbersWithoutBins) spec.bins = kBins;
      ASSIGN_OR_RETURN(IntegerType type, IntegerType::Create(spec));
      return ColumnType(std::move(type));
    }
    case GuessedType::kReal: {
      if (reals_.min == reals_.max) return DescribeCategories();
      ASSIGN_OR_RETURN(RealType type, RealType::Create({UniformBins{reals_.min, reals_.max, kBins}, std::nullopt}));
      return ColumnType(std::move(type));
    }
    case GuessedType::kBoolean:
      return DescribeBoolean();
    case GuessedType::kDate:
      return DescribeTime(TimeKind::kDate);
    case GuessedType::kDateTime:
      return DescribeTime(TimeKind::kDateTime);
    case GuessedType::kCategorical:
      break;
  }
  return DescribeCategories();
}

// In a column of texts only the empty one counts as missing: "NA" may be a country, "none" an answer.
absl::StatusOr<std::optional<ColumnType>> ColumnProfile::DescribeCategories() const {
  if (has_too_many_texts_) return std::nullopt;
  std::set<std::string, std::less<>> values = texts_;
  values.insert(markers_.begin(), markers_.end());
  values.erase("");
  if (values.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(CategoricalType type, CategoricalType::Create({{values.begin(), values.end()}, std::nullopt}));
  return ColumnType(std::move(type));
}

absl::StatusOr<ColumnType> ColumnProfile::DescribeBoolean() const {
  const BooleanSpec usual;
  BooleanSpec seen{{}, {}};
  for (const std::string& text : texts_) {
    const bool is_true =
        std::find(usual.true_spellings.begin(), usual.true_spellings.end(), text) != usual.true_spellings.end();
    (is_true ? seen.true_spellings : seen.false_spellings).push_back(text);
  }
  const bool has_both = !seen.true_spellings.empty() && !seen.false_spellings.empty();
  ASSIGN_OR_RETURN(BooleanType type, BooleanType::Create(has_both ? seen : usual));
  return ColumnType(std::move(type));
}

absl::StatusOr<ColumnType> ColumnProfile::DescribeTime(TimeKind kind) const {
  TimeSpec spec;
  spec.kind = kind;
  spec.min = times_.min;
  spec.max = times_.max;
  const CalendarSeconds span = spec.max - spec.min;
  if (kind == TimeKind::kDate) {
    spec.bins = BinsForDays(span / kSecondsPerDay + 1);
  } else if (span >= TimeType::kMaxStepsWithoutBins) {
    spec.bins = kBins;
  }
  ASSIGN_OR_RETURN(TimeType type, TimeType::Create(std::move(spec)));
  return ColumnType(std::move(type));
}

}  // namespace flaim
