#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "federation/availability.h"
#include "federation/client_answer.h"
#include "federation/federation.h"
#include "federation/group_book.h"
#include "federation/trust.h"
#include "secagg/graph/group_bounds.h"
#include "simulation/account_book.h"
#include "simulation/research/oracle.h"
#include "simulation/traffic.h"

namespace flaim {

// How noise gets into a sum: as one draw, or as over the network, from everybody who contributes. Split noise has a
// surplus, for dropouts and colluders that then are not there.
struct WholeNoise {};
struct SplitNoise {
  secagg::GroupBounds bounds;
};
using NoiseOrigin = std::variant<WholeNoise, SplitNoise>;

struct SimulationOptions {
  std::uint64_t seed = 0;
  Availability availability = Poisson{};
  TrustModel trust = {};
  Rho allowance;              // of each client
  int participation_cap = 1;  // in how many groups a client serves before it declines
  NoiseOrigin noise = WholeNoise{};
  int least_members = 1;  // of a group; a smaller one does not come together
  // Of methods that are NOT private; must outlive the federation.
  Oracle* oracle = nullptr;
};

// The port in one process: a table whose rows belong to clients. Each client has its own account and cap; what leaves
// a client goes through the same releasing functions as over the network, with noise from the seed.
//
// Seeded: the same seed gives the same answers for any number of threads. So nothing that comes out is private, and all
// of it is stamped so.
//
// How it is computed differs from a real federation where the result is the same: the sum of the clients' counts is
// the counts of all their rows together.
class SimulatedFederation final : public Federation {
 public:
  // REQUIRES: one entry of client_of_row for each row, below `clients`. `parallel` must outlive the federation.
  static absl::StatusOr<std::unique_ptr<SimulatedFederation>> Create(const Table& table,
                                                                     std::span<const ClientIndex> client_of_row,
                                                                     std::size_t clients,
                                                                     const SimulationOptions& options,
                                                                     Parallel& parallel);

  const Domain& domain() const override { return union_.domain(); }
  std::int64_t clients() const override { return static_cast<std::int64_t>(rows_.size()); }

  absl::StatusOr<Group> Gather(const GroupRequest& request) override;
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override;
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override;
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override;

  // For reports and tests.
  const AccountBook& accounts() const { return accounts_; }
  const Traffic& traffic() const { return traffic_; }
  std::span<const int> participations() const { return book_.participations(); }

 private:
  SimulatedFederation(const Table& table, std::vector<Table> rows, GroupBook book, const SimulationOptions& options,
                      Parallel& parallel);

  absl::Status CheckAllowed(bool allowed, const char* operation) const;
  Table RowsOf(std::span<const ClientIndex> clients) const;
  // What a client checks before it adds to the marginals that it chose: that it pays for as many.
  absl::Status CheckContributions(const CountsRequest& request) const;
  // The rows of all who add to one marginal of a request.
  Table ContributedRows(const CountsRequest& request, const Clique& clique) const;
  absl::StatusOr<std::vector<LocalPayments>> PayForLocalSelection(const LocalSelection& request,
                                                                  const ExponentialMechanism& selection);
  LocalChoices Tally(std::span<const WeightedQuery> candidates, const std::vector<std::vector<std::size_t>>& choices);
  std::string Label(const ReleaseName& name) const;
  // The sum of what members contribute, with noise as the payment says and as the options let it come in.
  absl::StatusOr<NoisyCounts> ReleaseSum(Spend<GaussianMechanism> spend, const ReleaseName& name,
                                         std::vector<std::int64_t> sum);

  SimulationOptions options_;
  Parallel& parallel_;
  Table union_;
  std::vector<Table> rows_;  // of each client
  GroupBook book_;
  AccountBook accounts_;
  Traffic traffic_;
  bool has_shared_ = false;               // its counts, for choices by their sum
  std::span<const ClientIndex> members_;  // the book's
  Table members_rows_;
  std::map<Clique, std::set<ClientIndex>> choosers_;  // in this round
};

}  // namespace flaim
