#include "secagg/messages/members.h"

#include "base/status.h"

namespace flaim::secagg {

Bytes PackMembers(const std::vector<bool>& members) {
  Bytes packed((members.size() + 7) / 8);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i]) packed[i / 8] = static_cast<std::uint8_t>(packed[i / 8] | (1U << (i % 8)));
  }
  return packed;
}

absl::StatusOr<std::vector<bool>> UnpackMembers(ByteView packed, std::size_t ranks) {
  std::vector<bool> members(ranks);
  bool fits = packed.size() == (ranks + 7) / 8;
  for (std::size_t i = 0; fits && i < 8 * packed.size(); ++i) {
    const bool bit = ((packed[i / 8] >> (i % 8)) & 1) != 0;
    if (i < ranks) {
      members[i] = bit;
    } else {
      fits = !bit;
    }
  }
  if (!fits) return InvalidArgument("the set of survivors does not fit the {} who advertised", ranks);
  return members;
}

}  // namespace flaim::secagg
