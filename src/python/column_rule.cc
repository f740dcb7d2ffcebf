#include "python/column_rule.h"

#include <bit>
#include <limits>
#include <numeric>
#include <optional>

namespace flaim::python {
namespace {

// Doubles as whole numbers in the same order; negative zero counts as zero.
std::int64_t OrderOf(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

double DoubleAt(std::int64_t order) {
  return std::bit_cast<double>(order < 0 ? std::numeric_limits<std::int64_t>::min() - order : order);
}

// The first number in [begin, end] of which `reached` holds. REQUIRES: it holds of `end`, and of all after the first.
template <typename Reached>
std::int64_t FirstThat(std::int64_t begin, std::int64_t end, const Reached& reached) {
  while (begin < end) {
    const std::int64_t middle = std::midpoint(begin, end);
    if (reached(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return end;
}

// The lowest number of each code, of a type whose codes grow with the number. `lowest` and `highest` are in its bounds.
template <typename CodeOf>
std::vector<std::int64_t> LowestOfEachCode(std::uint32_t codes, std::int64_t lowest, std::int64_t highest,
                                           const CodeOf& code_of) {
  std::vector<std::int64_t> result = {lowest};
  for (std::uint32_t code = 1; code < codes; ++code) {
    result.push_back(FirstThat(result.back(), highest, [&](std::int64_t number) { return code_of(number) >= code; }));
  }
  return result;
}

Bins<std::int64_t> BinsOf(const IntegerType& type) {
  const auto [min, max] = std::pair(type.spec().min, type.spec().max);
  const auto code_of = [&](std::int64_t number) { return type.EncodeNumber(number).code; };
  return {LowestOfEachCode(type.size(), min, max, code_of), max};
}

Bins<double> BinsOf(const RealType& type) {
  const auto* uniform = std::get_if<UniformBins>(&type.spec().bins);
  const auto* edges = std::get_if<std::vector<double>>(&type.spec().bins);
  const double min = uniform != nullptr ? uniform->min : edges->front();
  const double max = uniform != nullptr ? uniform->max : edges->back();
  const auto code_of = [&](std::int64_t order) { return type.EncodeNumber(DoubleAt(order)).code; };
  Bins<double> bins{{}, max};
  for (const std::int64_t order : LowestOfEachCode(type.size(), OrderOf(min), OrderOf(max), code_of)) {
    bins.lowest.push_back(DoubleAt(order));
  }
  return bins;
}

Bins<std::int64_t> BinsOf(const TimeType& type) {
  const auto code_of = [&](CalendarSeconds time) { return type.EncodeTime(time).code; };
  const CalendarSeconds last = type.spec().max + type.format().resolution_seconds() - 1;
  return {LowestOfEachCode(type.size(), type.spec().min, type.spec().max, code_of), last};
}

std::vector<std::string> ListedTexts(const ColumnType& type) {
  if (const auto* categorical = std::get_if<CategoricalType>(&type)) {
    std::vector<std::string> texts = categorical->spec().values;
    if (categorical->spec().other) texts.push_back(*categorical->spec().other);
    return texts;
  }
  if (const auto* boolean = std::get_if<BooleanType>(&type)) {
    std::vector<std::string> texts = boolean->spec().true_spellings;
    texts.insert(texts.end(), boolean->spec().false_spellings.begin(), boolean->spec().false_spellings.end());
    return texts;
  }
  return {};
}

void AddMissingTimes(const Column& column, const TimeType& type, ColumnRule& rule) {
  rule.resolution_seconds = type.format().resolution_seconds();
  for (const std::string& marker : column.missing()) {
    const std::optional<CalendarSeconds> time = type.format().Parse(marker);
    if (!time) continue;
    std::string written;
    type.format().Format(type.format().RoundDown(*time), written);
    if (written == marker) rule.missing_times.push_back(type.format().RoundDown(*time));
  }
}

std::int64_t CodeOf(const Column& column, const std::string& text) {
  const Encoded encoded = column.Encode(text);
  return encoded.outcome == EncodeOutcome::kExact ? std::int64_t{encoded.code} : kRefused;
}

void AddTexts(const Column& column, ColumnRule& rule) {
  std::vector<std::string> texts = ListedTexts(column.spec().type);
  if (texts.empty()) return;
  texts.insert(texts.end(), column.missing().begin(), column.missing().end());
  for (std::string& text : texts) {
    const std::int64_t code = CodeOf(column, text);
    rule.texts.emplace_back(std::move(text), code);
  }
  const auto* categorical = std::get_if<CategoricalType>(&column.spec().type);
  if (categorical == nullptr || !categorical->spec().other) return;
  rule.other_texts = CodeOf(column, *categorical->spec().other);
}

}  // namespace

ColumnRule RuleOf(const Column& column) {
  ColumnRule rule;
  const ColumnType& type = column.spec().type;
  if (const auto* integer = std::get_if<IntegerType>(&type)) rule.bins = BinsOf(*integer);
  if (const auto* real = std::get_if<RealType>(&type)) rule.bins = BinsOf(*real);
  if (const auto* time = std::get_if<TimeType>(&type)) {
    rule.bins = BinsOf(*time);
    AddMissingTimes(column, *time, rule);
  }
  AddTexts(column, rule);
  return rule;
}

}  // namespace flaim::python
