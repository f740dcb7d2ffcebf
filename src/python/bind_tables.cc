#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <variant>

#include "arrow/arrow_reader.h"
#include "arrow/export.h"
#include "base/status.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_toml.h"
#include "io/message_text.h"
#include "python/bindings.h"
#include "python/bound_rows.h"
#include "python/buffer_columns.h"
#include "python/code_arrays.h"
#include "python/interruption.h"
#include "python/numpy_arrays.h"
#include "python/row_columns.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

constexpr const char* kStreamCapsule = "arrow_array_stream";
constexpr const char* kSchemaCapsule = "arrow_schema";
constexpr const char* kArrayCapsule = "arrow_array";

nb::dict ToDict(const Domain& domain) {
  nb::dict sizes;
  for (const auto& [name, size] : domain.attributes()) sizes[nb::cast(name)] = size;
  return sizes;
}

nb::list NamesOf(const Domain& domain) {
  nb::list names;
  for (const Attribute& attribute : domain.attributes()) names.append(attribute.name);
  return names;
}

// What the columns of a schema are, for whoever gives rows a shape: one dict for each.
nb::list Describe(const Schema& schema) {
  nb::list columns;
  for (const Column& column : schema.columns()) {
    const ColumnType& type = column.spec().type;
    nb::dict described;
    described["name"] = column.name();
    described["type"] = std::string(NameOf(type));
    described["nullable"] = column.spec().nullable;
    described["missing"] = column.missing();
    if (const auto* categorical = std::get_if<CategoricalType>(&type)) {
      std::vector<std::string> values = categorical->spec().values;
      if (categorical->size() > values.size()) values.push_back(*categorical->spec().other);
      described["values"] = values;
    } else if (const auto* boolean = std::get_if<BooleanType>(&type)) {
      described["spellings"] =
          nb::make_tuple(boolean->spec().false_spellings.front(), boolean->spec().true_spellings.front());
    } else if (const auto* time = std::get_if<TimeType>(&type)) {
      described["format"] = time->spec().format;
    }
    columns.append(described);
  }
  return columns;
}

template <typename Structure>
Structure& FromCapsule(const nb::object& capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return *static_cast<Structure*>(pointer);
}

using NumberColumn = std::optional<std::string>;

// Calls read(options) without the interpreter's lock. Gives the table, and the numbers that were read alongside.
template <typename Read>
nb::tuple ReadWithoutLock(const std::string& unfit, const Read& read) {
  const UnfitRule rule = Unwrap(ParseUnfitRule(unfit));
  Interruption interruption;
  InterruptibleProgress progress(interruption);
  absl::StatusOr<TableWithNumbers> result = absl::UnknownError("not run");
  {
    const nb::gil_scoped_release released;
    result = read(TableReadOptions{.progress = &progress, .unfit = rule});
  }
  interruption.RaiseIfRequested();
  TableWithNumbers read_rows = Unwrap(std::move(result));
  const std::size_t numbers = read_rows.numbers.size();
  return nb::make_tuple(std::move(read_rows.table), ToNumpy(std::move(read_rows.numbers), {numbers}));
}

absl::StatusOr<TableWithNumbers> WithoutNumbers(absl::StatusOr<Table> table) {
  if (!table.ok()) return table.status();
  return TableWithNumbers{*std::move(table), {}};
}

nb::tuple ReadPath(const std::string& path, const Schema& schema, const NumberColumn& number_column,
                   const std::string& unfit) {
  return ReadWithoutLock(unfit, [&](const TableReadOptions& options) {
    if (number_column) return ReadTableWithNumbers(path, schema, *number_column, options);
    return WithoutNumbers(ReadTable(path, schema, options));
  });
}

nb::tuple ReadStream(ArrowArrayStream& stream, const Schema& schema, const NumberColumn& number_column,
                     const std::string& unfit) {
  return ReadWithoutLock(unfit, [&](const TableReadOptions& options) {
    if (number_column) return ReadArrowWithNumbers(stream, schema, *number_column, options);
    return WithoutNumbers(ReadArrow(stream, schema, options));
  });
}

