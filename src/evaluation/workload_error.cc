#include "evaluation/workload_error.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/status.h"
#include "marginal/completion.h"

namespace flaim {
namespace {

struct CountedMarginal {
  std::span<const std::int64_t> counts;
  double rows;

  double Probability(std::size_t cell) const { return static_cast<double>(counts[cell]) / rows; }
};

double Distance(const CountedMarginal& truth, const CountedMarginal& synthetic) {
  double distance = 0;
  for (std::size_t cell = 0; cell < truth.counts.size(); ++cell) {
    distance += std::abs(truth.Probability(cell) - synthetic.Probability(cell));
  }
  return distance;
}

double Distance(const CountedMarginal& truth, std::span<const double> probabilities) {
  double distance = 0;
  for (std::size_t cell = 0; cell < truth.counts.size(); ++cell) {
    distance += std::abs(truth.Probability(cell) - probabilities[cell]);
  }
  return distance;
}

}  // namespace

absl::StatusOr<WorkloadTruth> WorkloadTruth::Create(const Table& truth, const Workload& workload, Parallel& parallel,
                                                    std::int64_t max_kept_cells) {
  if (truth.rows() == 0) {
    return InvalidArgument("the table to compare with has no rows, so it has no probabilities; give it at least one");
  }
  ASSIGN_OR_RETURN(std::vector<Clique> closure, Completion(workload));
  ASSIGN_OR_RETURN(CountedTable counts, CountedTable::Create(truth, closure, max_kept_cells, parallel));
  return WorkloadTruth(truth, workload, std::move(closure), std::move(counts), max_kept_cells);
}

WorkloadTruth::WorkloadTruth(const Table& truth, const Workload& workload, std::vector<Clique> closure,
                             CountedTable counts, std::int64_t max_kept_cells)
    : domain_(truth.domain()),
      closure_(std::move(closure)),
      counts_(std::move(counts)),
      rows_(static_cast<double>(truth.rows())),
      max_kept_cells_(max_kept_cells) {
  std::set<Clique> queries;
  for (const WeightedQuery& query : workload) queries.insert(query.clique);
  for (const Clique& clique : closure_) {
    is_query_.push_back(queries.contains(clique));
    cells_ += CellCount(domain_, clique).value();
  }
}

absl::Status WorkloadTruth::CheckDomain(const Domain& domain) const {
  if (domain == domain_) return absl::OkStatus();
  return InvalidArgument("the two sides have different columns or codes; make both with the same schema");
}

WorkloadError WorkloadTruth::MeanOf(std::span<const double> distances) const {
  double query_sum = 0;
  double closure_sum = 0;
  double queries = 0;
  for (std::size_t i = 0; i < closure_.size(); ++i) {
    closure_sum += distances[i];
    if (!is_query_[i]) continue;
    query_sum += distances[i];
    ++queries;
  }
  return {.queries = query_sum / queries, .closure = closure_sum / static_cast<double>(closure_.size())};
}

absl::StatusOr<WorkloadError> WorkloadTruth::ErrorOf(const Table& synthetic, Parallel& parallel) const {
  RETURN_IF_ERROR(CheckDomain(synthetic.domain()));
  if (synthetic.rows() == 0) {
    return InvalidArgument("the synthetic table has no rows, so it has no probabilities; draw at least one");
  }
  ASSIGN_OR_RETURN(CountedTable synthetic_counts, CountedTable::Create(synthetic, closure_, max_kept_cells_, parallel));
  CountedTable true_counts = counts_;
  const auto synthetic_rows = static_cast<double>(synthetic.rows());
  std::vector<double> distances;
  for (std::size_t i = 0; i < closure_.size(); ++i) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> counts, true_counts.Counts(i));
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> drawn, synthetic_counts.Counts(i));
    distances.push_back(Distance({counts, rows_}, {drawn, synthetic_rows}));
  }
  return MeanOf(distances);
}

absl::StatusOr<WorkloadError> WorkloadTruth::ErrorOf(const Model& model, Parallel& parallel) const {
  RETURN_IF_ERROR(CheckDomain(model.domain()));
  CountedTable true_counts = counts_;
  // A query keeps what its answers share, so it is renewed once they have become many.
  std::optional<MarginalQuery> query;
  std::int64_t answered_cells = 0;
  std::vector<double> distances;
  for (std::size_t i = 0; i < closure_.size(); ++i) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    if (!query || answered_cells > max_kept_cells_) {
      query.emplace(model.Query());
      answered_cells = 0;
    }
    const std::vector<double> probabilities = query->Answer(closure_[i]);
    answered_cells += std::ssize(probabilities);
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> counts, true_counts.Counts(i));
    distances.push_back(Distance({counts, rows_}, probabilities));
  }
  return MeanOf(distances);
}

}  // namespace flaim
