#include "model/file/model_file.h"

#include <cmath>
#include <memory>
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

// The header of a file that can be read again, by the rules of reading.
absl::StatusOr<std::string> HeaderThatReads(const Schema& schema, const FitReport& report, const Model& model) {
  ASSIGN_OR_RETURN(std::string header, FormatModelHeader(schema, report, model));
  RETURN_IF_ERROR(ParseModelHeader(header).status());
  for (const Measurement& measurement : report.measurements) RETURN_IF_ERROR(CheckValues(model.domain(), measurement));
  return header;
}

// Hands out a list of numbers from front to back, one table after another.
class NumberTables {
 public:
  NumberTables(const Domain& domain, std::span<const double> numbers) : domain_(domain), left_(numbers) {}

  absl::StatusOr<std::span<const double>> Next(const Clique& clique) {
    ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain_, clique));
    if (cells > std::ssize(left_)) {
      return InvalidArgument("the numbers end inside the table of {}", CliqueName(domain_, clique));
    }
    const std::span<const double> table = left_.first(static_cast<std::size_t>(cells));
    left_ = left_.subspan(table.size());
    return table;
  }
  std::size_t left() const { return left_.size(); }

 private:
  const Domain& domain_;
  std::span<const double> left_;
};

absl::StatusOr<ModelFile> Unpack(ModelEnvelope envelope, const ModelLimits& limits, Parallel& parallel) {
  ASSIGN_OR_RETURN(ModelHeader header, ParseModelHeader(envelope.header));
  const Domain& domain = header.schema.domain();
  NumberTables tables(domain, envelope.numbers);
  for (const Clique& clique : header.cliques) RETURN_IF_ERROR(tables.Next(clique).status());
  const std::size_t potentials = envelope.numbers.size() - tables.left();
  for (Measurement& measurement : header.report.measurements) {
    ASSIGN_OR_RETURN(const std::span<const double> values, tables.Next(measurement.clique));
    measurement.values.assign(values.begin(), values.end());
    RETURN_IF_ERROR(CheckValues(domain, measurement));
  }
  if (tables.left() > 0) return InvalidArgument("there are {} numbers too many", tables.left());
  envelope.numbers.resize(potentials);
  ASSIGN_OR_RETURN(Model model, Model::Create(domain, std::move(header.cliques), std::move(envelope.numbers),
                                              header.total, limits.max_cells, parallel));
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
