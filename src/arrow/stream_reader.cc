#include "arrow/stream_reader.h"

#include <system_error>
#include <utility>

#include "base/status.h"

namespace flaim {
namespace {

constexpr std::string_view kTableFormat = "+s";

absl::Status BrokenStream(std::string_view what) {
  return InvalidArgument("the Arrow stream is broken: {}; report it to the library that made it", what);
}

}  // namespace

absl::StatusOr<StreamReader> StreamReader::Open(ArrowArrayStream& stream) {
  StreamReader reader;
  reader.stream_ = ArrowOwner<ArrowArrayStream>::TakeFrom(stream);
  if (reader.stream_.is_released()) return InvalidArgument("the Arrow stream was read before; make a new one");
  const int error = reader.stream_->get_schema(&reader.stream_.get(), &reader.schema_.get());
  if (error != 0) return reader.ErrorOf(error, "the columns");
  RETURN_IF_ERROR(reader.CheckSchema());
  for (std::int64_t column = 0; column < reader.schema_->n_children; ++column) {
    const char* name = reader.schema_->children[column]->name;
    reader.names_.emplace_back(name == nullptr ? "" : name);
  }
  return reader;
}

absl::Status StreamReader::CheckSchema() const {
  if (schema_.is_released() || schema_->format == nullptr) return BrokenStream("it has no schema");
  if (schema_->format != kTableFormat) {
    return InvalidArgument(
        "the Arrow stream is a single column, not a table; make a table of it that names its column");
  }
  if (schema_->n_children < 0) return BrokenStream("it has a negative number of columns");
  if (schema_->n_children > 0 && schema_->children == nullptr) return BrokenStream("it has no columns");
  for (std::int64_t column = 0; column < schema_->n_children; ++column) {
    if (schema_->children[column] == nullptr) return BrokenStream("a column has no schema");
  }
  return absl::OkStatus();
}

absl::StatusOr<ArrowField> StreamReader::FieldOf(std::size_t column) const {
  return ReadArrowField(*schema_->children[column]);
}

absl::StatusOr<bool> StreamReader::Next() {
  ArrowOwner<ArrowArray> next;
  const int error = stream_->get_next(&stream_.get(), &next.get());
  if (error != 0) return ErrorOf(error, "the next rows");
  batch_ = std::move(next);
  if (batch_.is_released()) return false;
  RETURN_IF_ERROR(CheckBatch());
  return true;
}

absl::Status StreamReader::CheckBatch() const {
  if (batch_->length < 0 || batch_->offset < 0) return BrokenStream("it has rows before the first");
  if (batch_->n_children != schema_->n_children) return BrokenStream("rows have more or fewer columns than its schema");
  if (batch_->n_children > 0 && batch_->children == nullptr) return BrokenStream("rows have no columns");
  for (std::int64_t column = 0; column < batch_->n_children; ++column) {
    if (batch_->children[column] == nullptr) return BrokenStream("a column has no rows");
  }
  if (batch_->null_count == 0 || batch_->n_buffers < 1 || batch_->buffers == nullptr) return absl::OkStatus();
  const auto* valid_bits = static_cast<const unsigned char*>(batch_->buffers[0]);
  if (valid_bits == nullptr) return absl::OkStatus();
  for (std::int64_t row = batch_->offset; row < batch_->offset + batch_->length; ++row) {
    if ((valid_bits[row >> 3] >> (row & 7) & 1) != 0) continue;
    return InvalidArgument("row {} of an Arrow batch is null as a whole; give its columns nulls, or leave it out",
                           row - batch_->offset + 1);
  }
  return absl::OkStatus();
}

absl::Status StreamReader::ErrorOf(int code, std::string_view what) {
  const char* text = stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(&stream_.get());
  const std::string reason = text == nullptr ? std::generic_category().message(code) : text;
  return InvalidArgument("the Arrow stream could not give {}: {}", what, reason);
}

}  // namespace flaim
