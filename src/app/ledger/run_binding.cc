#include "app/ledger/run_binding.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/status.h"
#include "io/digest.h"

namespace flaim {
namespace {

constexpr std::int64_t kMaxPairCells = std::int64_t{1} << 14;
// Counted at a time: what they take is little memory, and a pass over the rows is shared.
constexpr std::size_t kBatch = 64;

std::vector<Clique> TellingCliques(const PrivateRows& rows) {
  const Domain& domain = rows.domain();
  std::vector<Clique> cliques;
  for (AttributeIndex column = 0; column < domain.size(); ++column) cliques.push_back(Clique({column}));
  if (!rows.CountsAnyClique()) return cliques;
  for (AttributeIndex column = 1; column < domain.size(); ++column) {
    Clique pair({column - 1, column});
    const absl::StatusOr<std::int64_t> cells = CellCount(domain, pair);
    if (cells.ok() && *cells <= kMaxPairCells) cliques.push_back(std::move(pair));
  }
  return cliques;
}

}  // namespace

absl::StatusOr<LedgerHash> DigestOf(PrivateRows& rows, const LedgerHash& key, Parallel& parallel) {
  Blake2b<sizeof(LedgerHash)> digest;
  digest.Add(AsBytes(key));
  const std::vector<Clique> cliques = TellingCliques(rows);
  for (std::size_t begin = 0; begin < cliques.size(); begin += kBatch) {
    const auto batch = std::span(cliques).subspan(begin, std::min(kBatch, cliques.size() - begin));
    ASSIGN_OR_RETURN(const CliqueCounts counts, rows.Count(batch, parallel));
    for (std::size_t i = 0; i < batch.size(); ++i) digest.Add(AsBytes(std::as_bytes(counts[i])));
  }
  return std::bit_cast<LedgerHash>(digest.Finish());
}

absl::Status BindRun(Ledger& ledger, const std::string& run, PrivateRows& rows, Parallel& parallel) {
  const LedgerHash key = ledger.BindingKey(run);
  ASSIGN_OR_RETURN(const LedgerHash digest, DigestOf(rows, key, parallel));
  return ledger.BindRun(run, key, digest);
}

}  // namespace flaim