nb::tuple ReadCapsule(const nb::object& capsule, const Schema& schema, const NumberColumn& number_column,
                      const std::string& unfit) {
  return ReadStream(FromCapsule<ArrowArrayStream>(capsule, kStreamCapsule), schema, number_column, unfit);
}

nb::tuple ReadArrayCapsules(const std::pair<nb::object, nb::object>& capsules, const Schema& schema,
                            const NumberColumn& number_column, const std::string& unfit) {
  ArrowArrayStream stream{};
  ExportStream(ArrowOwner<ArrowSchema>::TakeFrom(FromCapsule<ArrowSchema>(capsules.first, kSchemaCapsule)),
               ArrowOwner<ArrowArray>::TakeFrom(FromCapsule<ArrowArray>(capsules.second, kArrayCapsule)), stream);
  return ReadStream(stream, schema, number_column, unfit);
}

nb::tuple ReadColumns(const std::vector<BufferColumn>& columns, std::size_t rows, const Schema& schema,
                      const NumberColumn& number_column, const std::string& unfit) {
  ArrowArrayStream stream{};
  ThrowIfError(StreamOfBuffers(columns, rows, stream));
  return ReadStream(stream, schema, number_column, unfit);
}

// A read-only view that keeps the table's columns alive.
nb::object CodesOfColumn(const Table& table, const std::string& name) {
  const std::optional<AttributeIndex> attribute = table.domain().Find(name);
  if (!attribute) throw nb::key_error(name.c_str());
  const nb::capsule owner(new Table(table), [](void* kept) noexcept { delete static_cast<Table*>(kept); });
  return std::visit(
      [&](auto codes) {
        using Code = typename decltype(codes)::element_type;
        return nb::cast(nb::ndarray<nb::numpy, Code>(codes.data(), {codes.size()}, owner));
      },
      table.column(*attribute));
}

Table FromCodes(const std::vector<std::pair<std::string, std::int64_t>>& sizes, const std::vector<CodeArray>& arrays) {
  std::vector<Attribute> attributes;
  for (const auto& [name, size] : sizes) attributes.push_back({name, size});
  return TableOfCodes(Unwrap(Domain::Create(std::move(attributes))), arrays);
}

