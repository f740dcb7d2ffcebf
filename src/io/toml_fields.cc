#include "io/toml_fields.h"

#include <algorithm>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

std::string Padded(std::int64_t value, int digits) { return fmt::format("{:0{}}", value, digits); }

std::string IsoText(const toml::date& date) {
  return Padded(date.year, 4) + "-" + Padded(date.month, 2) + "-" + Padded(date.day, 2);
}

std::string IsoText(const toml::date_time& value) {
  return IsoText(value.date) + "T" + Padded(value.time.hour, 2) + ":" + Padded(value.time.minute, 2) + ":" +
         Padded(value.time.second, 2);
}

std::optional<double> RealOf(const toml::node& node) {
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  return std::nullopt;
}

std::optional<CalendarSeconds> TimeOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return ParseIso(text->get());
  if (const auto* date = node.as_date()) return ParseIso(IsoText(date->get()));
  if (const auto* date_time = node.as_date_time(); date_time != nullptr && !date_time->get().offset) {
    return ParseIso(IsoText(date_time->get()));
  }
  return std::nullopt;
}

}  // namespace

absl::Status TomlFields::CheckKeys(std::span<const std::string_view> allowed) const {
  for (const auto& [toml_key, node] : table_) {
    const std::string_view key = toml_key.str();
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    return InvalidArgument("{} has an unknown key {}.{} Allowed are: {}", where_, QuoteForMessage(key),
                           SuggestNearest(key, allowed), fmt::join(allowed, ", "));
  }
  return absl::OkStatus();
}

absl::Status TomlFields::Problem(std::string_view key, std::string_view what) const {
  return InvalidArgument("{}: '{}' {}", where_, key, what);
}

absl::StatusOr<std::optional<std::string>> TomlFields::Text(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* text = node->as_string()) return text->get();
  return Problem(key, "must be a text in quotes");
}

absl::StatusOr<std::optional<std::int64_t>> TomlFields::Integer(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* integer = node->as_integer()) return integer->get();
  return Problem(key, "must be a whole number, without quotes");
}

absl::StatusOr<std::optional<double>> TomlFields::Real(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const std::optional<double> real = RealOf(*node)) return real;
  return Problem(key, "must be a number, without quotes");
}

absl::StatusOr<std::optional<bool>> TomlFields::Boolean(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* boolean = node->as_boolean()) return boolean->get();
  return Problem(key, "must be true or false, without quotes");
}

absl::StatusOr<std::optional<std::vector<std::string>>> TomlFields::Texts(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  const toml::array* array = node->as_array();
  if (array == nullptr) return Problem(key, R"(must be a list of texts, e.g. ["red", "green"])");
  std::vector<std::string> texts;
  for (const toml::node& element : *array) {
    const auto* text = element.as_string();
    if (text == nullptr) return Problem(key, "must be a list of texts: put each value in quotes, numbers too");
    texts.push_back(text->get());
  }
  return texts;
}

absl::StatusOr<std::optional<std::vector<double>>> TomlFields::Reals(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  const toml::array* array = node->as_array();
  if (array == nullptr) return Problem(key, "must be a list of numbers, e.g. [0, 0.5, 10]");
  std::vector<double> reals;
  for (const toml::node& element : *array) {
    const std::optional<double> real = RealOf(element);
    if (!real) return Problem(key, "must be a list of numbers, without quotes");
    reals.push_back(*real);
  }
  return reals;
}

absl::StatusOr<std::optional<CalendarSeconds>> TomlFields::Time(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const std::optional<CalendarSeconds> time = TimeOf(*node)) return time;
  return Problem(key, "must be a date such as 2024-02-29 or 2024-02-29T13:05:59, without time zone");
}

}  // namespace flaim
