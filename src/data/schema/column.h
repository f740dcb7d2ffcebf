#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/types/boolean_type.h"
#include "data/types/categorical_type.h"
#include "data/types/encoded.h"
#include "data/types/integer_type.h"
#include "data/types/real_type.h"
#include "data/types/time_type.h"

namespace flaim {

using ColumnType = std::variant<CategoricalType, IntegerType, RealType, BooleanType, TimeType>;

// As a schema file names it: "categorical", "integer", "real", "boolean", "date" or "datetime".
std::string_view NameOf(const ColumnType& type);
// The number of codes, without the one for missing values.
std::uint32_t SizeOf(const ColumnType& type);
// Whether Decode of a code always gives the same text.
bool HasOneTextForEachCode(const ColumnType& type);

struct ColumnSpec {
  std::string name;
  ColumnType type;
  // Adds one code, the last, for missing values.
  bool nullable = false;
  // Counts a value outside the bounds as the nearest one inside. Otherwise it is an error.
  bool clamp = false;
  // Texts that mean "missing" in this column, in place of the schema's list.
  std::optional<std::vector<std::string>> missing;

  bool operator==(const ColumnSpec&) const = default;
};

// A column that a schema keeps: text in, code out, and back. Immutable; safe to use from many threads, if each has its
// own random source.
//
// Guarantee: Encode of what Decode wrote is the code again, for every code.
class Column {
 public:
  // Refuses a name or marker that is not UTF-8 or holds a NUL byte, clamp on a type without bounds, a nullable column
  // without markers, and a marker that is also an ordinary value of a nullable column.
  static absl::StatusOr<Column> Create(ColumnSpec spec, const std::vector<std::string>& schema_missing);

  const ColumnSpec& spec() const { return spec_; }
  const std::string& name() const { return spec_.name; }
  // Texts that mean "missing" in this column. The first is the one that is written.
  const std::vector<std::string>& missing() const { return missing_; }
  // The number of codes, including the one for missing values.
  std::uint32_t size() const { return size_; }

  // kExact if the column accepts the text; `code` counts only then. Allocates nothing.
  Encoded Encode(std::string_view text) const;
  // Where a value goes that Encode refuses, if it is to count: the code of `other`, or that of missing values. Nothing
  // if the column has neither.
  std::optional<std::uint32_t> CatchAll() const;
  // Appends a text that is uniform within the bin; for a missing value, the first marker. REQUIRES: code < size().
  void Decode(std::uint32_t code, RandomSource& random, std::string& out) const;

  // Why Encode refused the text, and what to do about it: one sentence for the owner of the file.
  std::string Explain(std::string_view text, EncodeOutcome outcome) const;

 private:
  Column(ColumnSpec spec, std::vector<std::string> missing);
  bool IsMissing(std::string_view text) const;
  bool Accepts(EncodeOutcome outcome) const;

  ColumnSpec spec_;
  std::vector<std::string> missing_;
  std::uint32_t size_ = 0;
  bool has_other_ = false;
};

}  // namespace flaim
