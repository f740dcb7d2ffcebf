#include "app/synthesis.h"

#include <future>

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "marginal/workload_spec.h"
#include "model/sampling/row_swaps.h"
#include "model/sampling/swap_cliques.h"

namespace flaim {
namespace {

std::unique_ptr<RandomSource> RandomnessFor(const std::string& purpose, std::optional<std::uint64_t> seed) {
  if (!seed) return std::make_unique<SecureRandomSource>();
  return std::make_unique<SeededRandomSource>(*seed, fmt::format("sample {}", purpose));
}

// Writes one batch while the next is drawn.
class WriteBehind {
 public:
  WriteBehind(RowWriter& writer, bool on_a_thread_of_its_own)
      : writer_(writer), policy_(on_a_thread_of_its_own ? std::launch::async : std::launch::deferred) {}

  absl::Status Write(const Table& batch) {
    RETURN_IF_ERROR(Wait());
    writing_ = std::async(policy_, [this, batch] { return writer_.WriteRows(batch); });
    return absl::OkStatus();
  }
  absl::Status Finish() {
    RETURN_IF_ERROR(Wait());
    return writer_.Finish();
  }

 private:
  absl::Status Wait() { return writing_.valid() ? writing_.get() : absl::OkStatus(); }

  RowWriter& writer_;
  const std::launch policy_;
  std::future<absl::Status> writing_;
};

}  // namespace

std::unique_ptr<RandomSource> RandomnessForRows(std::optional<std::uint64_t> seed) {
  return RandomnessFor("rows", seed);
}

std::unique_ptr<RandomSource> RandomnessForValues(std::optional<std::uint64_t> seed) {
  return RandomnessFor("values", seed);
}

absl::StatusOr<std::vector<Clique>> SwapCliquesFor(const Domain& domain, const Workload& workload) {
  std::vector<Clique> cliques = SwapCliques(domain, workload);
  if (!cliques.empty()) return cliques;
  return InvalidArgument("rows are swapped for marginals of at most {} cells, and the workload has none",
                         kSwapCliqueCells);
}

absl::StatusOr<std::vector<Clique>> SwapCliquesFor(const Domain& domain, const std::string& workload) {
  if (workload.empty()) return DefaultSwapCliques(domain);
  ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(workload));
  ASSIGN_OR_RETURN(const Workload asked, MakeWorkload(domain, spec));
  return SwapCliquesFor(domain, asked);
}

absl::Status Synthesise(const Model& model, const SynthesisRequest& request, Parallel& parallel, RowWriter& writer,
                        const std::function<absl::Status(std::uint64_t done)>& before_batch) {
  const std::unique_ptr<RandomSource> random = RandomnessForRows(request.seed);
  WriteBehind behind(writer, parallel.threads() > 1);
  std::uint64_t done = 0;
  const auto write_batch = [&](const Table& batch) {
    RETURN_IF_ERROR(before_batch(done));
    RETURN_IF_ERROR(behind.Write(batch));
    done += batch.rows();
    return absl::OkStatus();
  };
  if (request.swaps) {
    RETURN_IF_ERROR(StreamSwappedRows(
        model, {.rows = request.rows, .method = request.method, .cliques = *request.swaps, .options = {}}, *random,
        parallel, write_batch));
  } else {
    RowSampler sampler(model, request.method);
    RETURN_IF_ERROR(StreamRows(sampler, request.rows, *random, write_batch));
  }
  return behind.Finish();
}

}  // namespace flaim
