#include "app/simulation_settings.h"

#include <utility>

#include "app/request/trace_file.h"
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
  fit_request.run = request.run;
  if (std::holds_alternative<SplitNoise>(request.groups.noise)) fit_request.run.sum_noise = SumNoise::kSplit;
  ASSIGN_OR_RETURN(FitSettings fit, MakeFitSettings(fit_request, std::move(schema), std::move(workload)));
  if (request.research.is_published_code) RETURN_IF_ERROR(RunAsPublished(fit.plan, fit.schema.domain().size()));
  if (!fit.plan.trace_path.empty()) {
    ASSIGN_OR_RETURN(fit.plan.availability, ReadTraceFile(fit.plan.trace_path));
  }
  return SimulationSettings{.fit = std::move(fit),
                            .partition = partition,
                            .groups = request.groups,
                            .research = request.research,
                            .seed = request.seed.has_value() ? *request.seed : FreshSeed()};
}

}  // namespace flaim
