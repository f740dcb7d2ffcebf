#include "simulation/simulated_federation_testing.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

Domain SmallDomain() { return testing_tables::DomainOfSizes({2, 3, 2}); }

std::vector<ClientIndex> MixedOwners(std::size_t clients, std::uint64_t seed) {
  std::vector<ClientIndex> owners;
  for (std::size_t client = 0; client < clients; ++client) {
    owners.insert(owners.end(), std::size_t{1} << client, static_cast<ClientIndex>(client));
  }
  SeededRandomSource random(seed, "owners");
  for (std::size_t left = owners.size(); left > 1; --left) std::swap(owners[left - 1], owners[random.NextBelow(left)]);
  return owners;
}

Table RandomTable(std::size_t rows, std::uint64_t seed) {
  SeededRandomSource random(seed, "rows");
  return testing_tables::TableOf(SmallDomain(), testing_tables::RandomRows(SmallDomain(), rows, random));
}

}  // namespace

SmallStudy::SmallStudy(std::size_t clients, std::uint64_t seed)
    : clients_(clients), owners_(MixedOwners(clients, seed)), table_(RandomTable(owners_.size(), seed)) {}

Table SmallStudy::RowsOf(std::span<const ClientIndex> clients) const {
  TableBuilder builder(table_.domain());
  for (std::size_t row = 0; row < owners_.size(); ++row) {
    if (std::find(clients.begin(), clients.end(), owners_[row]) == clients.end()) continue;
    builder.AddRow(std::vector<std::uint32_t>{table_.at(row, 0), table_.at(row, 1), table_.at(row, 2)});
  }
  return std::move(builder).Build();
}

std::vector<std::int64_t> SmallStudy::CountsOf(std::span<const ClientIndex> clients, const Clique& clique) const {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(CellCount(table_.domain(), clique).value()));
  for (std::size_t row = 0; row < owners_.size(); ++row) {
    if (std::find(clients.begin(), clients.end(), owners_[row]) == clients.end()) continue;
    std::size_t cell = 0;
    for (const AttributeIndex attribute : clique) {
      cell = cell * static_cast<std::size_t>(table_.domain()[attribute].size) + table_.at(row, attribute);
    }
    ++counts[cell];
  }
  return counts;
}

std::unique_ptr<SimulatedFederation> SmallStudy::Federate(const SimulationOptions& options) const {
  return SimulatedFederation::Create(table_, owners_, clients_, options, *parallel_).value();
}

std::unique_ptr<SimulatedFederation> SmallStudy::FederateWithoutRows(const SimulationOptions& options) const {
  return SimulatedFederation::Create(table_.Slice(0, 0), {}, clients_, options, *parallel_).value();
}

std::vector<ClientIndex> ClientsOf(std::int64_t rows) {
  std::vector<ClientIndex> clients;
  for (ClientIndex client = 0; client < 62; ++client) {
    if ((rows >> client & 1) != 0) clients.push_back(client);
  }
  return clients;
}

SimulationOptions OptionsWith(const Availability& availability, int participation_cap) {
  return {.seed = 11,
          .availability = availability,
          .trust = kTrustEverything,
          .allowance = kPlenty,
          .participation_cap = participation_cap};
}

std::vector<Clique> SomeCliques() { return {Clique({0}), Clique({1}), Clique({2}), Clique({0, 1}), Clique({1, 2})}; }

std::vector<WeightedQuery> SomeQueries() {
  std::vector<WeightedQuery> queries;
  for (const Clique& clique : SomeCliques()) queries.push_back({clique, 1 + clique.attributes().front()});
  return queries;
}

std::vector<std::vector<double>> RandomShares(const Domain& domain, std::span<const Clique> cliques,
                                              std::uint64_t seed) {
  SeededRandomSource random(seed, "shares");
  std::vector<std::vector<double>> shares;
  for (const Clique& clique : cliques) {
    std::vector<double>& own = shares.emplace_back(static_cast<std::size_t>(CellCount(domain, clique).value()));
    for (double& share : own) share = 0.01 + random.NextUnit();
  }
  return shares;
}

const Model& SomeModel(const Domain& domain) {
  static const Model model = [] {
    const Clique everything({0, 1, 2});
    std::vector<double> potentials = RandomShares(SmallDomain(), std::span(&everything, 1), 3)[0];
    for (double& potential : potentials) potential = std::log(potential);
    Parallel alone(1);
    return Model::Create(SmallDomain(), {everything}, potentials, 100, 1000, alone).value();
  }();
  CHECK(model.domain() == domain);
  return model;
}

CountsRequest CountsOf(const std::vector<Clique>& cliques, std::int64_t round) {
  return {{"run", round, "counts"}, cliques, kNoNoise};
}

ScoresRequest SomeScores(const Domain& domain, std::int64_t round) {
  ScoresRequest request;
  request.name = {"run", round, "scores"};
  request.candidates = SomeCliques();
  request.sigma_squared = Rational(900, 1);
  request.model = ModelView(SomeModel(domain));
  return request;
}

SumSelection SomeSumSelection(const Domain& domain, std::int64_t round) {
  SumSelection request;
  request.name = {"run", round, "select by sum"};
  request.candidates = SomeQueries();
  request.expected = [expected = RandomShares(domain, SomeCliques(), 4)](std::size_t i) { return expected[i]; };
  request.penalty_records = {0.5, 0, 2, 1, 0.25};
  request.epsilon = Rational(1, 2);
  return request;
}

LocalSelection SomeLocalSelection(const Domain& domain, std::int64_t round) {
  LocalSelection request;
  request.name = {"run", round, "select"};
  request.candidates = SomeQueries();
  request.penalty_records = {0.5, 0, 2, 1, 0.25};
  request.epsilon = Rational(1, 2);
  request.model = ModelView(SomeModel(domain));
  return request;
}

RandomSelection SomeRandomSelection(std::int64_t round, int steps) {
  return {{"run", round, "select at random"}, SomeQueries(), steps};
}

}  // namespace flaim
