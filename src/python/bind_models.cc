#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <utility>
#include <variant>

#include "app/request/value_match.h"
#include "app/synthesis.h"
#include "data/rows/row_writer.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "model/file/model_file.h"
#include "model/inference/condition.h"
#include "model/sampling/row_swaps.h"
#include "python/bindings.h"
#include "python/bound_model.h"
#include "python/bound_rows.h"
#include "python/interruption.h"
#include "python/numpy_arrays.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using CodeRows = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Clique CliqueOf(const Model& model, const std::vector<AttributeIndex>& attributes) {
  for (const AttributeIndex attribute : attributes) {
    if (attribute < 0 || attribute >= model.domain().size()) throw nb::index_error("no such attribute");
  }
  return Clique(attributes);
}

std::vector<std::size_t> ShapeOf(const Domain& domain, const Clique& clique) {
  std::vector<std::size_t> shape;
  for (const AttributeIndex attribute : clique) shape.push_back(static_cast<std::size_t>(domain[attribute].size));
  return shape;
}

nb::object Marginal(const BoundModel& bound, const std::vector<AttributeIndex>& attributes) {
  const Clique clique = CliqueOf(*bound.model, attributes);
  std::vector<double> answer;
  {
    const nb::gil_scoped_release released;
    answer = bound.model->Query().Answer(clique);
  }
  return ToNumpy(std::move(answer), ShapeOf(bound.model->domain(), clique));
}

nb::object LogDensity(const BoundModel& bound, const CodeRows& codes) {
  const Domain& domain = bound.model->domain();
  const auto width = static_cast<std::size_t>(domain.size());
  if (codes.shape(1) != width) throw nb::value_error("a row needs one code for each attribute of the model");
  std::vector<double> densities(codes.shape(0));
  {
    const nb::gil_scoped_release released;
    for (std::size_t row = 0; row < densities.size(); ++row) {
      const std::span<const std::uint32_t> record(codes.data() + row * width, width);
      for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
        if (record[static_cast<std::size_t>(attribute)] >= domain[attribute].size) {
          throw StatusException(absl::InvalidArgumentError(
              fmt::format("a code of column {} is not below {}", domain[attribute].name, domain[attribute].size)));
        }
      }
      densities[row] = bound.model->LogDensity(record);
    }
  }
  const std::size_t rows = densities.size();
  return ToNumpy(std::move(densities), {rows});
}

using NamesAndSizes = std::vector<std::pair<std::string, std::int64_t>>;

NamesAndSizes NamesAndSizesOf(const Domain& domain) {
  NamesAndSizes result;
  for (const auto& [name, size] : domain.attributes()) result.emplace_back(name, size);
  return result;
}

// For each column with bins, the codes in each of them; None for a model over values.
nb::object BinsOf(const BoundModel& bound) {
  if (bound.model->levels() == nullptr) return nb::none();
  const Bins& bins = bound.model->levels()->bins();
  nb::dict result;
  for (AttributeIndex attribute = 0; attribute < bins.values().size(); ++attribute) {
    if (!bins.HasBins(attribute)) continue;
    result[nb::cast(bins.values()[attribute].name)] = nb::cast(bins.ValuesByBin(attribute));
  }
  return result;
}

std::vector<std::vector<AttributeIndex>> CliquesOf(const BoundModel& bound) {
  std::vector<std::vector<AttributeIndex>> result;
  for (const JunctionTree::Node& node : bound.model->tree().nodes()) result.push_back(node.clique.attributes());
  return result;
}

nb::dict ReportOf(const BoundFit& fit) {
  const FitReport& report = fit.report;
  nb::dict result;
  result["algorithm"] = report.algorithm;
  result["epsilon"] = report.epsilon;
  result["delta"] = report.delta;
  result["rho"] = report.rho;
  result["rho_spent"] = report.rho_spent;
  result["adjacency"] = report.adjacency;
  result["noise"] = report.noise;
  result["schema_is_private"] = !report.derived_from_private_rows;
  result["rounds"] = report.rounds;
  result["iterations"] = report.quality.iterations;
  result["loss"] = report.quality.loss;
  result["gap"] = report.quality.gap;
  result["confidence"] = report.confidence;
  return result;
}

// (attributes, is measured, distance in records)
nb::list BoundsOf(const BoundFit& fit) {
  nb::list result;
  for (const ErrorBound& bound : fit.report.bounds) {
    result.append(nb::make_tuple(bound.clique.attributes(), bound.is_measured, bound.distance_records));
  }
  return result;
}

