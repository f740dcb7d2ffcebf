#pragma once

#include <memory>
#include <mutex>

#include "base/random_source.h"

namespace flaim::python {

// A random source as Python holds it, flaim._flaim.RandomSource. Whoever draws from it holds the mutex: Python threads
// may share it, the source itself is for one thread.
struct BoundRandom {
  explicit BoundRandom(std::unique_ptr<RandomSource> made) : source(std::move(made)) {}

  std::unique_ptr<RandomSource> source;
  std::mutex mutex;
};

}  // namespace flaim::python
