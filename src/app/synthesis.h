#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/random_source.h"
#include "data/rows/row_writer.h"
#include "marginal/clique.h"
#include "marginal/workload.h"
#include "model/inference/model.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {

// How rows are drawn from a model: what `flaim sample` and Model.sample() do. Costs no privacy.
struct SynthesisRequest {
  std::uint64_t rows = 0;
  SamplingMethod method = SamplingMethod::kRounded;
  std::optional<std::uint64_t> seed;         // the same rows each time; otherwise new ones
  std::optional<std::vector<Clique>> swaps;  // swap rows for these marginals (model/sampling/row_swaps.h)
};

// The marginals to swap rows for: those of a workload that are small enough for that. Refuses one that has none.
absl::StatusOr<std::vector<Clique>> SwapCliquesFor(const Domain& domain, const Workload& workload);
// The same in the words of ParseWorkloadSpec(); without a word, what suits the domain.
absl::StatusOr<std::vector<Clique>> SwapCliquesFor(const Domain& domain, const std::string& workload);

// A stream for each purpose, so that rows do not depend on how their values are written.
std::unique_ptr<RandomSource> RandomnessForRows(std::optional<std::uint64_t> seed);
std::unique_ptr<RandomSource> RandomnessForValues(std::optional<std::uint64_t> seed);

// Writes rows, in batches, and finishes the writer; a team of several writes one batch while the next is drawn. Rows do
// not depend on the number of threads. `before_batch` is told how many rows are done; if it fails, so does this, and
// nothing is left behind.
absl::Status Synthesise(const Model& model, const SynthesisRequest& request, Parallel& parallel, RowWriter& writer,
                        const std::function<absl::Status(std::uint64_t done)>& before_batch);

}  // namespace flaim
