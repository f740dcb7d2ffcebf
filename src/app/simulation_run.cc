#include "app/simulation_run.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/status.h"

namespace flaim {
namespace {

// Mean and maximum of what `get` says of each client that took part.
template <typename Get>
MeanAndMost Over(const std::vector<ClientIndex>& clients, const Get& get) {
  MeanAndMost result;
  double sum = 0;
  for (const ClientIndex client : clients) {
    const auto value = static_cast<double>(get(client));
    sum += value;
    result.most = std::max(result.most, value);
  }
  if (!clients.empty()) result.mean = sum / static_cast<double>(clients.size());
  return result;
}

ClientFigures FiguresOf(const SimulatedFederation& federation) {
  const auto traffic = federation.traffic().of_client();
  const AccountBook& accounts = federation.accounts();
  std::vector<ClientIndex> took_part;
  for (ClientIndex client = 0; client < traffic.size(); ++client) {
    if (traffic[client].exchanges > 0 || federation.participations()[client] > 0) took_part.push_back(client);
  }
  ClientFigures figures;
  figures.enrolled = federation.clients();
  figures.took_part = std::ssize(took_part);
  figures.sent_bytes = Over(took_part, [&](ClientIndex client) { return traffic[client].sent_bytes; });
  figures.received_bytes = Over(took_part, [&](ClientIndex client) { return traffic[client].received_bytes; });
  figures.exchanges = Over(took_part, [&](ClientIndex client) { return traffic[client].exchanges; });
  figures.rounds_served = Over(took_part, [&](ClientIndex client) { return federation.participations()[client]; });
  figures.rho = Over(took_part, [&](ClientIndex client) { return accounts.spent(client).ToDouble(); });
  figures.most_rho = accounts.MostSpent();
  return figures;
}

}  // namespace

absl::StatusOr<SimulationOutcome> RunSimulation(const RunPlan& plan, const Table& rows, const Partition& partition,
                                                const Workload& workload, std::uint64_t seed, Parallel& parallel,
                                                RoundSink& rounds, const GroupSettings& groups,
                                                const ResearchSettings& research_settings) {
  const std::unique_ptr<Research> research = MakeResearch(plan.method, research_settings, rows);
  const Partition& dealt = plan.method.IsOneTable() ? InOnePlace(rows.rows()) : partition;
  const SimulationOptions options{.seed = seed,
                                  .availability = plan.availability,
                                  .trust = TrustOf(plan.method),
                                  .allowance = plan.terms().allowance,
                                  .participation_cap = plan.terms().participation_cap,
                                  .noise = groups.noise,
                                  .least_members = groups.least_members,
                                  .oracle = research ? &research->oracle : nullptr};
  ASSIGN_OR_RETURN(const std::unique_ptr<SimulatedFederation> federation,
                   SimulatedFederation::Create(rows, dealt.client_of_row, dealt.clients, options, parallel));
  ASSIGN_OR_RETURN(FittedModel fitted, RunMethod(plan.method, plan.options, *plan.spending, workload, *federation,
                                                 parallel, rounds, research ? research->insider.get() : nullptr));
  return SimulationOutcome{std::move(fitted), FiguresOf(*federation)};
}

}  // namespace flaim
