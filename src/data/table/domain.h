#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// An attribute is named by its position in the domain.
using AttributeIndex = int;

struct Attribute {
  std::string name;
  std::int64_t size;  // number of codes: a column holds 0, ..., size - 1

  bool operator==(const Attribute&) const = default;
};

// The attributes of a table, in column order, and how many values each can take. An immutable value, and public.
class Domain {
 public:
  static constexpr std::int64_t kMaxAttributeSize = std::int64_t{1} << 31;

  // Refuses no attributes, an empty or repeated name, and a size outside [1, kMaxAttributeSize].
  static absl::StatusOr<Domain> Create(std::vector<Attribute> attributes);

  int size() const { return static_cast<int>(attributes_.size()); }
  const Attribute& operator[](AttributeIndex attribute) const {
    return attributes_[static_cast<std::size_t>(attribute)];
  }
  const std::vector<Attribute>& attributes() const { return attributes_; }

  std::optional<AttributeIndex> Find(std::string_view name) const;

  bool operator==(const Domain&) const = default;

 private:
  explicit Domain(std::vector<Attribute> attributes) : attributes_(std::move(attributes)) {}

  std::vector<Attribute> attributes_;
};

}  // namespace flaim
