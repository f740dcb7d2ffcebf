#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>

#include "marginal/completion.h"
#include "marginal/workload_spec.h"
#include "python/bindings.h"
#include "python/clique_arguments.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Query = std::pair<AttributeList, std::int64_t>;

template <typename Queries>
std::vector<Query> QueriesOf(const Queries& queries) {
  std::vector<Query> result;
  for (const WeightedQuery& query : queries) result.emplace_back(query.clique.attributes(), query.weight);
  return result;
}

std::vector<Query> MakeAllKWay(const Domain& domain, int k, CellLimit cell_limit) {
  const nb::gil_scoped_release released;
  return QueriesOf(Unwrap(AllKWay(domain, k, cell_limit)));
}

std::vector<Query> MakeRandomKWay(const Domain& domain, std::size_t count, int k, std::uint64_t seed,
                                  CellLimit cell_limit) {
  const nb::gil_scoped_release released;
  return QueriesOf(Unwrap(MakeWorkload(domain, RandomKWaySpec{count, k, seed, cell_limit})));
}

std::vector<Query> MakeFromText(const Domain& domain, const std::string& text) {
  const nb::gil_scoped_release released;
  return QueriesOf(Unwrap(MakeWorkload(domain, Unwrap(ParseWorkloadSpec(text)))));
}

Workload WorkloadOf(const Domain& domain, const std::vector<Query>& queries) {
  std::vector<WeightedQuery> result;
  for (const auto& [attributes, weight] : queries) result.push_back({CliqueOf(domain, attributes), weight});
  return Unwrap(Workload::Create(domain, std::move(result)));
}

std::vector<Query> CheckQueries(const Domain& domain, const std::vector<Query>& queries) {
  return QueriesOf(WorkloadOf(domain, queries));
}

std::vector<AttributeList> CompletionOf(const Domain& domain, const std::vector<Query>& queries) {
  const nb::gil_scoped_release released;
  std::vector<AttributeList> result;
  for (const Clique& clique : Unwrap(Completion(WorkloadOf(domain, queries)))) result.push_back(clique.attributes());
  return result;
}

std::vector<Query> WeightsOf(const Domain& domain, const std::vector<Query>& queries, bool over_completion) {
  const nb::gil_scoped_release released;
  const WeightBase base = over_completion ? WeightBase::kCompletion : WeightBase::kOriginals;
  return QueriesOf(Unwrap(WeightedCompletion(WorkloadOf(domain, queries), base)));
}

}  // namespace

void BindWorkloads(nb::module_& module) {
  module.def("workload_all_k_way", &MakeAllKWay, "domain"_a, "k"_a, "cell_limit"_a.none());
  module.def("workload_random_k_way", &MakeRandomKWay, "domain"_a, "count"_a, "k"_a, "seed"_a, "cell_limit"_a.none());
  module.def("workload_from_text", &MakeFromText, "domain"_a, "text"_a,
             "As the setting workload says it, e.g. all:3:10000.");
  module.def("workload_checked", &CheckQueries, "domain"_a, "queries"_a, "Refuses what is no workload.");
  module.def("workload_closure", &CompletionOf, "domain"_a, "queries"_a);
  module.def("workload_weights", &WeightsOf, "domain"_a, "queries"_a, "over_completion"_a);
}

}  // namespace flaim::python
