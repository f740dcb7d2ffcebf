#include "model/inference/attachments.h"

#include <algorithm>
#include <utility>

namespace flaim {
namespace {

// Those of `wanted` that are in `order`, in that order.
std::vector<AttributeIndex> InOrderOf(std::span<const AttributeIndex> order, std::span<const AttributeIndex> wanted) {
  std::vector<AttributeIndex> result;
  std::copy_if(order.begin(), order.end(), std::back_inserter(result), [&](AttributeIndex attribute) {
    return std::find(wanted.begin(), wanted.end(), attribute) != wanted.end();
  });
  return result;
}

}  // namespace

Attachments::Attachments(const Domain& domain, std::span<const AttributeIndex> node_order,
                         std::vector<Member> members) {
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.order.size() < b.order.size(); });
  std::vector<std::vector<AttributeIndex>> inside;
  for (const Member& member : members) inside.push_back(InOrderOf(node_order, member.order));
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    int within = -1;
    for (std::size_t other = i + 1; other < members.size() && within < 0; ++other) {
      if (InOrderOf(inside[i], inside[other]) == inside[i]) within = static_cast<int>(other);
    }
    CellMap map(domain, within < 0 ? node_order : std::span<const AttributeIndex>(inside[within]), inside[i]);
    CellMap outside(domain, inside[i], members[i].order);
    const std::int64_t cells = map.target_cells();
    tables_.push_back({members[i].kind, members[i].offset, cells, begin, within, std::move(map),
                       inside[i] != members[i].order, std::move(outside)});
    begin += cells;
  }
  values_.resize(begin);
}

void Attachments::Load(std::span<const double> cliques, std::span<const double> separators) {
  for (const Table& table : tables_) {
    const double* source = (table.kind == Kind::kClique ? cliques : separators).data() + table.offset;
    const std::span<double> values = ValuesOf(table);
    if (table.is_permuted) {
      std::fill(values.begin(), values.end(), 0.0);
      kernels::AddFromTarget(table.outside, 0, values, source);
    } else {
      std::copy_n(source, table.cells, values.begin());
    }
  }
  for (const Table& table : tables_) {
    if (table.within < 0) continue;
    kernels::AddFromTarget(table.map, 0, ValuesOf(tables_[table.within]), values_.data() + table.begin);
  }
}

void Attachments::AddTo(std::int64_t first, std::span<double> cells) const {
  for (const Table& table : tables_) {
    if (table.within < 0) kernels::AddFromTarget(table.map, first, cells, values_.data() + table.begin);
  }
}

void Attachments::Clear() { std::fill(values_.begin(), values_.end(), 0.0); }

void Attachments::AddFrom(std::int64_t first, std::span<const double> cells) {
  for (const Table& table : tables_) {
    if (table.within < 0) kernels::AddToTarget(table.map, first, cells, values_.data() + table.begin);
  }
}

void Attachments::Store(std::span<double> cliques, std::span<double> separators) {
  for (std::size_t i = tables_.size(); i-- > 0;) {
    const Table& table = tables_[i];
    if (table.within >= 0) {
      kernels::AddToTarget(table.map, 0, ValuesOf(tables_[table.within]), values_.data() + table.begin);
    }
    double* destination = (table.kind == Kind::kClique ? cliques : separators).data() + table.offset;
    if (table.is_permuted) {
      std::fill_n(destination, table.cells, 0.0);
      kernels::AddToTarget(table.outside, 0, ValuesOf(table), destination);
    } else {
      std::copy_n(values_.begin() + table.begin, table.cells, destination);
    }
  }
}

}  // namespace flaim
