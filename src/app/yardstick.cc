#include "app/yardstick.h"

#include <utility>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "evaluation/heterogeneity.h"
#include "model/sampling/row_swaps.h"
#include "model/sampling/swap_cliques.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {

absl::StatusOr<Yardstick> Yardstick::Create(YardstickRequest request, const Table& rows, const Partition& partition,
                                            const Workload& workload, Parallel& parallel) {
  Yardstick made;
  made.rows_ = rows.rows();
  made.truth_ = request.truth;
  if (request.errors && !made.truth_) {
    ASSIGN_OR_RETURN(WorkloadTruth truth, WorkloadTruth::Create(rows, workload, parallel, request.max_kept_cells));
    made.truth_ = std::make_shared<const WorkloadTruth>(std::move(truth));
  }
  if (request.swap_rows) made.swaps_ = SwapCliques(rows.domain(), workload);
  if (request.heterogeneity) {
    ASSIGN_OR_RETURN(const ClientHeterogeneity measured,
                     MeasureHeterogeneity(rows, partition.client_of_row, partition.clients, workload, parallel));
    made.heterogeneity_ = measured.mean;
  }
  if (request.auc) {
    ASSIGN_OR_RETURN(made.true_auc_, request.auc(rows));
  }
  made.request_ = std::move(request);
  return made;
}

absl::StatusOr<std::optional<WorkloadError>> Yardstick::ErrorOf(const Model& model, Parallel& parallel) const {
  if (!truth_) return std::nullopt;
  ASSIGN_OR_RETURN(const WorkloadError error, truth_->ErrorOf(model, parallel));
  return error;
}

absl::StatusOr<Table> Yardstick::Draw(const Model& model, std::uint64_t seed, Parallel& parallel) const {
  SeededRandomSource random(seed, "synthetic rows");
  if (swaps_.empty()) return RowSampler(model, SamplingMethod::kRounded).Next(rows_, random);
  return DrawSwappedRows(model, {.rows = rows_, .cliques = swaps_, .options = {}}, random, parallel);
}

absl::StatusOr<ModelQuality> Yardstick::Measure(const Model& model, std::uint64_t seed, Parallel& parallel) const {
  ModelQuality quality;
  if (truth_ || request_.auc) {
    ASSIGN_OR_RETURN(const Table synthetic, Draw(model, seed, parallel));
    if (truth_) {
      ASSIGN_OR_RETURN(quality.rows_error, truth_->ErrorOf(synthetic, parallel));
      ASSIGN_OR_RETURN(quality.model_error, truth_->ErrorOf(model, parallel));
    }
    if (request_.auc) {
      ASSIGN_OR_RETURN(quality.auc, request_.auc(synthetic));
    }
  }
  if (request_.held_out != nullptr) {
    ASSIGN_OR_RETURN(quality.held_out, EvaluateLikelihood(model, *request_.held_out));
  }
  return quality;
}

}  // namespace flaim
