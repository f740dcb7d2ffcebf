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
#include "python/bindings.h"
#include "python/clique_arguments.h"
#include "python/code_arrays.h"
#include "python/interruption.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

// One array for each clique, all of them views of one piece of memory.
nb::list Count(const Table& table, const std::vector<AttributeList>& lists, int threads) {
  const std::vector<Clique> cliques = CliquesOf(table.domain(), lists);
  threads = CheckedThreads(threads);
  Interruption interruption;
  absl::StatusOr<CliqueCounts> counted = absl::UnknownError("not run");
  {
    const nb::gil_scoped_release released;
    Parallel parallel(threads == 0 ? Parallel::HardwareThreads() : threads, interruption.Question());
    counted = CountCliques(table, cliques, parallel);
  }
  interruption.RaiseIfRequested();
  auto counts = std::make_unique<CliqueCounts>(Unwrap(std::move(counted)));
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

nb::list CountCodes(const Domain& domain, const std::vector<CodeArray>& columns,
                    const std::vector<AttributeList>& cliques, int threads) {
  return Count(TableOfCodes(domain, columns), cliques, threads);
}

}  // namespace

void BindCounting(nb::module_& module) {
  module.def("count_table", &Count, "table"_a, "cliques"_a, "threads"_a,
             "How many rows fall into each cell of each clique, in sorted attribute order.");
  module.def("count_codes", &CountCodes, "domain"_a, "columns"_a, "cliques"_a, "threads"_a,
             "The same of columns of codes.");
}

}  // namespace flaim::python
