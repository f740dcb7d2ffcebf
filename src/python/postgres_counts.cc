#include "python/postgres_counts.h"

#include <algorithm>

#include "python/clique_arguments.h"
#include "python/numpy_arrays.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;

Clique CliqueOf(const Domain& domain, const std::vector<std::string>& names) {
  std::vector<AttributeIndex> attributes;
  for (const std::string& name : names) {
    const auto found = std::find_if(domain.attributes().begin(), domain.attributes().end(),
                                    [&](const Attribute& attribute) { return attribute.name == name; });
    attributes.push_back(static_cast<AttributeIndex>(found - domain.attributes().begin()));
  }
  return python::CliqueOf(domain, attributes);
}

}  // namespace

absl::Status PythonSnapshot::StartCopy(const std::string& statement, GoOn) {
  try {
    lines_ = nb::iter(copy_(nb::str(statement.data(), statement.size())));
    return absl::OkStatus();
  } catch (nb::python_error& error) {
    return Failed(error);
  }
}

absl::StatusOr<std::string_view> PythonSnapshot::NextCopiedLine() {
  try {
    line_ = nb::steal(PyIter_Next(lines_.ptr()));
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    if (!line_.is_valid()) return std::string_view();
    const auto bytes = nb::cast<nb::bytes>(line_);
    return std::string_view(bytes.c_str(), bytes.size());
  } catch (nb::python_error& error) {
    return Failed(error);
  }
}

absl::Status PythonSnapshot::Failed(nb::python_error& error) {
  error_->emplace(std::move(error));
  Close();
  return absl::AbortedError("counting failed in Python");
}

PostgresCountsOfPython::PostgresCountsOfPython(const Schema& schema, const PostgresSource& source, nb::callable copy)
    : error_(std::make_shared<PythonSnapshot::Error>()) {
  NoProgress progress;
  auto snapshot = std::make_unique<PythonSnapshot>(std::move(copy), error_);
  PostgresTable table = Unwrap(PostgresTable::Create(std::move(snapshot), source, schema));
  absl::StatusOr<std::unique_ptr<PostgresCounts>> counts =
      PostgresCounts::Open(std::move(table), schema, UnfitRule::kRefuse, progress);
  RaiseIfFailed();
  counts_ = Unwrap(std::move(counts));
}

nb::list PostgresCountsOfPython::Count(const std::vector<std::vector<std::string>>& cliques) {
  const Domain& domain = counts_->domain();
  std::vector<Clique> wanted;
  for (const std::vector<std::string>& names : cliques) wanted.push_back(CliqueOf(domain, names));
  Parallel alone(1);
  absl::StatusOr<CliqueCounts> counted = counts_->Count(wanted, alone);
  RaiseIfFailed();
  const CliqueCounts counts = Unwrap(std::move(counted));
  nb::list result;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    result.append(ToNumpy(std::vector<std::int64_t>(counts[i].begin(), counts[i].end()), ShapeOf(domain, wanted[i])));
  }
  return result;
}

void PostgresCountsOfPython::RaiseIfFailed() {
  if (!error_->has_value()) return;
  nb::python_error error = *std::exchange(*error_, std::nullopt);
  throw error;
}

}  // namespace flaim::python
