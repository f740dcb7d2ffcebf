#include "arrow/export.h"

#include <utility>

#include "base/check.h"

namespace flaim {
namespace {

// What release() must end. The pointers are those that the structure shows.
struct SchemaMemory {
  std::string format;
  std::string name;
  std::vector<ArrowOwner<ArrowSchema>> children;
  std::vector<ArrowOwner<ArrowSchema>> dictionary;
  std::vector<ArrowSchema*> child_pointers;
};

struct ArrayMemory {
  ArrayParts parts;
  std::vector<ArrowArray*> child_pointers;
};

struct StreamMemory {
  FieldParts table;
  ArrowOwner<ArrowSchema> schema;  // given out once, in place of `table`
  std::vector<ArrowOwner<ArrowArray>> batches;
  std::size_t next = 0;
};

template <typename Memory, typename Structure>
void Release(Structure* structure) {
  delete static_cast<Memory*>(structure->private_data);
  structure->private_data = nullptr;
  structure->release = nullptr;
}

template <typename Structure>
std::vector<Structure*> PointersTo(std::vector<ArrowOwner<Structure>>& owners) {
  std::vector<Structure*> pointers;
  for (ArrowOwner<Structure>& owner : owners) pointers.push_back(&owner.get());
  return pointers;
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  auto& memory = *static_cast<StreamMemory*>(stream->private_data);
  ArrowOwner<ArrowSchema> schema = std::move(memory.schema);
  if (schema.is_released()) schema = ExportSchema(memory.table);
  *out = std::exchange(schema.get(), ArrowSchema{});
  return 0;
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  auto& memory = *static_cast<StreamMemory*>(stream->private_data);
  *out = ArrowArray{};
  if (memory.next < memory.batches.size()) *out = std::exchange(memory.batches[memory.next++].get(), ArrowArray{});
  return 0;
}

const char* GetLastError(ArrowArrayStream*) { return nullptr; }

ArrowOwner<ArrowArray> ShareFrom(const std::shared_ptr<const ArrowOwner<ArrowArray>>& owner, const ArrowArray& array) {
  ArrayParts parts;
  parts.length = array.length;
  parts.null_count = array.null_count;
  parts.offset = array.offset;
  parts.buffers.assign(array.buffers, array.buffers + array.n_buffers);
  parts.memory = owner;
  for (std::int64_t i = 0; i < array.n_children; ++i) parts.children.push_back(ShareFrom(owner, *array.children[i]));
  if (array.dictionary != nullptr) parts.dictionary.push_back(ShareFrom(owner, *array.dictionary));
  return ExportArray(std::move(parts));
}

void Export(StreamMemory memory, ArrowArrayStream& out) {
  out.get_schema = GetSchema;
  out.get_next = GetNext;
  out.get_last_error = GetLastError;
  out.release = Release<StreamMemory, ArrowArrayStream>;
  out.private_data = new StreamMemory(std::move(memory));
}

}  // namespace

ArrowOwner<ArrowSchema> ExportSchema(const FieldParts& field) {
  CHECK(field.dictionary.size() <= 1);
  auto memory = std::make_unique<SchemaMemory>();
  memory->format = field.format;
  memory->name = field.name;
  for (const FieldParts& child : field.children) memory->children.push_back(ExportSchema(child));
  for (const FieldParts& values : field.dictionary) memory->dictionary.push_back(ExportSchema(values));
  memory->child_pointers = PointersTo(memory->children);

  ArrowOwner<ArrowSchema> schema;
  schema.get().format = memory->format.c_str();
  schema.get().name = memory->name.c_str();
  schema.get().flags = field.flags;
  schema.get().n_children = std::ssize(memory->children);
  schema.get().children = memory->child_pointers.data();
  schema.get().dictionary = memory->dictionary.empty() ? nullptr : &memory->dictionary.front().get();
  schema.get().release = Release<SchemaMemory, ArrowSchema>;
  schema.get().private_data = memory.release();
  return schema;
}

ArrowOwner<ArrowArray> ExportArray(ArrayParts parts) {
  CHECK(parts.dictionary.size() <= 1);
  auto memory = std::make_unique<ArrayMemory>();
  memory->parts = std::move(parts);
  memory->child_pointers = PointersTo(memory->parts.children);

  ArrowOwner<ArrowArray> array;
  array.get().length = memory->parts.length;
  array.get().null_count = memory->parts.null_count;
  array.get().offset = memory->parts.offset;
  array.get().n_buffers = std::ssize(memory->parts.buffers);
  array.get().n_children = std::ssize(memory->parts.children);
  array.get().buffers = memory->parts.buffers.data();
  array.get().children = memory->child_pointers.data();
  array.get().dictionary = memory->parts.dictionary.empty() ? nullptr : &memory->parts.dictionary.front().get();
  array.get().release = Release<ArrayMemory, ArrowArray>;
  array.get().private_data = memory.release();
  return array;
}

ArrowOwner<ArrowArray> ExportBatch(std::int64_t rows, std::vector<ArrowOwner<ArrowArray>> columns) {
  ArrayParts parts;
  parts.length = rows;
  parts.buffers = {nullptr};
  parts.children = std::move(columns);
  return ExportArray(std::move(parts));
}

FieldParts TableField(std::vector<FieldParts> columns) {
  return {.format = "+s", .name = "", .flags = 0, .children = std::move(columns), .dictionary = {}};
}

ArrowOwner<ArrowArray> ShareArray(const std::shared_ptr<const ArrowOwner<ArrowArray>>& array) {
  return ShareFrom(array, **array);
}

void ExportStream(FieldParts table, std::vector<ArrowOwner<ArrowArray>> batches, ArrowArrayStream& out) {
  Export({.table = std::move(table), .schema = {}, .batches = std::move(batches)}, out);
}

void ExportStream(ArrowOwner<ArrowSchema> schema, ArrowOwner<ArrowArray> batch, ArrowArrayStream& out) {
  StreamMemory memory;
  memory.schema = std::move(schema);
  memory.batches.push_back(std::move(batch));
  Export(std::move(memory), out);
}

}  // namespace flaim
