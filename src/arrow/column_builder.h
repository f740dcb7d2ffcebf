#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "arrow/export.h"
#include "base/random_source.h"
#include "data/schema/column.h"

namespace flaim {

// Makes Arrow arrays from codes of one column: for each code the value that Column::Decode writes as a text, drawn from
// the random source in the same way.
class ColumnBuilder {
 public:
  // The column must outlive it.
  explicit ColumnBuilder(const Column& column);

  FieldParts field() const;

  // Whether values of codes are drawn one by one; otherwise KeepValues() draws them once and for all.
  bool DrawsEachValue() const { return !keeps_values_; }
  // REQUIRES: not DrawsEachValue().
  void KeepValues(RandomSource& random);

  // Draws a value of the code. REQUIRES: code below the column's size.
  void Append(std::uint32_t code, RandomSource& random) { AppendValue(Draw(code, random)); }
  // REQUIRES: KeepValues() was called.
  void AppendKept(std::uint32_t code) { AppendValue(kept_[code]); }

  // What was appended since the last call.
  ArrowOwner<ArrowArray> TakeArray();

 private:
  // A value of any of the column types; a real number is its bits.
  struct Value {
    std::int64_t payload = 0;
    bool is_null = false;
  };
  using Bits = std::vector<bool>;
  using Values = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<double>, Bits>;
  struct Memory;

  Values NoValues() const;
  Value Draw(std::uint32_t code, RandomSource& random);
  void AppendValue(const Value& value);
  ArrowOwner<ArrowArray> DictionaryArray() const;

  const Column& column_;
  const bool keeps_values_;
  std::vector<Value> kept_;
  Values values_;
  Bits is_valid_;
  std::int64_t null_count_ = 0;
  std::string text_;
  std::shared_ptr<const Memory> dictionary_;  // the texts of a categorical column
};

}  // namespace flaim
