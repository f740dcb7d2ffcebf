#include "io/json_fields.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <set>

#include "io/message_text.h"

namespace flaim {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kInfinity = "infinity";
constexpr std::string_view kMinusInfinity = "-infinity";

}  // namespace

template <typename AnyJson>
absl::StatusOr<AnyJson> ParseJsonStrictly(std::string_view text) {
  using Event = typename AnyJson::parse_event_t;
  std::vector<std::set<std::string>> keys_of_open_objects;
  std::optional<std::string> repeated;
  const auto note_keys = [&](int, Event event, AnyJson& parsed) {
    if (event == Event::object_start) keys_of_open_objects.emplace_back();
    if (event == Event::object_end) keys_of_open_objects.pop_back();
    if (event == Event::key) {
      const auto& key = parsed.template get_ref<const std::string&>();
      if (!keys_of_open_objects.back().insert(key).second) repeated = key;
    }
    return true;
  };
  try {
    AnyJson json = AnyJson::parse(text.begin(), text.end(), note_keys);
    if (repeated) return InvalidArgument("the key {} is there twice", QuoteForMessage(*repeated));
    return json;
  } catch (const std::exception& error) {
    return InvalidArgument("not JSON: {}", QuoteForMessage(error.what()));
  }
}

template absl::StatusOr<nlohmann::json> ParseJsonStrictly(std::string_view text);
template absl::StatusOr<nlohmann::ordered_json> ParseJsonStrictly(std::string_view text);

Json JsonReal(double value) {
  if (!std::isinf(value)) return value;
  return value > 0 ? kInfinity : kMinusInfinity;
}

absl::StatusOr<JsonFields> JsonFields::Of(const Json& value, std::string where,
                                          std::initializer_list<std::string_view> keys) {
  if (!value.is_object()) return InvalidArgument("{} must be an object", where);
  for (const auto& item : value.items()) {
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
      return InvalidArgument("{} has the unknown key {}", where, QuoteForMessage(item.key()));
    }
  }
  for (const std::string_view key : keys) {
    if (value.find(key) == value.end()) return InvalidArgument("{} has no '{}'", where, key);
  }
  return JsonFields(value, std::move(where));
}

absl::StatusOr<std::string> JsonFields::Text(std::string_view key) const {
  const Json& value = (*this)[key];
  if (!value.is_string()) return Problem(key, "must be a text");
  return value.get<std::string>();
}

absl::StatusOr<bool> JsonFields::Boolean(std::string_view key) const {
  const Json& value = (*this)[key];
  if (!value.is_boolean()) return Problem(key, "must be true or false");
  return value.get<bool>();
}

absl::StatusOr<std::int64_t> JsonFields::Count(std::string_view key) const {
  const Json& value = (*this)[key];
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()) {
    return value.get<std::int64_t>();
  }
  return Problem(key, "must be a whole number that is not negative");
}

absl::StatusOr<double> JsonFields::Real(std::string_view key) const {
  const Json& value = (*this)[key];
  if (value.is_number()) return value.get<double>();
  if (value == kInfinity) return std::numeric_limits<double>::infinity();
  if (value == kMinusInfinity) return -std::numeric_limits<double>::infinity();
  return Problem(key, "must be a number");
}

}  // namespace flaim
