#include "app/simulation_settings.h"

#include <utility>

#include "base/secure_random_source.h"
#include "base/status.h"

namespace flaim {
namespace {

std::uint64_t FreshSeed() {
  SecureRandomSource random;
  return random.NextBelow(std::uint64_t{1} << 32);  // short enough to be typed again
}

}  // namespace

absl::StatusOr<SimulationSettings> MakeSimulationSettings(const SimulationRequest& request, Schema schema,
                                                          std::optional<Workload> workload) {
  ASSIGN_OR_RETURN(const PartitionSpec partition, ParsePartitionSpec(request.partition));
  FitRequest fit_request = request.fit;
  if (request.federated.paper_fit && !fit_request.model_cells) fit_request.model_cells = kPaperModelCells;
  ASSIGN_OR_RETURN(FitSettings fit, MakeFitSettings(fit_request, std::move(schema), std::move(workload)));
  FederatedOptions options{.budget = fit.budget};
  options.max_model_cells = fit.max_model_cells;
  ASSIGN_OR_RETURN(FederatedPlan plan, MakeFederatedPlan(request.federated, options, fit.schema.domain().size()));
  return SimulationSettings{.fit = std::move(fit),
                            .plan = std::move(plan),
                            .partition = partition,
                            .groups = request.groups,
                            .seed = request.seed.has_value() ? *request.seed : FreshSeed()};
}

}  // namespace flaim
