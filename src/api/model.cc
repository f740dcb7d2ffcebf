#include "flaim/model.h"

#include <cmath>
#include <utility>

#include "api/answer.h"
#include "api/error.h"
#include "api/model_parts.h"
#include "app/request/value_match.h"
#include "app/synthesis.h"
#include "base/status.h"
#include "io/byte_sink.h"
#include "model/inference/condition.h"

namespace flaim::api {
namespace {

bool IsPrivate(const FitReport& report) { return report.noise == "secure" && !report.derived_from_private_rows; }

absl::StatusOr<std::uint64_t> WriteRows(const flaim::Model& model, const Schema& schema, const std::string& path,
                                        const SampleRequest& request) {
  const std::uint64_t rows = request.rows.value_or(static_cast<std::uint64_t>(std::llround(model.total())));
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(path));
  const std::unique_ptr<RandomSource> for_values = RandomnessForValues(request.seed);
  const std::unique_ptr<RowWriter> writer = ValueWriter(*sink, schema, *for_values);
  SynthesisRequest synthesis;
  synthesis.rows = rows;
  synthesis.seed = request.seed;
  Parallel parallel(Parallel::HardwareThreads());
  RETURN_IF_ERROR(Synthesise(model, synthesis, parallel, *writer, [](std::uint64_t) { return absl::OkStatus(); }));
  return rows;
}

absl::StatusOr<std::uint64_t> SampleFrom(const ModelFile& file, const std::string& path, const SampleRequest& request) {
  if (request.where.empty()) return WriteRows(file.model, file.schema, path, request);
  Parallel parallel(Parallel::HardwareThreads());
  ASSIGN_OR_RETURN(const std::vector<Evidence> evidence, ParseConditions(file.schema, request.where));
  ASSIGN_OR_RETURN(const flaim::Model restricted, Condition(file.model, evidence, parallel));
  return WriteRows(restricted, file.schema, path, request);
}

}  // namespace

Model::Model(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Result<Model> Model::Load(const std::string& path) {
  Parallel parallel(Parallel::HardwareThreads());
  absl::StatusOr<ModelFile> file = ReadModelFile(path, {}, parallel);
  if (!file.ok()) return ErrorOf(file.status());
  return Model(std::make_unique<Parts>(Parts{*std::move(file)}));
}

Result<std::string> Model::Save(const std::string& path) const {
  const ModelFile& file = parts_->file;
  const absl::Status status = WriteModelFile(path, file.schema, file.report, file.model);
  if (!status.ok()) return ErrorOf(status);
  return path;
}

double Model::epsilon() const { return parts_->file.report.epsilon; }
double Model::delta() const { return parts_->file.report.delta; }
bool Model::is_private() const { return IsPrivate(parts_->file.report); }
double Model::records() const { return parts_->file.model.total(); }

std::vector<std::string> Model::columns() const {
  std::vector<std::string> names;
  for (const flaim::Attribute& attribute : parts_->file.model.domain().attributes()) names.push_back(attribute.name);
  return names;
}

Result<std::vector<double>> Model::Marginal(const std::vector<std::string>& columns) const {
  return ResultOf(MarginalOf(parts_->file.model, columns));
}

Result<std::uint64_t> Model::Sample(const std::string& path, const SampleRequest& request) const {
  return ResultOf(SampleFrom(parts_->file, path, request));
}

}  // namespace flaim::api
