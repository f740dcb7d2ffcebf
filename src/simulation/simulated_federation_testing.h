#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/seeded_random_source.h"
#include "data/table/table.h"
#include "simulation/simulated_federation.h"

namespace flaim {

inline constexpr TrustModel kTrustEverything = {.sums = true, .local_choices = true, .compute_parties = true};

// So little noise that a draw other than 0 has a probability below 1e-80; up to 20 marginals can be paid for.
inline const Rational kNoNoise = Rational(1, 400);
// More than any of these tests spends.
inline const Rho kPlenty = Rho::RoundDown(4095);

// A table of 2 x 3 x 2 cells whose client k has 2^k rows, mixed: so the number of rows in a sum tells whose they are.
class SmallStudy {
 public:
  explicit SmallStudy(std::size_t clients, std::uint64_t seed = 1);

  const Table& table() const { return table_; }
  std::size_t clients() const { return clients_; }
  // The rows of these clients, in no particular order.
  Table RowsOf(std::span<const ClientIndex> clients) const;
  // The same by brute force, cell by cell.
  std::vector<std::int64_t> CountsOf(std::span<const ClientIndex> clients, const Clique& clique) const;

  // A federation over the table; or over no rows at all, which draws the same noise and has no signal.
  std::unique_ptr<SimulatedFederation> Federate(const SimulationOptions& options) const;
  std::unique_ptr<SimulatedFederation> FederateWithoutRows(const SimulationOptions& options) const;

  Parallel& parallel() const { return *parallel_; }
  void UseThreads(int threads) { parallel_ = std::make_unique<Parallel>(threads); }

 private:
  std::size_t clients_;
  std::vector<ClientIndex> owners_;
  Table table_;
  std::unique_ptr<Parallel> parallel_ = std::make_unique<Parallel>(1);
};

// The clients of a set that is written as a number in binary.
std::vector<ClientIndex> ClientsOf(std::int64_t rows);

SimulationOptions OptionsWith(const Availability& availability, int participation_cap = 1000);

// All three one-ways and two pairs.
std::vector<Clique> SomeCliques();
std::vector<WeightedQuery> SomeQueries();
// Random shares for each of them.
std::vector<std::vector<double>> RandomShares(const Domain& domain, std::span<const Clique> cliques,
                                              std::uint64_t seed);
// A distribution over the cells of SmallStudy's domain, which `domain` must be: 12 cells, none like another.
const Model& SomeModel(const Domain& domain);

CountsRequest CountsOf(const std::vector<Clique>& cliques, std::int64_t round);
ScoresRequest SomeScores(const Domain& domain, std::int64_t round);
SumSelection SomeSumSelection(const Domain& domain, std::int64_t round);
LocalSelection SomeLocalSelection(const Domain& domain, std::int64_t round);
RandomSelection SomeRandomSelection(std::int64_t round, int steps = 1);

}  // namespace flaim
