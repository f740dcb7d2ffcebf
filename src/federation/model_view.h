#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "marginal/public_shares.h"
#include "marginal/workload.h"
#include "model/inference/model.h"

namespace flaim {

// A public model that clients compare their rows with, lent for a call. A request has the model and not what it says of
// the candidates: that follows from the model, and is worked out where rows are. So a coordinator, which sends the
// model, works out nothing, and a simulation does it once for all of its clients.
class ModelView {
 public:
  ModelView() = default;  // of no model
  // The model outlives the view.
  explicit ModelView(const Model& model) : model_(&model) {}
  explicit ModelView(Model&&) = delete;

  bool HasModel() const { return model_ != nullptr; }

  // These REQUIRE a model.
  const Model& model() const;
  // What sending it takes.
  std::int64_t cells() const { return model().tree().cells(); }
  // What it expects of marginals, in the form that rows are compared with: the same numbers wherever it is worked out.
  // One call for many marginals shares work between them. Cancelled if the team is to stop; that is the only error.
  absl::StatusOr<std::vector<PublicShares>> SharesOf(std::span<const Clique> cliques, Parallel& parallel) const;
  absl::StatusOr<std::vector<PublicShares>> SharesOf(std::span<const WeightedQuery> queries, Parallel& parallel) const;
  // Of each attribute by itself.
  absl::StatusOr<std::vector<PublicShares>> OneWayShares(Parallel& parallel) const;

 private:
  const Model* model_ = nullptr;
};

}  // namespace flaim
