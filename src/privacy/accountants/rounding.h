#pragma once

#include <limits>

namespace flaim {

// What one operation on doubles may be off by, relative to its result; accountants charge several of them to be safe.
inline constexpr double kRounding = std::numeric_limits<double>::epsilon();

}  // namespace flaim
