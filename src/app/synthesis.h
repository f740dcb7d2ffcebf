#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "base/random_source.h"
#include "data/rows/row_writer.h"
#include "model/inference/model.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {

// How rows are drawn from a model: what `flaim sample` and Model.sample() do. Costs no privacy.
struct SynthesisRequest {
  std::uint64_t rows = 0;
  SamplingMethod method = SamplingMethod::kRounded;
  std::optional<std::uint64_t> seed;  // the same rows each time; otherwise new ones
  bool writes_behind = false;         // one batch is written on a thread of its own while the next is drawn
};

// A stream for each purpose, so that rows do not depend on how their values are written.
std::unique_ptr<RandomSource> RandomnessForRows(std::optional<std::uint64_t> seed);
std::unique_ptr<RandomSource> RandomnessForValues(std::optional<std::uint64_t> seed);

// Writes rows, in batches, and finishes the writer. `before_batch` is told how many rows are done; if it fails, so does
// this, and nothing is left behind.
absl::Status Synthesise(const Model& model, const SynthesisRequest& request, RowWriter& writer,
                        const std::function<absl::Status(std::uint64_t done)>& before_batch);

}  // namespace flaim
