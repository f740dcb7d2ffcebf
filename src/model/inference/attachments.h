#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/domain.h"
#include "model/kernels/cell_map.h"

namespace flaim {

// The smaller tables that a node of a junction tree reads and writes: cliques with potentials, and the separators with
// its children. A table that lies within another is folded into that one first, so that the node's own table, which is
// by far the largest, is walked over once for each maximal table instead of once for each table: measured cliques are
// mostly nested. Inside, every table has its attributes in the node's order, so that the innermost loops run along
// contiguous memory.
class Attachments {
 public:
  enum class Kind : std::uint8_t { kClique, kSeparator };
  struct Member {
    std::vector<AttributeIndex> order;  // memory order of the table
    Kind kind;
    std::int64_t offset;  // where its numbers lie among all cliques', or all separators'
  };

  // REQUIRES: every member's attributes are in node_order.
  Attachments(const Domain& domain, std::span<const AttributeIndex> node_order, std::vector<Member> members);

  // Reads every member's numbers and folds.
  void Load(std::span<const double> cliques, std::span<const double> separators);
  // After Load: cells[i] += the sum over all members, for cells [first, first + cells.size()) of the node.
  void AddTo(std::int64_t first, std::span<double> cells) const;

  // Sums out, in three steps: starts at zero; adds cells [first, first + cells.size()); writes every member's sums.
  void Clear();
  void AddFrom(std::int64_t first, std::span<const double> cells);
  void Store(std::span<double> cliques, std::span<double> separators);

 private:
  struct Table {
    Kind kind;
    std::int64_t offset;
    std::int64_t cells;
    std::int64_t begin;  // in values_
    int within;          // a later table that holds it, or -1 for the node's own
    CellMap map;         // from there
    bool is_permuted;    // outside, the attributes are in another order
    CellMap outside;     // from inside
  };

  std::span<double> ValuesOf(const Table& table) { return std::span(values_).subspan(table.begin, table.cells); }

  std::vector<Table> tables_;  // by number of attributes
  std::vector<double> values_;
};

}  // namespace flaim
