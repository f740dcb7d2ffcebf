#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/fit_settings.h"
#include "base/status.h"
#include "data/schema/schema.h"
#include "io/message_text.h"
#include "marginal/completion.h"
#include "python/bindings.h"
#include "python/column_rule.h"
#include "python/numpy_arrays.h"
#include "python/postgres_counts.h"
#include "python/python_counts.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Texts = std::vector<std::optional<std::string>>;
using CliqueNames = std::vector<std::vector<std::string>>;
using WorkloadArgument = std::variant<std::string, CliqueNames>;

const Column& ColumnNamed(const Schema& schema, const std::string& name) {
  for (const Column& column : schema.columns()) {
    if (column.name() == name) return column;
  }
  throw StatusException(InvalidArgument("the schema has no column {}", QuoteForMessage(name)));
}

absl::StatusOr<std::uint32_t> EncodeText(const Schema& schema, const Column& column,
                                         const std::optional<std::string>& text, const std::string& place) {
  const auto refused = [&](std::string_view shown, EncodeOutcome outcome) {
    return InvalidArgument("{}column {}: {}", place.empty() ? "" : fmt::format("{}: ", place),
                           QuoteForMessage(column.name()), column.Explain(shown, outcome));
  };
  if (!text) {
    if (column.spec().nullable) return column.size() - 1;
    return refused(column.missing().empty() ? "" : column.missing().front(), EncodeOutcome::kMissing);
  }
  const std::string_view trimmed = schema.spec().trim_blanks ? TrimBlanks(*text) : std::string_view(*text);
  const Encoded encoded = column.Encode(trimmed);
  if (encoded.outcome != EncodeOutcome::kExact) return refused(trimmed, encoded.outcome);
  return encoded.code;
}

nb::object EncodeTexts(const Schema& schema, const std::string& name, const Texts& texts, const std::string& place) {
  const Column& column = ColumnNamed(schema, name);
  std::vector<std::uint32_t> codes;
  codes.reserve(texts.size());
  for (const std::optional<std::string>& text : texts) codes.push_back(Unwrap(EncodeText(schema, column, text, place)));
  return ToNumpy(std::move(codes), {texts.size()});
}

// A time in the column's own format; the text itself if it is no time, or one that the column cannot have.
std::string TimeText(const Schema& schema, const std::string& name, const std::string& iso) {
  const auto* type = std::get_if<TimeType>(&ColumnNamed(schema, name).spec().type);
  const std::optional<CalendarSeconds> time = ParseIso(iso);
  if (type == nullptr || !time) return iso;
  std::string text;
  type->format().Format(type->format().RoundDown(*time), text);
  return text;
}

nb::object BinsAsTuple(const ColumnRule& rule) {
  if (const auto* whole = std::get_if<Bins<std::int64_t>>(&rule.bins)) {
    return nb::make_tuple(whole->lowest, whole->highest);
  }
  if (const auto* real = std::get_if<Bins<double>>(&rule.bins)) return nb::make_tuple(real->lowest, real->highest);
  return nb::none();
}

nb::dict ColumnRuleAsDict(const Schema& schema, const std::string& name) {
  const Column& column = ColumnNamed(schema, name);
  const ColumnRule rule = RuleOf(column);
  nb::dict result;
  result["name"] = column.name();
  result["type"] = std::string(NameOf(column.spec().type));
  result["size"] = column.size();
  result["nullable"] = column.spec().nullable;
  result["clamp"] = column.spec().clamp;
  result["missing"] = column.missing();
  result["trim_blanks"] = schema.spec().trim_blanks;
  result["bins"] = BinsAsTuple(rule);
  result["texts"] = rule.texts;
  result["other_texts"] = rule.other_texts;
  result["missing_times"] = rule.missing_times;
  result["resolution_seconds"] = rule.resolution_seconds;
  return result;
}

std::vector<std::pair<std::string, std::int64_t>> ColumnSizes(const Schema& schema) {
  std::vector<std::pair<std::string, std::int64_t>> result;
  for (const Attribute& attribute : schema.domain().attributes()) result.emplace_back(attribute.name, attribute.size);
  return result;
}