// (attributes, values with an axis for each attribute, variance)
nb::list MeasurementsOf(const BoundFit& fit) {
  nb::list result;
  for (const Measurement& measurement : fit.report.measurements) {
    const Levels* levels = fit.model->levels();
    const bool is_over_bins = levels != nullptr && levels->IsOverBins(measurement.clique, measurement.values.size());
    const std::vector<std::size_t> shape =
        ShapeOf(is_over_bins ? levels->bins().bins() : fit.model->domain(), measurement.clique);
    result.append(nb::make_tuple(measurement.clique.attributes(),
                                 ToNumpy(std::vector<double>(measurement.values), shape), measurement.variance));
  }
  return result;
}

BoundFit FromFile(ModelFile file) {
  return {std::make_shared<const Model>(std::move(file.model)), std::move(file.schema), std::move(file.report)};
}

BoundFit Load(const std::string& path) {
  const nb::gil_scoped_release released;
  Parallel parallel(Parallel::HardwareThreads());
  return FromFile(Unwrap(ReadModelFile(path, {}, parallel)));
}

void Save(const BoundFit& fit, const std::string& path) {
  const nb::gil_scoped_release released;
  ThrowIfError(WriteModelFile(path, fit.schema, fit.report, *fit.model));
}

nb::bytes ToBytes(const BoundFit& fit) {
  std::string content;
  {
    const nb::gil_scoped_release released;
    const std::unique_ptr<ByteSink> sink = StringSink("model", &content);
    ThrowIfError(WriteModel(fit.schema, fit.report, *fit.model, *sink));
  }
  return nb::bytes(content.data(), content.size());
}

BoundFit FromBytes(const nb::bytes& bytes) {
  std::string content(bytes.c_str(), bytes.size());
  const nb::gil_scoped_release released;
  Parallel parallel(1);
  const std::unique_ptr<ByteSource> source = StringSource("model", std::move(content));
  return FromFile(Unwrap(ReadModel(*source, {}, parallel)));
}

// The workload that rows are swapped for, in words ("" for what suits the domain) or as columns; None for no swapping.
using SwapArgument = std::optional<std::variant<std::string, std::vector<std::vector<std::string>>>>;

std::optional<std::vector<Clique>> SwapsFor(const Domain& domain, const SwapArgument& swap) {
  if (!swap) return std::nullopt;
  if (const auto* words = std::get_if<std::string>(&*swap)) return Unwrap(SwapCliquesFor(domain, *words));
  const auto& columns = std::get<std::vector<std::vector<std::string>>>(*swap);
  return Unwrap(SwapCliquesFor(domain, Unwrap(Workload::FromNames(domain, columns))));
}

// What is drawn, as the arguments of Python have it.
struct Draw {
  const BoundFit& fit;
  std::optional<std::uint64_t> rows;
  const std::vector<std::string>& where;
  const std::string& method;
  std::optional<std::uint64_t> seed;
  const SwapArgument& swap;
};

SamplingMethod MethodNamed(const std::string& name) {
  if (name == "rounded") return SamplingMethod::kRounded;
  if (name == "exact") return SamplingMethod::kExact;
  throw nb::value_error(
      "method is 'rounded' (marginals closer to the model than chance) or 'exact' (independent rows)");
}

std::shared_ptr<const Model> Restricted(const BoundFit& fit, const std::vector<std::string>& where) {
  if (where.empty()) return fit.model;
  const std::vector<Evidence> evidence = Unwrap(ParseConditions(fit.schema, where));
  Parallel parallel(Parallel::HardwareThreads());
  return std::make_shared<const Model>(Unwrap(Condition(*fit.model, evidence, parallel)));
}

// Without the interpreter's lock, which the caller must hold.
void WriteDrawn(const Draw& draw, RowWriter& writer) {
  Interruption interruption;
  absl::Status status;
  const SamplingMethod method = MethodNamed(draw.method);
  {
    const nb::gil_scoped_release released;
    const std::shared_ptr<const Model> model = Restricted(draw.fit, draw.where);
    const std::uint64_t rows = draw.rows ? *draw.rows : static_cast<std::uint64_t>(std::llround(model->total()));
    const SynthesisRequest request{
        .rows = rows, .method = method, .seed = draw.seed, .swaps = SwapsFor(model->domain(), draw.swap)};
    Parallel parallel(Parallel::HardwareThreads(), interruption.Question());
    status = Synthesise(*model, request, parallel, writer, [&](std::uint64_t) {
      return interruption.Requested() ? absl::CancelledError("interrupted") : absl::OkStatus();
    });
  }
  interruption.RaiseIfRequested();
  ThrowIfError(status);
}

