#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"

namespace flaim {

// Calls body(index, thread) once for each index in [0, count): the threads of the team take blocks of neighbouring
// indices, and a block is done in ascending order by one thread. For bodies so short that handing out single indices
// would cost more than they do. Where the blocks lie depends on `block` alone, never on the threads: index / block says
// which one an index is in. REQUIRES: block >= 1.
template <typename Body>
void ForEachInBlocks(std::size_t count, std::size_t block, Parallel& parallel, const Body& body) {
  parallel.For((count + block - 1) / block, [&](std::size_t number, int thread) {
    const std::size_t end = std::min(count, (number + 1) * block);
    for (std::size_t index = number * block; index < end; ++index) body(index, thread);
  });
}

}  // namespace flaim
