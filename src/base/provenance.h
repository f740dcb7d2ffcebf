#pragma once

#include <string_view>

namespace flaim {

// Where noise came from, as RandomSource::Provenance() says it and every release records it: this, or the stamp of a
// seeded source, which names the seed. What bears a stamp is not private.
inline constexpr const char* kSecureProvenance = "secure";

inline bool IsSecureProvenance(std::string_view provenance) { return provenance == kSecureProvenance; }

}  // namespace flaim
