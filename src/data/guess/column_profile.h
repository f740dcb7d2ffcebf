#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "data/guess/type_guess.h"
#include "data/schema/column.h"

namespace flaim {

// What the rows say about one column: its type, values and bounds. NOT PRIVATE: whatever is made from it reveals rows.
class ColumnProfile {
 public:
  // A column of texts with more different values, or longer ones, is taken for free text or an identifier.
  static constexpr std::size_t kMaxValues = 1000;
  static constexpr std::size_t kMaxValueBytes = 256;

  void Observe(std::string_view text);

  // A column that accepts every text that was observed. Nothing if it is free text, an identifier, or empty.
  absl::StatusOr<std::optional<ColumnSpec>> Describe(const std::string& name) const;

 private:
  template <typename Number>
  struct Bounds {
    Number min{};
    Number max{};
    bool is_empty = true;
    void Include(Number value);
  };

  absl::StatusOr<std::optional<ColumnType>> DescribeType() const;
  absl::StatusOr<std::optional<ColumnType>> DescribeCategories() const;
  absl::StatusOr<ColumnType> DescribeBoolean() const;
  absl::StatusOr<ColumnType> DescribeTime(TimeKind kind) const;

  TypeGuess guess_;
  std::set<std::string, std::less<>> texts_;
  std::set<std::string, std::less<>> markers_;
  bool has_too_many_texts_ = false;
  Bounds<std::int64_t> integers_;
  Bounds<double> reals_;
  Bounds<CalendarSeconds> times_;
};

}  // namespace flaim
