#include "python/row_columns.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/array_view.h"
#include "arrow/stream_reader.h"
#include "arrow/values.h"
#include "python/numpy_arrays.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;

// One column, batch after batch.
struct Collected {
  ArrowField field;
  ArrowType stored;  // of a dictionary, that of the indices
  std::vector<std::uint8_t> bits;
  std::vector<std::int32_t> small;
  std::vector<std::int64_t> whole;
  std::vector<double> reals;
  std::vector<std::uint8_t> missing;
  bool has_missing = false;
};

void Collect(const ArrayView& view, Collected& column) {
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    const bool is_missing = view.IsNull(row);
    column.missing.push_back(is_missing ? 1 : 0);
    column.has_missing |= is_missing;
    switch (view.type().kind) {
      case ArrowKind::kBoolean:
        column.bits.push_back(view.LoadBit(row) ? 1 : 0);
        break;
      case ArrowKind::kInt32:
      case ArrowKind::kDate32:
        column.small.push_back(view.Load<std::int32_t>(row));
        break;
      case ArrowKind::kFloat64:
        column.reals.push_back(view.Load<double>(row));
        break;
      default:
        column.whole.push_back(view.Load<std::int64_t>(row));
    }
  }
}

nb::object ValuesOf(Collected& column) {
  const std::size_t rows = column.missing.size();
  switch (column.stored.kind) {
    case ArrowKind::kBoolean:
      return ToNumpy(std::move(column.bits), {rows});
    case ArrowKind::kInt32:
    case ArrowKind::kDate32:
      return ToNumpy(std::move(column.small), {rows});
    case ArrowKind::kFloat64:
      return ToNumpy(std::move(column.reals), {rows});
    default:
      return ToNumpy(std::move(column.whole), {rows});
  }
}

}  // namespace

nb::list NumpyColumns(const ArrowRows& rows) {
  std::vector<Collected> columns;
  {
    const nb::gil_scoped_release released;
    ArrowArrayStream stream{};
    rows.Export(stream);
    StreamReader reader = Unwrap(StreamReader::Open(stream));
    for (std::size_t i = 0; i < reader.names().size(); ++i) {
      Collected& column = columns.emplace_back();
      column.field = Unwrap(reader.FieldOf(i));
      column.stored = column.field.indices.value_or(column.field.values);
    }
    while (Unwrap(reader.Next())) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        Collect(Unwrap(ArrayView::Create(reader.column(i), columns[i].stored, reader.first_row(), reader.rows())),
                columns[i]);
      }
    }
  }
  nb::list result;
  for (Collected& column : columns) {
    const std::size_t count = column.missing.size();
    nb::object values = ValuesOf(column);
    nb::object missing = nb::none();
    if (column.has_missing) missing = ToNumpy(std::move(column.missing), {count});
    result.append(nb::make_tuple(column.field.name, values, missing));
  }
  return result;
}

}  // namespace flaim::python
