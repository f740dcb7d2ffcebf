#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "arrow/c_data.h"

namespace flaim::python {

// A column that lies in numpy arrays, described as Arrow would: a format string, the values (numbers, packed bits for
// truth values, or texts), bits that are 1 for values that are there, and a dictionary if the values are indices.
struct BufferColumn {
  using Array = nanobind::ndarray<nanobind::ro, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

  BufferColumn(std::string column_name, std::string arrow_format, std::variant<Array, std::vector<std::string>> content,
               std::optional<Array> valid, std::optional<BufferColumn> of_indices);

  std::string name;
  std::string format;
  std::variant<Array, std::vector<std::string>> values;
  std::optional<Array> valid_bits;
  std::shared_ptr<const BufferColumn> dictionary;
};

// A stream of one table that refers to the arrays, which must outlive it. Refuses arrays that are too short.
absl::Status StreamOfBuffers(const std::vector<BufferColumn>& columns, std::size_t rows, ArrowArrayStream& out);

}  // namespace flaim::python
