#pragma once

#include "base/check.h"
#include "sodium.h"

namespace flaim {

// Every function that calls libsodium calls this first: the library then picks the fastest code for this processor,
// and its random source is ready. Costs nothing after the first call; safe from any thread.
inline void InitialiseSodium() {
  static const bool initialised = sodium_init() >= 0;
  CHECK(initialised, "libsodium could not be initialised");
}

}  // namespace flaim
