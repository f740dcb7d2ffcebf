#include "data/table/domain.h"

#include <set>

#include "base/status.h"

namespace flaim {

absl::StatusOr<Domain> Domain::Create(std::vector<Attribute> attributes) {
  if (attributes.empty()) return InvalidArgument("a domain needs at least one attribute");
  std::set<std::string_view> names;
  for (const Attribute& attribute : attributes) {
    if (attribute.name.empty()) return InvalidArgument("an attribute has an empty name");
    if (!names.insert(attribute.name).second) return InvalidArgument("two attributes are named '{}'", attribute.name);
    if (attribute.size < 1 || attribute.size > kMaxAttributeSize) {
      return InvalidArgument("attribute '{}' has {} values; allowed are 1 to {}", attribute.name, attribute.size,
                             kMaxAttributeSize);
    }
  }
  return Domain(std::move(attributes));
}

std::optional<AttributeIndex> Domain::Find(std::string_view name) const {
  for (AttributeIndex attribute = 0; attribute < size(); ++attribute) {
    if ((*this)[attribute].name == name) return attribute;
  }
  return std::nullopt;
}

}  // namespace flaim
