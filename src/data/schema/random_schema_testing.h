#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random_source.h"
#include "data/schema/column.h"
#include "data/schema/schema.h"

// Schemas made at random, with every column type and option, for properties that must hold for all of them.

namespace flaim {

inline std::int64_t RandomBetween(std::int64_t low, std::int64_t high, RandomSource& random) {
  return low + static_cast<std::int64_t>(random.NextBelow(static_cast<std::uint64_t>(high - low) + 1));
}

// Texts with everything that a CSV or TOML file must escape.
inline std::string RandomText(RandomSource& random) {
  static const std::vector<std::string> pieces = {"a",  "B",  "7", " ", ",", ";", "\"", "'",    "\\",   "\n",
                                                  "\r", "\t", "#", "=", "[", "é", "漢", "\x7f", "\x01", "."};
  std::string text = "v";
  for (std::int64_t length = RandomBetween(0, 6, random); length > 0; --length) {
    text += pieces[random.NextBelow(pieces.size())];
  }
  return text + "v";
}

inline std::vector<std::string> RandomTexts(std::size_t count, RandomSource& random) {
  std::set<std::string> texts;
  while (texts.size() < count) texts.insert(RandomText(random) + std::to_string(texts.size()));
  return {texts.begin(), texts.end()};
}

inline ColumnType RandomCategorical(RandomSource& random) {
  CategoricalSpec spec{RandomTexts(random.NextBelow(20) + 1, random), std::nullopt};
  if (random.NextBelow(3) == 0) spec.other = "other";
  if (random.NextBelow(3) == 0) spec.other = spec.values.front();
  return *CategoricalType::Create(std::move(spec));
}

inline ColumnType RandomInteger(RandomSource& random) {
  const std::int64_t magnitude = std::int64_t{1} << random.NextBelow(61);
  IntegerSpec spec{.min = RandomBetween(-magnitude, magnitude, random), .max = 0, .bins = {}, .bin_width = {}};
  spec.max = spec.min + RandomBetween(0, magnitude, random);
  const std::int64_t numbers = spec.max - spec.min + 1;
  if (random.NextBelow(2) == 0 || numbers > IntegerType::kMaxNumbersWithoutBins) {
    spec.bins = RandomBetween(1, std::min<std::int64_t>(numbers, 300), random);
  }
  if (spec.bins && random.NextBelow(2) == 0) {
    spec.bin_width = (numbers + *spec.bins - 1) / *spec.bins;
    spec.bins.reset();
  }
  return *IntegerType::Create(spec);
}

inline double RandomReal(RandomSource& random) {
  const double size = std::pow(10.0, static_cast<double>(RandomBetween(-9, 12, random)));
  return (random.NextUnit() - 0.5) * size;
}

inline ColumnType RandomRealColumn(RandomSource& random) {
  std::set<double> edges;
  while (edges.size() < 2) edges.insert(RandomReal(random));
  if (random.NextBelow(2) == 0) {
    const std::int64_t bins = RandomBetween(1, 200, random);
    return *RealType::Create({UniformBins{*edges.begin(), *edges.rbegin(), bins}, std::nullopt});
  }
  for (std::uint64_t more = random.NextBelow(30); more > 0; --more) edges.insert(RandomReal(random));
  return *RealType::Create({std::vector<double>(edges.begin(), edges.end()), std::nullopt});
}

inline ColumnType RandomBoolean(RandomSource& random) {
  if (random.NextBelow(2) == 0) return *BooleanType::Create({});
  std::vector<std::string> spellings = RandomTexts(4, random);
  return *BooleanType::Create({{spellings[0], spellings[1]}, {spellings[2], spellings[3]}});
}

inline ColumnType RandomTime(RandomSource& random) {
  static const std::vector<std::string> date_formats = {"%d/%m/%Y", "%Y%m%d", "%m.%d.%Y"};
  static const std::vector<std::string> datetime_formats = {"%Y-%m-%d %H:%M", "%d.%m.%Y %Hh", "%%%H%M%S%d%m%Y"};
  TimeSpec spec;
  spec.kind = random.NextBelow(2) == 0 ? TimeKind::kDate : TimeKind::kDateTime;
  const auto& formats = spec.kind == TimeKind::kDate ? date_formats : datetime_formats;
  if (random.NextBelow(2) == 0) spec.format = formats[random.NextBelow(formats.size())];
  const CalendarSeconds step = CalendarFormat::Create(spec.kind, spec.format)->resolution_seconds();
  const std::int64_t days = RandomBetween(-30'000, 30'000, random);
  spec.min = days * kSecondsPerDay + RandomBetween(0, kSecondsPerDay / step - 1, random) * step;
  spec.max = spec.min + RandomBetween(0, std::int64_t{1} << random.NextBelow(12), random) * step;
  const std::int64_t steps = (spec.max - spec.min) / step + 1;
  if (random.NextBelow(2) == 0) {
    spec.bins = RandomBetween(1, steps, random);
  } else if (steps > TimeType::kMaxStepsWithoutBins || random.NextBelow(2) == 0) {
    const std::int64_t finest = step >= kSecondsPerDay ? 2 : step >= kSecondsPerHour ? 1 : 0;
    spec.bins = static_cast<CalendarUnit>(RandomBetween(finest, 5, random));
  }
  return *TimeType::Create(std::move(spec));
}

inline ColumnType RandomType(RandomSource& random) {
  switch (random.NextBelow(5)) {
    case 0:
      return RandomCategorical(random);
    case 1:
      return RandomInteger(random);
    case 2:
      return RandomRealColumn(random);
    case 3:
      return RandomBoolean(random);
    default:
      return RandomTime(random);
  }
}

inline ColumnSpec RandomColumn(std::string name, RandomSource& random) {
  ColumnSpec spec{std::move(name), RandomType(random), random.NextBelow(2) == 0, false, std::nullopt};
  const bool has_bounds = spec.type.index() != 0 && spec.type.index() != 3;
  spec.clamp = has_bounds && random.NextBelow(2) == 0;
  if (random.NextBelow(3) == 0) spec.missing = std::vector<std::string>{"?", "n/a", ""};
  return spec;
}

inline Schema RandomSchema(RandomSource& random) {
  SchemaSpec spec;
  const std::vector<std::string> names = RandomTexts(random.NextBelow(8) + 2, random);
  for (std::size_t i = 1; i < names.size(); ++i) spec.columns.push_back(RandomColumn(names[i], random));
  if (random.NextBelow(2) == 0) spec.drop = {names[0]};
  if (random.NextBelow(2) == 0) spec.missing = {"NA", ""};
  spec.delimiter = std::string(",;\t|")[random.NextBelow(4)];
  spec.trim_blanks = random.NextBelow(2) == 0;
  spec.derived_from_private_rows = random.NextBelow(2) == 0;
  return *Schema::Create(std::move(spec));
}

}  // namespace flaim
