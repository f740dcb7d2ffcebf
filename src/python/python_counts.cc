#include "python/python_counts.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>

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

bool HasShapeOf(const Counts& counts, const Domain& domain, const Clique& clique, std::size_t cells) {
  if (counts.ndim() == 1) return counts.shape(0) == cells;
  if (counts.ndim() != clique.attributes().size()) return false;
  for (std::size_t i = 0; i < counts.ndim(); ++i) {
    if (counts.shape(i) != static_cast<std::size_t>(domain[clique.attributes()[i]].size)) return false;
  }
  return counts.size() == cells;
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
  if (!HasShapeOf(array, domain_, clique, cells.size())) {
    return InvalidArgument(
        "the counts of {} have another shape than the schema gives that marginal, which has {} cells",
        Name(domain_, clique), cells.size());
  }
  std::copy_n(array.data(), cells.size(), cells.begin());
  return CheckTotal(clique, cells);
}

absl::Status PythonCounts::CheckTotal(const Clique& clique, std::span<const std::int64_t> cells) {
  std::int64_t total = 0;
  for (const std::int64_t count : cells) {
    if (count < 0) return InvalidArgument("the counts of {} have a negative number", Name(domain_, clique));
    if (count > std::numeric_limits<std::int64_t>::max() - total) {
      return InvalidArgument("the counts of {} add up to more than 2^63", Name(domain_, clique));
    }
    total += count;
  }
  if (!total_) total_ = total;
  if (*total_ == total) return absl::OkStatus();
  return InvalidArgument(
      "the counts of {} add up to another number of records than those of other marginals; count all of them over the "
      "same rows, as of one moment, and do not leave out groups",
      Name(domain_, clique));
}

}  // namespace flaim::python
