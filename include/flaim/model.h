#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flaim/result.h"

namespace flaim::api {

struct SampleRequest {
  // As many as the model estimates there are, if not said.
  std::optional<std::uint64_t> rows;
  // "sex=F", "age=30..40": only such rows. Several for one column: any of them; several columns: all must hold.
  std::vector<std::string> where;
  // The same rows each time, harmless to privacy; otherwise new ones.
  std::optional<std::uint64_t> seed;
};

// What was learnt of a private table under differential privacy, with the public schema of its columns. Everything that
// is asked of it follows from released numbers and costs nothing. Immutable; safe to use from many threads.
class Model {
 public:
  // The file that Save or `flaim fit` wrote.
  static Result<Model> Load(const std::string& path);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // Replaces an existing file only by a complete one. Returns how the file is called.
  Result<std::string> Save(const std::string& path) const;

  // The promise: (epsilon, delta)-differential privacy for adding or removing one record.
  double epsilon() const;
  double delta() const;
  // False if noise came from a seed, or values of the schema from the rows: then nothing is promised.
  bool is_private() const;
  // The number of records of the table, as estimated.
  double records() const;
  std::vector<std::string> columns() const;

  // The joint distribution of these columns, over the codes of their values: row-major, the columns in the order of
  // columns(), whatever the order here. Sums to 1. Refuses a column that there is not.
  Result<std::vector<double>> Marginal(const std::vector<std::string>& columns) const;

  // Draws rows into a CSV file; "-" is standard output. Returns how many. Streams: memory does not grow with the rows.
  Result<std::uint64_t> Sample(const std::string& path, const SampleRequest& request = {}) const;

  struct Parts;
  explicit Model(std::unique_ptr<Parts> parts);
  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace flaim::api
