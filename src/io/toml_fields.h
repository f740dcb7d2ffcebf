#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/calendar_format.h"

namespace flaim {

// Reads the fields of one TOML table strictly: a field of the wrong kind is an error that says what belongs there, and
// so is a key that is not allowed. An absent field is nothing. `where` starts every message: file, line, column.
class TomlFields {
 public:
  TomlFields(const toml::table& table, std::string where) : table_(table), where_(std::move(where)) {}

  // Refuses a key outside the list and suggests the nearest one in it.
  absl::Status CheckKeys(std::span<const std::string_view> allowed) const;

  absl::StatusOr<std::optional<std::string>> Text(std::string_view key) const;
  absl::StatusOr<std::optional<std::int64_t>> Integer(std::string_view key) const;
  absl::StatusOr<std::optional<double>> Real(std::string_view key) const;
  absl::StatusOr<std::optional<bool>> Boolean(std::string_view key) const;
  absl::StatusOr<std::optional<std::vector<std::string>>> Texts(std::string_view key) const;
  absl::StatusOr<std::optional<std::vector<double>>> Reals(std::string_view key) const;
  // A TOML date or date-time, or one in quotes.
  absl::StatusOr<std::optional<CalendarSeconds>> Time(std::string_view key) const;

  // The field, which must be there.
  template <typename Value>
  absl::StatusOr<Value> Required(std::string_view key, absl::StatusOr<std::optional<Value>> field) const {
    if (!field.ok()) return field.status();
    if (!field->has_value()) return Problem(key, "is missing; add it");
    return **std::move(field);
  }

  absl::Status Problem(std::string_view key, std::string_view what) const;
  const std::string& where() const { return where_; }

 private:
  const toml::table& table_;
  std::string where_;
};

}  // namespace flaim
