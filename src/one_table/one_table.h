#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "federation/federation.h"
#include "federation/noise_source.h"
#include "marginal/counted_table.h"
#include "marginal/private_rows.h"
#include "marginal/workload.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// The port over one private table, whose owner pays from a ledger on disk: a federation of one, which comes to every
// round. AIM is a method that runs on it.
//
// Guarantees: what depends on the rows is released after its debit is on disk; a release that the ledger has on record
// under its name comes back as it was, and is not paid again. Rows that cannot be counted, because an engine elsewhere
// is away, cost nothing: counts come before the debit. So does a team that is asked to stop: Cancelled.
class OneTable final : public Federation {
 public:
  // Counts of `queries`, which will be asked for again and again, are kept in memory as far as `max_kept_cells` allow.
  // An error if one of them is too large to count. All references must outlive the object.
  static absl::StatusOr<std::unique_ptr<OneTable>> Create(std::shared_ptr<PrivateRows> rows,
                                                          std::vector<WeightedQuery> queries,
                                                          std::int64_t max_kept_cells, Ledger& ledger,
                                                          NoiseSource& noise, Parallel& parallel);

  const Domain& domain() const override { return rows_->domain(); }
  std::int64_t clients() const override { return 1; }

  absl::StatusOr<Group> Gather(const GroupRequest& request) override;
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override;
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override;
  // Nobody is there whose scores or choices could be asked for: PermissionDenied.
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override;
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override;

 private:
  OneTable(std::shared_ptr<PrivateRows> rows, CountedTable counts, std::map<Clique, std::size_t> position_of,
           Ledger& ledger, NoiseSource& noise, Parallel& parallel);

  // Exact, so private. Valid until the next call.
  absl::StatusOr<std::span<const std::int64_t>> Counts(const Clique& clique);

  std::shared_ptr<PrivateRows> rows_;
  CountedTable counts_;
  std::map<Clique, std::size_t> position_of_;
  std::vector<std::int64_t> scratch_;
  Ledger& ledger_;
  NoiseSource& noise_;
  Parallel& parallel_;
  std::int64_t round_ = 0;
};

}  // namespace flaim
