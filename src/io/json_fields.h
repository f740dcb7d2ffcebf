#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "nlohmann/json.hpp"

namespace flaim {

// Parses JSON and refuses what JSON leaves open: the same key twice in one object. Never throws. Json is
// nlohmann::json, or nlohmann::ordered_json where the order of keys matters.
template <typename Json = nlohmann::json>
absl::StatusOr<Json> ParseJsonStrictly(std::string_view text);

// A number as JSON. JSON has no infinities: they become the texts "infinity" and "-infinity".
nlohmann::json JsonReal(double value);

// Reads the fields of one JSON object strictly: exactly the expected keys, each of the right kind. `where` starts every
// message. Must not outlive the JSON that it reads.
class JsonFields {
 public:
  // Refuses what is not an object with exactly these keys.
  static absl::StatusOr<JsonFields> Of(const nlohmann::json& value, std::string where,
                                       std::initializer_list<std::string_view> keys);

  // REQUIRES, here and below: one of the keys.
  const nlohmann::json& operator[](std::string_view key) const { return *object_->find(key); }
  std::string WhereIs(std::string_view key) const { return fmt::format("{}.{}", where_, key); }

  absl::StatusOr<std::string> Text(std::string_view key) const;
  absl::StatusOr<bool> Boolean(std::string_view key) const;
  // A whole number that is not negative.
  absl::StatusOr<std::int64_t> Count(std::string_view key) const;
  // What JsonReal wrote.
  absl::StatusOr<double> Real(std::string_view key) const;

  // Every element of a list, as read(const nlohmann::json& element, const std::string& where) returns it.
  template <typename Element, typename Read>
  absl::StatusOr<std::vector<Element>> List(std::string_view key, const Read& read) const {
    const nlohmann::json& list = (*this)[key];
    if (!list.is_array()) return Problem(key, "must be a list");
    std::vector<Element> elements;
    for (const nlohmann::json& item : list) {
      ASSIGN_OR_RETURN(Element element, read(item, fmt::format("{}[{}]", WhereIs(key), elements.size())));
      elements.push_back(std::move(element));
    }
    return elements;
  }

 private:
  JsonFields(const nlohmann::json& object, std::string where) : object_(&object), where_(std::move(where)) {}
  absl::Status Problem(std::string_view key, std::string_view what) const {
    return InvalidArgument("{} {}", WhereIs(key), what);
  }

  const nlohmann::json* object_;
  std::string where_;
};

}  // namespace flaim
