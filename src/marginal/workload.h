#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

struct WeightedQuery {
  Clique clique;
  std::int64_t weight = 1;

  bool operator==(const WeightedQuery&) const = default;
};

// The marginals that the synthetic table is asked to preserve: the paper's Q. A list of distinct, non-empty cliques
// with positive weights. An immutable value, and public: it may depend on the schema and on nobody's rows.
class Workload {
 public:
  // Together with kMaxQueryAttributes of completion.h these keep every sum of weights below 2^62.
  static constexpr std::int64_t kMaxWeight = std::int64_t{1} << 31;
  static constexpr std::size_t kMaxQueries = std::size_t{1} << 22;

  // Refuses no queries, too many, an empty clique, an attribute outside the domain, a repeated clique and a weight
  // outside [1, kMaxWeight]. Keeps the order given.
  static absl::StatusOr<Workload> Create(const Domain& domain, std::vector<WeightedQuery> queries);

  // Each query as a list of column names, all with weight 1. Refuses, beside what Create refuses, an unknown column and
  // a column named twice within a query.
  static absl::StatusOr<Workload> FromNames(const Domain& domain, const std::vector<std::vector<std::string>>& queries);

  // The text of a JSON file: an array of arrays of column names. `source` names the file in errors.
  static absl::StatusOr<Workload> FromJson(const Domain& domain, const std::string& text, const std::string& source);

  std::size_t size() const { return queries_.size(); }
  const WeightedQuery& operator[](std::size_t query) const { return queries_[query]; }
  auto begin() const { return queries_.begin(); }
  auto end() const { return queries_.end(); }

  bool operator==(const Workload&) const = default;

 private:
  explicit Workload(std::vector<WeightedQuery> queries) : queries_(std::move(queries)) {}

  std::vector<WeightedQuery> queries_;
};

// Marginals with more cells than this are left out. Nothing is left out without a limit.
using CellLimit = std::optional<std::int64_t>;

// All k-way marginals, in lexicographic order.
absl::StatusOr<Workload> AllKWay(const Domain& domain, int k, CellLimit cell_limit = std::nullopt);

// `count` of the marginals that AllKWay lists, each subset of them equally likely, in lexicographic order. Asking for
// more than there are is an error that says how many exist.
absl::StatusOr<Workload> RandomKWay(const Domain& domain, std::size_t count, int k, RandomSource& random,
                                    CellLimit cell_limit = std::nullopt);

}  // namespace flaim
