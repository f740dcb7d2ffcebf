#include "marginal/workload.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/status.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

absl::StatusOr<AttributeIndex> FindColumn(const Domain& domain, const std::string& name, std::size_t query) {
  const std::optional<AttributeIndex> attribute = domain.Find(name);
  if (!attribute) {
    return InvalidArgument("query {} of the workload names the column \"{}\", which the schema does not have",
                           query + 1, name);
  }
  return *attribute;
}

absl::StatusOr<Clique> CliqueFromNames(const Domain& domain, const std::vector<std::string>& names, std::size_t query) {
  std::vector<AttributeIndex> attributes;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const AttributeIndex attribute, FindColumn(domain, name, query));
    if (std::find(attributes.begin(), attributes.end(), attribute) != attributes.end()) {
      return InvalidArgument("query {} of the workload names the column \"{}\" twice: name each column once", query + 1,
                             name);
    }
    attributes.push_back(attribute);
  }
  return Clique(std::move(attributes));
}

absl::Status CheckQuery(const Domain& domain, const WeightedQuery& query, std::size_t position) {
  if (query.clique.size() == 0) {
    return InvalidArgument("query {} of the workload is empty: name at least one column", position + 1);
  }
  if (query.clique.attributes().back() >= domain.size()) {
    return InvalidArgument("query {} of the workload has attribute {}, but the schema has only {} columns",
                           position + 1, query.clique.attributes().back(), domain.size());
  }
  if (query.weight < 1 || query.weight > Workload::kMaxWeight) {
    return InvalidArgument("query {} of the workload ({}) has weight {}: weights lie between 1 and {}", position + 1,
                           CliqueName(domain, query.clique), query.weight, Workload::kMaxWeight);
  }
  return absl::OkStatus();
}

// The number of k-subsets of n, or more than kMaxQueries if there are more than that.
std::size_t CountSubsets(int n, int k) {
  std::size_t subsets = 1;
  k = std::min(k, n - k);
  for (int i = 1; i <= k; ++i) {
    subsets = subsets * static_cast<std::size_t>(n - k + i) / static_cast<std::size_t>(i);
    if (subsets > Workload::kMaxQueries) break;
  }
  return subsets;
}

// Moves to the next k-subset in lexicographic order; false after the last.
bool NextSubset(std::vector<AttributeIndex>& subset, int n) {
  const int k = static_cast<int>(subset.size());
  for (int i = k - 1; i >= 0; --i) {
    const auto position = static_cast<std::size_t>(i);
    if (subset[position] < n - k + i) {
      std::iota(subset.begin() + i, subset.end(), subset[position] + 1);
      return true;
    }
  }
  return false;
}

bool Fits(const Domain& domain, const Clique& clique, const CellLimit& cell_limit) {
  if (!cell_limit) return true;
  const absl::StatusOr<std::int64_t> cells = CellCount(domain, clique);
  return cells.ok() && *cells <= *cell_limit;
}

absl::StatusOr<std::vector<Clique>> ListKWay(const Domain& domain, int k, const CellLimit& cell_limit) {
  if (k < 1 || k > domain.size()) {
    return InvalidArgument("there are no {}-way marginals of {} columns: choose a number from 1 to {}", k,
                           domain.size(), domain.size());
  }
  if (CountSubsets(domain.size(), k) > Workload::kMaxQueries) {
    return ResourceExhausted(
        "there are more than {} {}-way marginals of {} columns: choose a smaller number of columns",
        Workload::kMaxQueries, k, domain.size());
  }
  std::vector<AttributeIndex> subset(static_cast<std::size_t>(k));
  std::iota(subset.begin(), subset.end(), 0);
  std::vector<Clique> cliques;
  do {
    Clique clique(subset);
    if (Fits(domain, clique, cell_limit)) cliques.push_back(std::move(clique));
  } while (NextSubset(subset, domain.size()));
  return cliques;
}

// What is asked for is not there: says how many there are, and what to change.
absl::Status TooFew(std::size_t wanted, std::size_t available, int k, const CellLimit& cell_limit) {
  if (cell_limit) {
    return InvalidArgument(
        "the workload asks for {} {}-way marginals with at most {} cells, but only {} exist: ask for fewer or raise "
        "the "
        "limit",
        wanted, k, *cell_limit, available);
  }
  return InvalidArgument("the workload asks for {} {}-way marginals, but only {} exist: ask for fewer", wanted, k,
                         available);
}

std::vector<WeightedQuery> WithUnitWeights(std::vector<Clique> cliques) {
  std::vector<WeightedQuery> queries;
  queries.reserve(cliques.size());
  for (Clique& clique : cliques) queries.push_back({std::move(clique), 1});
  return queries;
}

}  // namespace

absl::StatusOr<Workload> Workload::Create(const Domain& domain, std::vector<WeightedQuery> queries) {
  if (queries.empty()) return InvalidArgument("the workload has no queries: give at least one");
  if (queries.size() > kMaxQueries) {
    return ResourceExhausted("the workload has {} queries, more than the limit of {}", queries.size(), kMaxQueries);
  }
  std::set<Clique> seen;
  for (std::size_t position = 0; position < queries.size(); ++position) {
    RETURN_IF_ERROR(CheckQuery(domain, queries[position], position));
    if (!seen.insert(queries[position].clique).second) {
      return InvalidArgument("query {} of the workload repeats ({}): list it once, with a weight if it matters more",
                             position + 1, CliqueName(domain, queries[position].clique));
    }
  }
  return Workload(std::move(queries));
}

absl::StatusOr<Workload> Workload::FromNames(const Domain& domain,
                                             const std::vector<std::vector<std::string>>& queries) {
  std::vector<Clique> cliques;
  for (std::size_t position = 0; position < queries.size(); ++position) {
    ASSIGN_OR_RETURN(Clique clique, CliqueFromNames(domain, queries[position], position));
    cliques.push_back(std::move(clique));
  }
  return Create(domain, WithUnitWeights(std::move(cliques)));
}

absl::StatusOr<Workload> Workload::FromJson(const Domain& domain, const std::string& text, const std::string& source) {
  try {
    return FromNames(domain, nlohmann::json::parse(text).get<std::vector<std::vector<std::string>>>());
  } catch (const nlohmann::json::exception& error) {
    return InvalidArgument(
        R"({} is not a workload: write a JSON array of arrays of column names, as [["age", "sex"]] ({}))", source,
        error.what());
  }
}

absl::StatusOr<Workload> AllKWay(const Domain& domain, int k, CellLimit cell_limit) {
  ASSIGN_OR_RETURN(std::vector<Clique> cliques, ListKWay(domain, k, cell_limit));
  if (cliques.empty()) return TooFew(1, 0, k, cell_limit);
  return Workload::Create(domain, WithUnitWeights(std::move(cliques)));
}

absl::StatusOr<Workload> RandomKWay(const Domain& domain, std::size_t count, int k, RandomSource& random,
                                    CellLimit cell_limit) {
  ASSIGN_OR_RETURN(std::vector<Clique> cliques, ListKWay(domain, k, cell_limit));
  if (count > cliques.size()) return TooFew(count, cliques.size(), k, cell_limit);
  for (std::size_t drawn = 0; drawn < count; ++drawn) {
    std::swap(cliques[drawn], cliques[drawn + random.NextBelow(cliques.size() - drawn)]);
  }
  cliques.resize(count);
  std::sort(cliques.begin(), cliques.end());
  return Workload::Create(domain, WithUnitWeights(std::move(cliques)));
}

}  // namespace flaim
