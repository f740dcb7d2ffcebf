#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/owner.h"

namespace flaim {

// The name and the type of a column, or, with children, of a table.
struct FieldParts {
  std::string format;
  std::string name;
  std::int64_t flags = ARROW_FLAG_NULLABLE;
  std::vector<FieldParts> children;
  std::vector<FieldParts> dictionary;  // none or one
};

// What an array is made of.
struct ArrayParts {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::vector<const void*> buffers;
  // Keeps the buffers' memory until the array is released.
  std::shared_ptr<const void> memory;
  std::vector<ArrowOwner<ArrowArray>> children;
  std::vector<ArrowOwner<ArrowArray>> dictionary;  // none or one
};

// The same as structures of the C data interface. Children and dictionaries may be moved out of their parents, as the
// interface allows.
ArrowOwner<ArrowSchema> ExportSchema(const FieldParts& field);
ArrowOwner<ArrowArray> ExportArray(ArrayParts parts);

// The same array once more, over the same memory.
ArrowOwner<ArrowArray> ShareArray(const std::shared_ptr<const ArrowOwner<ArrowArray>>& array);

// A table of these columns, all of this length.
ArrowOwner<ArrowArray> ExportBatch(std::int64_t rows, std::vector<ArrowOwner<ArrowArray>> columns);
FieldParts TableField(std::vector<FieldParts> columns);

// A stream that gives out the batches one by one.
void ExportStream(FieldParts table, std::vector<ArrowOwner<ArrowArray>> batches, ArrowArrayStream& out);

// A stream of one batch, as a library gives it: a table's schema and its rows.
void ExportStream(ArrowOwner<ArrowSchema> schema, ArrowOwner<ArrowArray> batch, ArrowArrayStream& out);

}  // namespace flaim
