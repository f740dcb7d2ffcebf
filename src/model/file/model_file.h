#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/schema/schema.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "model/estimation/fit_report.h"
#include "model/inference/model.h"

namespace flaim {

// A model as it is kept and passed on: with the schema, so that rows can be drawn without another file, and with the
// report of how it came about. Public values only; everything follows from released numbers and the public schema. The
// bytes are described in docs/MODEL_FILE.md.
struct ModelFile {
  Schema schema;
  FitReport report;
  Model model;
};

// What a file may ask for. A model needs about 8 bytes for each cell.
struct ModelLimits {
  std::int64_t max_bytes = std::int64_t{4} << 30;  // of the file
  std::int64_t max_cells = std::int64_t{1} << 28;  // of the junction tree
};

// Writes the file and makes it durable; equal values give equal bytes. An existing file is replaced only by a complete
// one (CreateFile in byte_sink.h). Refuses what could not be read again: a schema that is not of the model's domain, or
// derived from private rows without the report saying so; texts that are not UTF-8; NaN in the report; measurements
// that do not fit the domain or have values that are not finite.
absl::Status WriteModelFile(const std::string& path, const Schema& schema, const FitReport& report, const Model& model);

// Reads what WriteModelFile wrote: schema, report, cliques, potentials and total are equal, and the model is calibrated
// anew. A file compressed with gzip, xz or zstd is read too. Refuses everything else, and never believes a length, a
// count or a number before it is checked; messages name the file and say what to do.
//
// Does not cover: a file that somebody made on purpose can have a right checksum and any distribution, and can take
// long to calibrate within the limits.
absl::StatusOr<ModelFile> ReadModelFile(const std::string& path, const ModelLimits& limits, Parallel& parallel);

// The same for any sink, which is committed, and any source, which is read to its end.
absl::Status WriteModel(const Schema& schema, const FitReport& report, const Model& model, ByteSink& sink);
absl::StatusOr<ModelFile> ReadModel(ByteSource& source, const ModelLimits& limits, Parallel& parallel);

}  // namespace flaim