// The candidates among which AIM selects, and the one-way marginals with which it begins.
CliqueNames RequiredCliques(const Schema& schema, const WorkloadArgument& argument,
                            std::optional<std::int64_t> model_cells) {
  FitRequest request;
  request.model_cells = model_cells;
  std::optional<Workload> listed;
  if (const auto* text = std::get_if<std::string>(&argument)) request.workload = *text;
  if (const auto* names = std::get_if<CliqueNames>(&argument)) {
    listed = Unwrap(Workload::FromNames(schema.domain(), *names));
  }
  const ModelSettings settings = Unwrap(MakeModelSettings(request, schema, std::move(listed)));
  std::vector<Clique> cliques;
  for (AttributeIndex attribute = 0; attribute < schema.domain().size(); ++attribute) {
    cliques.push_back(Clique({attribute}));
  }
  for (Clique& clique : Unwrap(Completion(settings.workload))) {
    if (clique.size() > 1) cliques.push_back(std::move(clique));
  }
  CliqueNames result;
  for (const Clique& clique : cliques) {
    result.emplace_back();
    for (const AttributeIndex attribute : clique) result.back().push_back(schema.domain()[attribute].name);
  }
  return result;
}

int Traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PythonCounts>(self)->callable().ptr());
  return 0;
}

int Clear(PyObject* self) {
  nb::inst_ptr<PythonCounts>(self)->Forget();
  return 0;
}

PyType_Slot collector_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(&Traverse)}, {Py_tp_clear, reinterpret_cast<void*>(&Clear)}, {0, nullptr}};

}  // namespace

void BindCounts(nb::module_& module) {
  nb::class_<PrivateRows>(module, "PrivateRows", "Whoever has the rows of one private table.");
  nb::class_<PythonCounts, PrivateRows>(module, "PythonCounts", nb::type_slots(collector_slots),
                                        "Counts that a callable brings: from cliques, lists of names, to arrays.")
      .def(
          "__init__",
          [](PythonCounts* self, const Schema& schema, nb::callable count) {
            new (self) PythonCounts(schema.domain(), std::move(count));
          },
          "schema"_a, "count"_a)
      .def("raise_if_failed", &PythonCounts::RaiseIfFailed, "Goes on with what the callable raised, if it did.");
  nb::class_<PostgresCountsOfPython>(module, "PostgresCounts",
                                     "Counts in PostgreSQL, over statements whose lines a callable brings.")
      .def(
          "__init__",
          [](PostgresCountsOfPython* self, const Schema& schema, const std::string& name, const std::string& source,
             const std::map<std::string, std::string>& types, nb::callable copy) {
            new (self) PostgresCountsOfPython(schema, {name, source, {types.begin(), types.end()}}, std::move(copy));
          },
          "schema"_a, "name"_a, "source"_a, "types"_a, "copy"_a)
      .def("count", &PostgresCountsOfPython::Count, "cliques"_a, "An array of int64 for each clique.");
  module.def(
      "postgres_opening_statements",
      [] { return std::vector<std::string>(kOpeningStatements.begin(), kOpeningStatements.end()); },
      "What begins a transaction that sees one moment and writes values as COPY does for everybody.");
  module.def("encode_texts", &EncodeTexts, "schema"_a, "column"_a, "texts"_a, "place"_a = "",
             "The codes of a column's texts; None is a missing value. `place` begins the message of a refusal.");
  module.def("time_text", &TimeText, "schema"_a, "column"_a, "iso"_a,
             "A date or time, ISO 8601, as the column's format writes it.");
  module.def("column_rule", &ColumnRuleAsDict, "schema"_a, "column"_a,
             "What another engine needs to know to compute the codes of a column by itself.");
  module.def("column_sizes", &ColumnSizes, "schema"_a, "Each column with its number of codes.");
  module.def("required_cliques", &RequiredCliques, "schema"_a, "workload"_a, "model_cells"_a.none(),
             "The marginals that a fit asks for.");
}

}  // namespace flaim::python