nb::object StreamCapsule(const BoundRows& bound) {
  auto stream = std::make_unique<ArrowArrayStream>();
  bound.rows->Export(*stream);
  PyObject* const capsule = PyCapsule_New(stream.get(), kStreamCapsule, [](PyObject* released) {
    auto* held = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(released, kStreamCapsule));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
  if (capsule == nullptr) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  stream.release();
  return nb::steal(capsule);
}

void BindSchema(nb::module_& module) {
  nb::class_<Schema>(
      module, "Schema",
      R"(What a table of rows looks like: its columns, the values that each can take, how missing values are written.

A schema is public: nothing in it may come from private rows. Immutable.)")
      .def_static(
          "load",
          [](const std::string& path) {
            if (path.find('\0') != std::string::npos) throw nb::value_error("a path cannot have a NUL in it");
            return Unwrap(LoadSchema(path));
          },
          "path"_a, "Reads a schema file, TOML or JSON: its content decides which.")
      .def_static(
          "parse", [](const std::string& text, const std::string& name) { return Unwrap(ParseSchema(text, name)); },
          "text"_a, "name"_a = "schema", "Reads a schema from text; `name` is for messages.")
      .def(
          "to_toml", [](const Schema& schema) { return FormatSchemaToml(schema); },
          "The schema as the text of a schema file.")
      .def_prop_ro(
          "columns", [](const Schema& schema) { return NamesOf(schema.domain()); },
          "Names of the columns that are kept, in order.")
      .def_prop_ro(
          "drop", [](const Schema& schema) { return schema.spec().drop; }, "Names of the columns that are left out.")
      .def_prop_ro(
          "domain", [](const Schema& schema) { return ToDict(schema.domain()); },
          "How many codes each column has, by name.")
      .def_prop_ro(
          "derived_from_private_rows", [](const Schema& schema) { return schema.spec().derived_from_private_rows; },
          "True when values or bounds were taken from private rows. Such a schema is not private.")
      .def("describe", &Describe, "Type, missing markers, values, spellings and format of each column, as dicts.")
      .def("__eq__",
           [](const Schema& schema, const nb::object& that) {
             return nb::isinstance<Schema>(that) && schema == nb::cast<const Schema&>(that);
           })
      .def("__hash__", [](const Schema& schema) { return nb::hash(nb::cast(FormatSchemaToml(schema))); })
      .def("__getstate__", [](const Schema& schema) { return FormatSchemaToml(schema); })
      .def("__setstate__",
           [](Schema& schema, const std::string& text) { new (&schema) Schema(Unwrap(ParseSchema(text, "schema"))); })
      .def("__repr__",
           [](const Schema& schema) { return nb::str("Schema(columns={!r})").format(NamesOf(schema.domain())); });
}

void BindTable(nb::module_& module) {
  nb::class_<Table>(
      module, "Table",
      R"(Rows as codes: small whole numbers that a schema gives the values. As private as the rows. Immutable.)")
      .def_prop_ro(
          "domain", [](const Table& table) { return ToDict(table.domain()); },
          "How many codes each column has, by name.")
      .def_prop_ro(
          "columns", [](const Table& table) { return NamesOf(table.domain()); }, "Names of the columns, in order.")
      .def_prop_ro("rows", &Table::rows, "The number of rows, which is private.")
      .def("codes", &CodesOfColumn, "column"_a,
           "The codes of one column: a read-only numpy view of the table's own memory, which stays valid after the "
           "table is gone.")
      .def("__repr__",
           [](const Table& table) { return nb::str("Table(columns={!r})").format(NamesOf(table.domain())); });
}

void BindRows(nb::module_& module) {
  nb::class_<BoundRows>(
      module, "Rows",
      R"(Synthetic rows as typed columns. Any Arrow library takes them as they are, without a copy: pyarrow.table(rows), polars.DataFrame(rows).)")
      .def(
          "__arrow_c_stream__", [](const BoundRows& rows, const nb::object&) { return StreamCapsule(rows); },
          "requested_schema"_a = nb::none(), "The rows as an Arrow PyCapsule stream. The requested schema is not used.")
      .def_prop_ro(
          "schema", [](const BoundRows& rows) { return *rows.schema; }, "The schema of the rows.")
      .def(
          "numpy_columns", [](const BoundRows& rows) { return NumpyColumns(*rows.rows); },
          "For each column (name, values, missing or None): numpy arrays, for callers without an Arrow library. "
          "Categories are codes, truth values bytes, dates days and times seconds since 1970.")
      .def("__repr__",
           [](const BoundRows& rows) { return nb::str("Rows(columns={!r})").format(NamesOf(rows.schema->domain())); });
}

}  // namespace

void BindTables(nb::module_& module) {
  BindSchema(module);
  BindTable(module);
  BindRows(module);
  nb::class_<BufferColumn>(module, "BufferColumn", "A column that lies in numpy arrays, as Arrow would have it.")
      .def(nb::init<std::string, std::string, std::variant<BufferColumn::Array, std::vector<std::string>>,
                    std::optional<BufferColumn::Array>, std::optional<BufferColumn>>(),
           "name"_a, "format"_a, "values"_a, "valid_bits"_a = nb::none(), "dictionary"_a = nb::none());
  module.def("table_from_codes", &FromCodes, "domain"_a, "codes"_a, "A table of codes, which are copied and checked.");
  module.def("read_path", &ReadPath, "path"_a, "schema"_a, "number_column"_a = nb::none(), "unfit"_a = "refuse",
             "The codes of a CSV file, plain or compressed, and the numbers of the number column.");
  module.def("read_arrow", &ReadCapsule, "stream"_a, "schema"_a, "number_column"_a = nb::none(), "unfit"_a = "refuse",
             "The same of the tables of an Arrow PyCapsule stream.");
  module.def("read_arrow_array", &ReadArrayCapsules, "capsules"_a, "schema"_a, "number_column"_a = nb::none(),
             "unfit"_a = "refuse", "The same of one table, from Arrow PyCapsules of its schema and its rows.");
  module.def("read_columns", &ReadColumns, "columns"_a, "rows"_a, "schema"_a, "number_column"_a = nb::none(),
             "unfit"_a = "refuse", "The same of columns that lie in numpy arrays.");
}

}  // namespace flaim::python
