#include "python/buffer_columns.h"

#include <limits>
#include <utility>

#include "absl/status/statusor.h"
#include "arrow/export.h"
#include "arrow/value_type.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim::python {
namespace {

using Texts = std::vector<std::string>;

struct TextMemory {
  std::vector<std::int64_t> offsets = {0};
  std::string texts;
};

std::size_t BytesFor(ArrowKind kind, std::size_t rows) {
  switch (kind) {
    case ArrowKind::kNull:
      return 0;
    case ArrowKind::kBoolean:
      return (rows + 7) / 8;
    case ArrowKind::kInt8:
    case ArrowKind::kUInt8:
      return rows;
    case ArrowKind::kInt16:
    case ArrowKind::kUInt16:
    case ArrowKind::kFloat16:
      return 2 * rows;
    case ArrowKind::kInt32:
    case ArrowKind::kUInt32:
    case ArrowKind::kFloat32:
    case ArrowKind::kDate32:
      return 4 * rows;
    case ArrowKind::kInt64:
    case ArrowKind::kUInt64:
    case ArrowKind::kFloat64:
    case ArrowKind::kDate64:
    case ArrowKind::kTimestamp:
      return 8 * rows;
    default:
      return std::numeric_limits<std::size_t>::max();
  }
}

absl::Status TooShort(const BufferColumn& column) {
  return InvalidArgument("column {} does not have as many values as the table has rows", QuoteForMessage(column.name));
}

FieldParts FieldOf(const BufferColumn& column) {
  FieldParts field;
  field.format = column.format;
  field.name = column.name;
  if (column.dictionary != nullptr) field.dictionary.push_back(FieldOf(*column.dictionary));
  return field;
}

// The values of a dictionary are as many as there are. Bits at the end that nobody uses do no harm.
std::size_t RowsOf(const BufferColumn& column) {
  if (const auto* texts = std::get_if<Texts>(&column.values)) return texts->size();
  const std::size_t length = std::get<BufferColumn::Array>(column.values).shape(0);
  return column.format == "b" ? 8 * length : length;
}

void AddTexts(const Texts& texts, ArrayParts& parts) {
  auto memory = std::make_shared<TextMemory>();
  for (const std::string& text : texts) {
    memory->texts += text;
    memory->offsets.push_back(std::ssize(memory->texts));
  }
  parts.buffers.push_back(memory->offsets.data());
  parts.buffers.push_back(memory->texts.data());
  parts.memory = std::move(memory);
}

absl::StatusOr<ArrowOwner<ArrowArray>> ArrayOf(const BufferColumn& column, std::size_t rows) {
  ArrayParts parts;
  parts.length = static_cast<std::int64_t>(rows);
  parts.buffers.push_back(nullptr);
  if (column.valid_bits) {
    if (column.valid_bits->nbytes() < BytesFor(ArrowKind::kBoolean, rows)) return TooShort(column);
    parts.null_count = -1;
    parts.buffers[0] = column.valid_bits->data();
  }
  if (const auto* texts = std::get_if<Texts>(&column.values)) {
    if (column.format != "U" || texts->size() < rows) return TooShort(column);
    AddTexts(*texts, parts);
  } else {
    const auto& array = std::get<BufferColumn::Array>(column.values);
    // What ReadArrow refuses must not be refused here with another message.
    const absl::StatusOr<ArrowType> type = ParseArrowFormat(column.format);
    if (type.ok() && array.nbytes() < BytesFor(type->kind, rows)) return TooShort(column);
    parts.buffers.push_back(array.data());
  }
  if (column.dictionary != nullptr) {
    ASSIGN_OR_RETURN(ArrowOwner<ArrowArray> dictionary, ArrayOf(*column.dictionary, RowsOf(*column.dictionary)));
    parts.dictionary.push_back(std::move(dictionary));
  }
  return ExportArray(std::move(parts));
}

}  // namespace

BufferColumn::BufferColumn(std::string column_name, std::string arrow_format,
                           std::variant<Array, std::vector<std::string>> content, std::optional<Array> valid,
                           std::optional<BufferColumn> of_indices)
    : name(std::move(column_name)),
      format(std::move(arrow_format)),
      values(std::move(content)),
      valid_bits(std::move(valid)),
      dictionary(of_indices ? std::make_shared<const BufferColumn>(*std::move(of_indices)) : nullptr) {}

absl::Status StreamOfBuffers(const std::vector<BufferColumn>& columns, std::size_t rows, ArrowArrayStream& out) {
  std::vector<FieldParts> fields;
  std::vector<ArrowOwner<ArrowArray>> arrays;
  for (const BufferColumn& column : columns) {
    ASSIGN_OR_RETURN(ArrowOwner<ArrowArray> array, ArrayOf(column, rows));
    fields.push_back(FieldOf(column));
    arrays.push_back(std::move(array));
  }
  std::vector<ArrowOwner<ArrowArray>> batches;
  batches.push_back(ExportBatch(static_cast<std::int64_t>(rows), std::move(arrays)));
  ExportStream(TableField(std::move(fields)), std::move(batches), out);
  return absl::OkStatus();
}

}  // namespace flaim::python
