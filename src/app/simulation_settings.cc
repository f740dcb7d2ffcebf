#include "app/simulation_settings.h"

#include <utility>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "simulation/research/published_code.h"

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
  fit_request.federated = request.federated;
  ASSIGN_OR_RETURN(FitSettings fit, MakeFitSettings(fit_request, std::move(schema), std::move(workload)));
  if (request.research.is_published_code) RETURN_IF_ERROR(RunAsPublished(fit.plan, fit.schema.domain().size()));
  return SimulationSettings{.fit = std::move(fit),
                            .partition = partition,
                            .groups = request.groups,
                            .research = request.research,
                            .seed = request.seed.has_value() ? *request.seed : FreshSeed()};
}

}  // namespace flaim
