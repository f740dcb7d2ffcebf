#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "evaluation/log_likelihood.h"
#include "evaluation/workload_error.h"
#include "marginal/clique.h"
#include "marginal/workload.h"
#include "model/inference/model.h"
#include "partition/partition.h"

namespace flaim {

// What to find out about a simulation beside its model.
struct YardstickRequest {
  bool errors = false;                                   // of models and of rows drawn from them
  std::shared_ptr<const WorkloadTruth> truth = nullptr;  // the same, against this, made of these rows before
  bool heterogeneity = false;                            // of the clients
  bool swap_rows = false;           // synthetic rows are swapped for the workload (model/sampling/row_swaps.h)
  const Table* held_out = nullptr;  // for the likelihood; outlives the yardstick
  // The score of a classifier that is trained on these rows. It is the caller's: whoever wants none need not link one.
  std::function<absl::StatusOr<double>(const Table& train)> auc = nullptr;
  std::int64_t max_kept_cells = WorkloadTruth::kDefaultKeptCells;  // of true counts, which are kept if they fit
};

// How good a model is, as far as that was asked for.
struct ModelQuality {
  std::optional<WorkloadError> model_error;
  std::optional<WorkloadError> rows_error;  // of synthetic rows
  std::optional<HeldOutLikelihood> held_out;
  std::optional<double> auc;  // of a classifier trained on the synthetic rows
};

// What true rows say, found out once, to hold any number of models against: for flaim simulate, flaim.Simulation and
// experiments alike. Without noise, so as private as the rows: for experiments on public data. Many threads may measure
// at once.
class Yardstick {
 public:
  Yardstick() = default;  // that nothing was asked of
  static absl::StatusOr<Yardstick> Create(YardstickRequest request, const Table& rows, const Partition& partition,
                                          const Workload& workload, Parallel& parallel);

  // How unlike everybody the clients are, over the downward closure of the workload.
  std::optional<double> heterogeneity() const { return heterogeneity_; }
  // Of a classifier trained on the true rows.
  std::optional<double> true_auc() const { return true_auc_; }
  // What errors are against; null if they were not asked for.
  const WorkloadTruth* truth() const { return truth_.get(); }

  // Of the model itself; nothing if errors were not asked for.
  absl::StatusOr<std::optional<WorkloadError>> ErrorOf(const Model& model, Parallel& parallel) const;
  // Of the model, and of as many synthetic rows as there are true ones. The same seed gives the same rows.
  absl::StatusOr<ModelQuality> Measure(const Model& model, std::uint64_t seed, Parallel& parallel) const;

 private:
  absl::StatusOr<Table> Draw(const Model& model, std::uint64_t seed, Parallel& parallel) const;

  YardstickRequest request_;
  std::size_t rows_ = 0;
  std::vector<Clique> swaps_;  // none: rows as they are drawn
  std::shared_ptr<const WorkloadTruth> truth_;
  std::optional<double> heterogeneity_;
  std::optional<double> true_auc_;
};

}  // namespace flaim
