#include "python/python_counts.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <span>
#include <vector>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;

using Counts = nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu>;

std::string Name(const Domain& domain, const Clique& clique) { return QuoteForMessage(CliqueName(domain, clique)); }

nb::list NamesOf(const Domain& domain, std::span<const Clique> cliques) {
  nb::list result;
  for (const Clique& clique : cliques) {
    nb::list names;
    for (const AttributeIndex attribute : clique) names.append(domain[attribute].name);
    result.append(nb::tuple(names));
  }
  return result;
}

}  // namespace

absl::StatusOr<CliqueCounts> PythonCounts::Count(std::span<const Clique> cliques, Parallel&) {
  ASSIGN_OR_RETURN(CliqueCounts counts, CliqueCounts::Zero(domain_, cliques));
  std::vector<std::span<std::int64_t>> cells;
  for (std::size_t i = 0; i < cliques.size(); ++i) cells.push_back(counts.Mutable(i));
  RETURN_IF_ERROR(Ask(cliques, cells));
  return counts;
}

void PythonCounts::RaiseIfFailed() {
  if (!error_) return;
  nb::python_error error = *std::exchange(error_, std::nullopt);
  throw error;
}

absl::Status PythonCounts::Ask(std::span<const Clique> cliques, std::span<const std::span<std::int64_t>> cells) {
  const nb::gil_scoped_acquire lock;
  try {
    const nb::object answer = count_(NamesOf(domain_, cliques));
    if (!nb::isinstance<nb::sequence>(answer) || nb::len(answer) != cliques.size()) {
      return InvalidArgument("counts of {} marginals were asked for; the answer must be a list of as many arrays",
                             cliques.size());
    }
    for (std::size_t i = 0; i < cliques.size(); ++i) RETURN_IF_ERROR(Take(cliques[i], answer[i], cells[i]));
  } catch (nb::python_error& error) {
    error_.emplace(std::move(error));
    return absl::AbortedError("counting failed in Python");
  }
  return absl::OkStatus();
}

absl::Status PythonCounts::Take(const Clique& clique, nb::handle counts, std::span<std::int64_t> cells) {
  Counts array;
  constexpr bool kConvert = false;
  if (!nb::try_cast(counts, array, kConvert)) {
    return InvalidArgument("the counts of {} must be a contiguous numpy array of int64", Name(domain_, clique));
  }
  std::vector<std::size_t> shape;
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) shape.push_back(array.shape(axis));
  return given_.Take(clique, shape, std::span(array.data(), array.size()), cells);
}

}  // namespace flaim::python
