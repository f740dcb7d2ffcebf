#include "evaluation/heterogeneity.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/status.h"
#include "marginal/completion.h"
#include "marginal/kernels/row_index.h"

namespace flaim {
namespace {

// The rows of one client, one after the other in the table of all.
struct RowRange {
  std::size_t begin;
  std::size_t end;
};

absl::StatusOr<std::vector<std::size_t>> CellsOf(const Domain& domain, std::span<const Clique> cliques) {
  std::vector<std::size_t> cells;
  for (const Clique& clique : cliques) {
    ASSIGN_OR_RETURN(const std::int64_t count, CellCount(domain, clique));
    if (count > kMaxHeterogeneityCells) {
      return InvalidArgument("the marginal over {} has {} cells, too many to compare clients by; leave it out",
                             CliqueName(domain, clique), count);
    }
    cells.push_back(static_cast<std::size_t>(count));
  }
  return cells;
}

// The rows of the clients that have some, each client's together.
struct GroupedRows {
  Table table;
  std::vector<RowRange> clients;
};

GroupedRows GroupByClient(const Table& table, std::span<const std::uint32_t> client_of_row, std::size_t clients) {
  const std::vector<Table> parts = table.SplitBy(client_of_row, clients);
  GroupedRows grouped{Table::Concatenate(table.domain(), parts), {}};
  std::size_t begin = 0;
  for (const Table& part : parts) {
    if (part.rows() > 0) grouped.clients.push_back({begin, begin + part.rows()});
    begin += part.rows();
  }
  return grouped;
}

// What one thread works with. `everybody` and `of_client` are all zero between marginals.
struct Scratch {
  std::vector<std::uint32_t> cell_of_row;
  std::vector<std::uint32_t> everybody;
  std::vector<std::uint32_t> of_client;
};

// Sum over the client's cells of max(0, its share - everybody's share). Leaves `of_client` zero.
double TotalVariation(std::span<const std::uint32_t> cells_of_client, double all_rows, Scratch& scratch) {
  for (const std::uint32_t cell : cells_of_client) ++scratch.of_client[cell];
  const auto rows = static_cast<double>(cells_of_client.size());
  double distance = 0;
  for (const std::uint32_t cell : cells_of_client) {
    const double share = scratch.of_client[cell] / rows;
    scratch.of_client[cell] = 0;
    distance += std::max(0.0, share - scratch.everybody[cell] / all_rows);
  }
  return distance;
}

double MeanOverClients(const GroupedRows& rows, const Clique& clique, std::size_t cells, Scratch& scratch) {
  if (scratch.everybody.size() < cells) {
    scratch.everybody.resize(cells);
    scratch.of_client.resize(cells);
  }
  scratch.cell_of_row.assign(rows.table.rows(), 0);
  for (const AttributeIndex attribute : clique) {
    ExtendIndicesInPlace(scratch.cell_of_row, rows.table.column(attribute), 0,
                         static_cast<std::uint32_t>(rows.table.domain()[attribute].size));
  }
  for (const std::uint32_t cell : scratch.cell_of_row) ++scratch.everybody[cell];
  const auto all_rows = static_cast<double>(rows.table.rows());
  double sum = 0;
  for (const RowRange& client : rows.clients) {
    sum += TotalVariation(std::span(scratch.cell_of_row).subspan(client.begin, client.end - client.begin), all_rows,
                          scratch);
  }
  for (const std::uint32_t cell : scratch.cell_of_row) scratch.everybody[cell] = 0;
  return sum / static_cast<double>(rows.clients.size());
}

}  // namespace

absl::StatusOr<ClientHeterogeneity> MeasureHeterogeneity(const Table& table,
                                                         std::span<const std::uint32_t> client_of_row,
                                                         std::size_t clients, const Workload& workload,
                                                         Parallel& parallel) {
  if (table.rows() == 0) return InvalidArgument("the table has no rows, so no client differs from another");
  ASSIGN_OR_RETURN(const std::vector<Clique> closure, Completion(workload));
  ASSIGN_OR_RETURN(const std::vector<std::size_t> cells, CellsOf(table.domain(), closure));
  const GroupedRows rows = GroupByClient(table, client_of_row, clients);
  std::vector<Scratch> scratch_of_thread(static_cast<std::size_t>(parallel.threads()));
  std::vector<double> means(closure.size());
  RETURN_IF_ERROR(parallel.ForUnlessStopped(closure.size(), [&](std::size_t marginal, int thread) {
    means[marginal] =
        MeanOverClients(rows, closure[marginal], cells[marginal], scratch_of_thread[static_cast<std::size_t>(thread)]);
  }));
  return ClientHeterogeneity{
      .mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size()),
      .clients = rows.clients.size(),
      .clients_without_rows = clients - rows.clients.size(),
      .marginals = closure.size()};
}

}  // namespace flaim
