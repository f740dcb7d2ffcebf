#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "arrow/array_view.h"
#include "arrow/c_data.h"
#include "arrow/owner.h"

namespace flaim {

// The record batches of a stream, one after the other. Messages of the library that makes them are passed on.
class StreamReader {
 public:
  // Takes the stream over. Refuses what is not a stream of tables.
  static absl::StatusOr<StreamReader> Open(ArrowArrayStream& stream);

  // Names of the columns, in the order of the batches.
  const std::vector<std::string_view>& names() const { return names_; }
  // Refuses a type that has no obvious text.
  absl::StatusOr<ArrowField> FieldOf(std::size_t column) const;

  // Moves to the next batch; false at the end.
  absl::StatusOr<bool> Next();

  // Of the current batch.
  std::int64_t rows() const { return batch_->length; }
  const ArrowArray& column(std::size_t column) const { return *batch_->children[column]; }
  // Where the rows of the batch begin in the arrays of its columns.
  std::int64_t first_row() const { return batch_->offset; }

 private:
  StreamReader() = default;
  absl::Status CheckSchema() const;
  absl::Status CheckBatch() const;
  absl::Status ErrorOf(int code, std::string_view what);

  ArrowOwner<ArrowArrayStream> stream_;
  ArrowOwner<ArrowSchema> schema_;
  ArrowOwner<ArrowArray> batch_;
  std::vector<std::string_view> names_;
};

}  // namespace flaim