BoundRows DrawRows(const BoundFit& fit, std::optional<std::uint64_t> rows, const std::vector<std::string>& where,
                   const std::string& method, std::optional<std::uint64_t> seed, const SwapArgument& swap) {
  BoundRows drawn{std::make_shared<const Schema>(fit.schema), RandomnessForValues(seed), nullptr};
  drawn.rows = ArrowWriter(*drawn.schema, *drawn.values);
  WriteDrawn({fit, rows, where, method, seed, swap}, *drawn.rows);
  return drawn;
}

void WriteCsv(const BoundFit& fit, const std::string& path, std::optional<std::uint64_t> rows,
              const std::vector<std::string>& where, const std::string& method, std::optional<std::uint64_t> seed,
              const SwapArgument& swap) {
  const std::unique_ptr<ByteSink> sink = Unwrap(CreateFile(path));
  const std::unique_ptr<RandomSource> values = RandomnessForValues(seed);
  const std::unique_ptr<RowWriter> writer = ValueWriter(*sink, fit.schema, *values);
  WriteDrawn({fit, rows, where, method, seed, swap}, *writer);
}

// Rows of codes, without a schema: for models that were made from measurements alone.
Table DrawCodes(const BoundModel& bound, std::size_t rows, const std::string& method, std::optional<std::uint64_t> seed,
                const SwapArgument& swap) {
  const SamplingMethod sampling = MethodNamed(method);
  const nb::gil_scoped_release released;
  const std::unique_ptr<RandomSource> random = RandomnessForRows(seed);
  if (std::optional<std::vector<Clique>> cliques = SwapsFor(bound.model->domain(), swap)) {
    Parallel parallel(Parallel::HardwareThreads());
    return Unwrap(DrawSwappedRows(*bound.model,
                                  {.rows = rows, .method = sampling, .cliques = *std::move(cliques), .options = {}},
                                  *random, parallel));
  }
  RowSampler sampler(*bound.model, sampling);
  std::vector<Table> batches;
  ThrowIfError(StreamRows(sampler, rows, *random, [&](const Table& batch) {
    batches.push_back(batch);
    return absl::OkStatus();
  }));
  return Table::Concatenate(bound.model->domain(), batches);
}

}  // namespace

void BindModels(nb::module_& module) {
  nb::class_<BoundModel>(module, "Model", "A distribution over records, and a number of records.")
      .def_prop_ro(
          "domain", [](const BoundModel& bound) { return NamesAndSizesOf(bound.model->domain()); },
          "Name and number of codes of each attribute.")
      .def_prop_ro(
          "tree_domain", [](const BoundModel& bound) { return NamesAndSizesOf(bound.model->tree().domain()); },
          "The same of the junction tree and its potentials: bins, where there are some, for codes.")
      .def_prop_ro("bins", &BinsOf, "The codes in each bin, of each column that has bins.",
                   nb::sig("def bins(self) -> dict[str, list[list[int]]] | None"))
      .def_prop_ro("cliques", &CliquesOf, "The attributes of each node of the junction tree.")
      .def_prop_ro("total", [](const BoundModel& bound) { return bound.model->total(); })
      .def_prop_ro("log_partition", [](const BoundModel& bound) { return bound.model->log_partition(); })
      .def_prop_ro("cells", [](const BoundModel& bound) { return bound.model->tree().cells(); })
      .def("marginal", &Marginal, "attributes"_a, "Probabilities over sorted attributes, row-major.")
      .def("log_density", &LogDensity, "codes"_a, "log P of each row of codes.")
      .def("sample_codes", &DrawCodes, "rows"_a, "method"_a = "rounded", "seed"_a = nb::none(), "swap"_a = nb::none(),
           "A table of synthetic rows, as codes.");
  nb::class_<BoundFit>(module, "FittedModel", "What a model file holds: model, schema and report.")
      .def_static("load", &Load, "path"_a)
      .def_static("from_bytes", &FromBytes, "content"_a)
      .def("save", &Save, "path"_a)
      .def("to_bytes", &ToBytes)
      .def_prop_ro("model", [](const BoundFit& fit) { return BoundModel{fit.model}; })
      .def_prop_ro("schema", [](const BoundFit& fit) { return fit.schema; })
      .def_prop_ro("report", &ReportOf)
      .def_prop_ro("bounds", &BoundsOf)
      .def_prop_ro("measurements", &MeasurementsOf)
      .def("draw", &DrawRows, "rows"_a.none(), "where"_a, "method"_a, "seed"_a.none(), "swap"_a.none())
      .def("write_csv", &WriteCsv, "path"_a, "rows"_a.none(), "where"_a, "method"_a, "seed"_a.none(), "swap"_a.none());
}

}  // namespace flaim::python
