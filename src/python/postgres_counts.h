#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rows/postgres/counts.h"

namespace flaim::python {

// A snapshot that Python holds, of the package psycopg: copy(statement) yields the lines that COPY ... TO STDOUT
// writes, as bytes. So the extension module carries no libpq. To be used with the interpreter's lock.
class PythonSnapshot final : public PostgresSnapshot {
 public:
  using Error = std::optional<nanobind::python_error>;

  // What the callable raises is left in `error`.
  PythonSnapshot(nanobind::callable copy, std::shared_ptr<Error> error)
      : copy_(std::move(copy)), error_(std::move(error)) {}

  absl::Status StartCopy(const std::string& statement, GoOn go_on) override;
  absl::StatusOr<std::string_view> NextCopiedLine() override;
  void Close() override { lines_.reset(); }

 private:
  absl::Status Failed(nanobind::python_error& error);

  nanobind::callable copy_;
  std::shared_ptr<Error> error_;
  nanobind::object lines_;
  nanobind::object line_;
};

// The counts of the command line (PostgresCounts), over a connection that Python made. What Python raised goes on to
// the caller.
class PostgresCountsOfPython {
 public:
  PostgresCountsOfPython(const Schema& schema, const PostgresSource& source, nanobind::callable copy);

  // An array in the shape of each clique, whose columns are named in the schema's order.
  nanobind::list Count(const std::vector<std::vector<std::string>>& cliques);

 private:
  void RaiseIfFailed();

  std::shared_ptr<PythonSnapshot::Error> error_;
  std::unique_ptr<PostgresCounts> counts_;
};

}  // namespace flaim::python
