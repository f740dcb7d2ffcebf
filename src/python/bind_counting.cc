#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.h"
#include "marginal/kernels/count.h"
#include "python/clique_arguments.h"
#include "python/engine_bindings.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

// False if a code is negative or not below `size`.
template <typename From, typename To>
bool Narrow(const AnyColumn& column, std::int64_t size, std::vector<To>& codes) {
  const From* data = static_cast<const From*>(column.data());
  const std::int64_t stride = column.stride(0);
  bool in_range = true;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    const From value = data[static_cast<std::int64_t>(row) * stride];
    in_range &= value >= From{0} && static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(size);
    codes[row] = static_cast<To>(value);
  }
  return in_range;
}

template <typename To>
bool NarrowAny(const AnyColumn& column, std::int64_t size, std::vector<To>& codes) {
  const nb::dlpack::dtype type = column.dtype();
  if (type == nb::dtype<std::uint8_t>()) return Narrow<std::uint8_t>(column, size, codes);
  if (type == nb::dtype<std::uint16_t>()) return Narrow<std::uint16_t>(column, size, codes);
  if (type == nb::dtype<std::uint32_t>()) return Narrow<std::uint32_t>(column, size, codes);
  if (type == nb::dtype<std::uint64_t>()) return Narrow<std::uint64_t>(column, size, codes);
  if (type == nb::dtype<std::int8_t>()) return Narrow<std::int8_t>(column, size, codes);
  if (type == nb::dtype<std::int16_t>()) return Narrow<std::int16_t>(column, size, codes);
  if (type == nb::dtype<std::int32_t>()) return Narrow<std::int32_t>(column, size, codes);
  if (type == nb::dtype<std::int64_t>()) return Narrow<std::int64_t>(column, size, codes);
  throw StatusException(InvalidArgument("codes are whole numbers; give arrays of an integer type"));
}

Table TableOf(const Domain& domain, const std::vector<AnyColumn>& columns) {
  if (columns.size() != static_cast<std::size_t>(domain.size())) {
    ThrowIfError(InvalidArgument("{} columns were given for a domain of {}", columns.size(), domain.size()));
  }
  std::vector<CodeColumn> codes;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    const AnyColumn& column = columns[static_cast<std::size_t>(attribute)];
    const auto& [name, size] = domain[attribute];
    if (column.shape(0) != columns.front().shape(0)) {
      ThrowIfError(InvalidArgument("column {} has another number of rows than the first", name));
    }
    codes.push_back(MakeCodeColumn(size, column.shape(0)));
    const std::int64_t below = size;
    if (!std::visit([&](auto& narrow) { return NarrowAny(column, below, narrow); }, codes.back())) {
      ThrowIfError(InvalidArgument("column {} has a code that is not in 0, ..., {}", name, size - 1));
    }
  }
  return Table::FromColumns(domain, std::move(codes));
}

// One array for each clique, all of them views of one piece of memory.
nb::list Count(const Table& table, const std::vector<AttributeList>& lists, int threads) {
  const std::vector<Clique> cliques = CliquesOf(table.domain(), lists);
  threads = CheckedThreads(threads);
  auto counts = [&] {
    const nb::gil_scoped_release released;
    Parallel parallel(threads == 0 ? Parallel::HardwareThreads() : threads);
    return std::make_unique<CliqueCounts>(Unwrap(CountCliques(table, cliques, parallel)));
  }();
  CliqueCounts& cells = *counts;
  const nb::capsule owner(counts.release(), [](void* pointer) noexcept { delete static_cast<CliqueCounts*>(pointer); });
  nb::list result;
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    const std::vector<std::size_t> shape = ShapeOf(table.domain(), cliques[i]);
    result.append(
        nb::ndarray<nb::numpy, std::int64_t>(cells.Mutable(i).data(), shape.size(), shape.data(), owner).cast());
  }
  return result;
}

nb::list CountCodes(const Domain& domain, const std::vector<AnyColumn>& columns,
                    const std::vector<AttributeList>& cliques, int threads) {
  return Count(TableOf(domain, columns), cliques, threads);
}

}  // namespace

void BindCounting(nb::module_& module) {
  module.def("count_table", &Count, "table"_a, "cliques"_a, "threads"_a,
             "How many rows fall into each cell of each clique, in sorted attribute order.");
  module.def("count_codes", &CountCodes, "domain"_a, "columns"_a, "cliques"_a, "threads"_a,
             "The same of columns of codes.");
}

}  // namespace flaim::python
