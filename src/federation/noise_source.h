#pragma once

#include <memory>

#include "base/random_source.h"
#include "privacy/ledger/release_name.h"

namespace flaim {

// Where the noise of releases comes from. In earnest always the secure source. Research draws from a seed, and then the
// noise hangs on the name of the release alone: whatever else a run did before, a release has its own noise.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;

  virtual std::unique_ptr<RandomSource> For(const ReleaseName& name) = 0;
};

}  // namespace flaim
