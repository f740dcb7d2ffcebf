#include "model/sampling/swap_block.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/status.h"
#include "marginal/kernels/row_index.h"

namespace flaim {
namespace {

using kernels::CellExcess;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::size_t kRunRows = 8192;
// Gains smaller than that are rounding.
constexpr double kLeastGain = 1e-6;

void FindCells(const Table& table, const Clique& clique, std::span<std::uint16_t> out) {
  std::array<std::uint32_t, kRunRows> indices;
  for (std::size_t first = 0; first < out.size(); first += kRunRows) {
    const std::span run(indices.data(), std::min(kRunRows, out.size() - first));
    std::fill(run.begin(), run.end(), 0);
    for (const AttributeIndex attribute : clique) {
      const auto size = static_cast<std::uint32_t>(table.domain()[attribute].size);
      ExtendIndicesInPlace(run, table.column(attribute), first, size);
    }
    std::transform(run.begin(), run.end(), out.begin() + first,
                   [](std::uint32_t index) { return static_cast<std::uint16_t>(index); });
  }
}

// The places of the highest scores, best first; of equal ones the first place.
std::vector<std::uint32_t> Highest(std::span<const float> scores, std::size_t count) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  const auto is_better = [&](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  count = std::min(count, order.size());
  std::nth_element(order.begin(), order.begin() + count, order.end(), is_better);
  order.resize(count);
  std::sort(order.begin(), order.end(), is_better);
  return order;
}

}  // namespace

SwapBlock::SwapBlock(const Table& rows, const Table& spare, std::size_t marginals)
    : rows_(rows),
      spare_(spare),
      marginals_(marginals),
      row_at_(rows.rows() + spare.rows()),
      cell_(marginals * row_at_.size()),
      score_(row_at_.size()) {
  std::iota(row_at_.begin(), row_at_.end(), 0);
}

absl::StatusOr<SwapBlock> SwapBlock::Create(const Table& rows, const Table& spare, const std::vector<Clique>& cliques,
                                            Parallel& parallel) {
  SwapBlock block(rows, spare, cliques.size());
  RETURN_IF_ERROR(parallel.ForUnlessStopped(cliques.size(), [&](std::size_t i, int) {
    const std::span all = std::span(block.cell_).subspan(i * block.places(), block.places());
    FindCells(rows, cliques[i], all.first(rows.rows()));
    FindCells(spare, cliques[i], all.subspan(rows.rows()));
  }));
  return block;
}

void SwapBlock::CountInto(const CellExcess& cells, Parallel& parallel) const {
  parallel.For(marginals_, [&](std::size_t i, int) {
    const std::span counts = cells.excess.subspan(cells.begin[i]);
    for (const std::uint16_t cell : CellsOf(i).first(rows_.rows())) counts[cell] += 1;
  });
}

absl::Status SwapBlock::Score(const CellExcess& cells, Parallel& parallel) {
  leaving_.resize(cells.excess.size());
  entering_.resize(cells.excess.size());
  const auto of_marginal = [&](auto span, std::size_t i) {
    return span.subspan(cells.begin[i], cells.begin[i + 1] - cells.begin[i]);
  };
  parallel.For(marginals_, [&](std::size_t i, int) {
    kernels::GainsOfCells(of_marginal(cells.scale, i), of_marginal(std::span<const double>(cells.excess), i),
                          of_marginal(std::span(leaving_), i), of_marginal(std::span(entering_), i));
  });
  const auto score_run = [&](std::size_t first, std::size_t end, std::span<const float> gains) {
    const std::span scores = std::span(score_).subspan(first, end - first);
    std::fill(scores.begin(), scores.end(), 0.0F);
    for (std::size_t i = 0; i < marginals_; ++i) {
      kernels::AddGains(CellsOf(i).subspan(first, scores.size()), of_marginal(gains, i), scores);
    }
  };
  const std::size_t rows = rows_.rows();
  const std::size_t runs_of_rows = (rows + kRunRows - 1) / kRunRows;
  const std::size_t runs_of_spare = (spare_.rows() + kRunRows - 1) / kRunRows;
  return parallel.ForUnlessStopped(runs_of_rows + runs_of_spare, [&](std::size_t run, int) {
    if (run < runs_of_rows) {
      score_run(run * kRunRows, std::min(rows, (run + 1) * kRunRows), leaving_);
    } else {
      const std::size_t first = rows + (run - runs_of_rows) * kRunRows;
      score_run(first, std::min(places(), first + kRunRows), entering_);
    }
  });
}

std::vector<std::uint16_t> SwapBlock::Gather(std::span<const std::uint32_t> at, Parallel& parallel) const {
  std::vector<std::uint16_t> gathered(at.size() * marginals_);
  parallel.For(marginals_, [&](std::size_t i, int) {
    const std::span cells = CellsOf(i);
    for (std::size_t k = 0; k < at.size(); ++k) gathered[k * marginals_ + i] = cells[at[k]];
  });
  return gathered;
}

absl::StatusOr<std::size_t> SwapBlock::Pass(const CellExcess& cells, std::size_t most, Parallel& parallel) {
  RETURN_IF_ERROR(Score(cells, parallel));
  const std::size_t rows = rows_.rows();
  std::vector<std::uint32_t> leaving = Highest(std::span(score_).first(rows), most);
  std::vector<std::uint32_t> entering = Highest(std::span(score_).subspan(rows), most);
  for (std::uint32_t& place : entering) place += static_cast<std::uint32_t>(rows);
  std::size_t pairs = 0;
  const std::size_t pairs_max = std::min(leaving.size(), entering.size());
  while (pairs < pairs_max && score_[leaving[pairs]] + score_[entering[pairs]] > 0) ++pairs;
  leaving.resize(pairs);
  entering.resize(pairs);
  const std::vector<std::uint16_t> leaving_cells = Gather(leaving, parallel);
  const std::vector<std::uint16_t> entering_cells = Gather(entering, parallel);

  std::vector<Pair> swapped;
  for (std::size_t k = 0; k < pairs; ++k) {
    const std::span from = std::span(leaving_cells).subspan(k * marginals_, marginals_);
    const std::span to = std::span(entering_cells).subspan(k * marginals_, marginals_);
    if (kernels::SwapGain(cells, from, to) < kLeastGain) continue;
    kernels::Swap(cells, from, to);
    swapped.emplace_back(leaving[k], entering[k]);
  }
  Exchange(swapped, parallel);
  return swapped.size();
}

void SwapBlock::Exchange(std::span<const Pair> pairs, Parallel& parallel) {
  for (const auto& [row, spare] : pairs) std::swap(row_at_[row], row_at_[spare]);
  parallel.For(marginals_, [&](std::size_t i, int) {
    const std::span cells = std::span(cell_).subspan(i * places(), places());
    for (const auto& [row, spare] : pairs) std::swap(cells[row], cells[spare]);
  });
}

Table SwapBlock::Rows() const {
  std::vector<CodeColumn> columns;
  const std::size_t rows = rows_.rows();
  const Domain& domain = rows_.domain();
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    CodeColumn& column = columns.emplace_back(MakeCodeColumn(domain[attribute].size, rows));
    std::visit(
        [&](auto& codes) {
          using Codes = std::span<const typename std::decay_t<decltype(codes)>::value_type>;
          const auto drawn = std::get<Codes>(rows_.column(attribute));
          const auto spare = std::get<Codes>(spare_.column(attribute));
          for (std::size_t i = 0; i < rows; ++i) {
            codes[i] = row_at_[i] < rows ? drawn[row_at_[i]] : spare[row_at_[i] - rows];
          }
        },
        column);
  }
  return Table::FromColumns(domain, std::move(columns));
}

}  // namespace flaim
