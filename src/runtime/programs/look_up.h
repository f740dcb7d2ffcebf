#pragma once

#include <chrono>

namespace flaim::runtime {

// How often a thread that waits looks whether to stop.
inline constexpr std::chrono::milliseconds kLookUp{200};

}  // namespace flaim::runtime
