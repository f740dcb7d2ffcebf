#include "model/file/model_file.h"

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/file/model_envelope.h"
#include "model/file/model_header.h"

namespace flaim {
namespace {

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

absl::Status CheckValues(const Domain& domain, const Measurement& measurement) {
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, measurement.clique));
  if (std::ssize(measurement.values) != cells) {
    return InvalidArgument("the measurement of {} has {} values for {} cells", CliqueName(domain, measurement.clique),
                           measurement.values.size(), cells);
  }
  for (const double value : measurement.values) {
    if (!std::isfinite(value)) {
      return InvalidArgument("the measurement of {} has a value that is not finite",
                             CliqueName(domain, measurement.clique));
    }
  }
  return absl::OkStatus();
}

// What a measurement is over.
const Domain& DomainOf(bool is_over_bins, const ModelHeader& header) {
  return is_over_bins ? header.bins->bins() : header.schema.domain();
}

// The header of a file that can be read again, by the rules of reading.
absl::StatusOr<std::string> HeaderThatReads(const Schema& schema, const FitReport& report, const Model& model) {
  ASSIGN_OR_RETURN(std::string text, FormatModelHeader(schema, report, model));
  ASSIGN_OR_RETURN(const ModelHeader header, ParseModelHeader(text, kModelFileVersion));
  for (std::size_t i = 0; i < report.measurements.size(); ++i) {
    RETURN_IF_ERROR(CheckValues(DomainOf(header.is_over_bins[i], header), report.measurements[i]));
  }
  return text;
}

// Hands out a list of numbers from front to back, one table after another.
class NumberTables {
 public:
  explicit NumberTables(std::span<const double> numbers) : left_(numbers) {}

  absl::StatusOr<std::span<const double>> Next(const Domain& domain, const Clique& clique) {
    ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
    if (cells > std::ssize(left_)) {
      return InvalidArgument("the numbers end inside the table of {}", CliqueName(domain, clique));
    }
    const std::span<const double> table = left_.first(static_cast<std::size_t>(cells));
    left_ = left_.subspan(table.size());
    return table;
  }
  std::size_t left() const { return left_.size(); }

 private:
  std::span<const double> left_;
};

absl::StatusOr<Levels> TakeLevels(const Bins& bins, NumberTables& tables) {
  std::vector<std::vector<double>> shares(static_cast<std::size_t>(bins.values().size()));
  for (AttributeIndex attribute = 0; attribute < bins.values().size(); ++attribute) {
    if (!bins.HasBins(attribute)) continue;
    ASSIGN_OR_RETURN(const std::span<const double> of_values, tables.Next(bins.values(), Clique({attribute})));
    shares[static_cast<std::size_t>(attribute)].assign(of_values.begin(), of_values.end());
  }
  return Levels::Create(bins, std::move(shares));
}

absl::StatusOr<ModelFile> Unpack(ModelEnvelope envelope, const ModelLimits& limits, Parallel& parallel) {
  ASSIGN_OR_RETURN(ModelHeader header, ParseModelHeader(envelope.header, envelope.version));
  const Domain& domain = header.bins ? header.bins->bins() : header.schema.domain();
  NumberTables tables(envelope.numbers);
  for (const Clique& clique : header.cliques) RETURN_IF_ERROR(tables.Next(domain, clique).status());
  const std::size_t potentials = envelope.numbers.size() - tables.left();
  std::optional<Levels> levels;
  if (header.bins) {
    ASSIGN_OR_RETURN(levels, TakeLevels(*header.bins, tables));
  }
  for (std::size_t i = 0; i < header.report.measurements.size(); ++i) {
    Measurement& measurement = header.report.measurements[i];
    const Domain& measured = DomainOf(header.is_over_bins[i], header);
    ASSIGN_OR_RETURN(const std::span<const double> values, tables.Next(measured, measurement.clique));
    measurement.values.assign(values.begin(), values.end());
    RETURN_IF_ERROR(CheckValues(measured, measurement));
  }
  if (tables.left() > 0) return InvalidArgument("there are {} numbers too many", tables.left());
  envelope.numbers.resize(potentials);
  ASSIGN_OR_RETURN(Model model, Model::Create(domain, std::move(header.cliques), std::move(envelope.numbers),
                                              header.total, limits.max_cells, parallel));
  if (levels) model = std::move(model).WithLevels(*std::move(levels));
  return ModelFile{std::move(header.schema), std::move(header.report), std::move(model)};
}

}  // namespace

absl::Status WriteModel(const Schema& schema, const FitReport& report, const Model& model, ByteSink& sink) {
  const absl::StatusOr<std::string> header = HeaderThatReads(schema, report, model);
  if (!header.ok()) {
    return InvalidArgument("{}: is not written, because it could not be read again: {}", sink.name(),
                           MessageOf(header.status()));
  }
  std::vector<std::span<const double>> numbers = {model.potentials()};
  if (const Levels* levels = model.levels()) {
    for (AttributeIndex i = 0; i < model.domain().size(); ++i) numbers.emplace_back(levels->SharesOf(i));
  }
  for (const Measurement& measurement : report.measurements) numbers.emplace_back(measurement.values);
  RETURN_IF_ERROR(WriteEnvelope(*header, numbers, sink));
  return sink.Commit();
}

absl::StatusOr<ModelFile> ReadModel(ByteSource& source, const ModelLimits& limits, Parallel& parallel) {
  ASSIGN_OR_RETURN(ModelEnvelope envelope, ReadEnvelope(source, limits.max_bytes));
  absl::StatusOr<ModelFile> file = Unpack(std::move(envelope), limits, parallel);
  if (file.ok()) return file;
  if (absl::IsResourceExhausted(file.status())) {
    return ResourceExhausted("{}: {}; allow more memory", source.name(), MessageOf(file.status()));
  }
  return InvalidArgument(
      "{}: {}; the file is whole, so the program that wrote it made the mistake: fit the model again with flaim",
      source.name(), MessageOf(file.status()));
}

absl::Status WriteModelFile(const std::string& path, const Schema& schema, const FitReport& report,
                            const Model& model) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(path));
  return WriteModel(schema, report, model, *sink);
}

absl::StatusOr<ModelFile> ReadModelFile(const std::string& path, const ModelLimits& limits, Parallel& parallel) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  return ReadModel(*source, limits, parallel);
}

}  // namespace flaim
