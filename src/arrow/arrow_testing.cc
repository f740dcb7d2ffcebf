#include "arrow/arrow_testing.h"

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/int128.h"

namespace flaim {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::uint32_t kViewBytes = 16;
constexpr std::uint32_t kLongestTextInView = 12;

struct Memory {
  Bytes valid_bits;
  Bytes values;
  std::string texts;
  std::vector<std::int64_t> sizes;
};

void SetBit(Bytes& bits, std::size_t position, bool value) {
  bits.resize(std::max(bits.size(), position / 8 + 1));
  const auto bit = static_cast<unsigned char>(1U << position % 8);
  bits[position / 8] = static_cast<unsigned char>(value ? bits[position / 8] | bit : bits[position / 8] & ~bit);
}

template <typename Stored>
void Append(const Stored& value, Bytes& bytes) {
  bytes.resize(bytes.size() + sizeof value);
  std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

// The array without its values: rows, nulls and offset.
template <typename Stored>
ArrayParts PartsOf(const Cells<Stored>& cells, Padding padding, Memory& memory) {
  ArrayParts parts;
  parts.length = std::ssize(cells);
  parts.offset = padding.rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    SetBit(memory.valid_bits, static_cast<std::size_t>(padding.rows) + i, cells[i].has_value());
    parts.null_count += cells[i] ? 0 : 1;
  }
  return parts;
}

const void* BitsIfNeeded(const ArrayParts& parts, const Memory& memory) {
  return parts.null_count == 0 ? nullptr : memory.valid_bits.data();
}

TestColumn Column(std::string name, std::string format, ArrayParts parts) {
  return {{.format = std::move(format), .name = std::move(name), .children = {}, .dictionary = {}},
          ExportArray(std::move(parts))};
}

template <typename Offset>
void AppendOffsets(const Cells<std::string>& cells, Padding padding, Memory& memory) {
  for (std::int64_t i = 0; i < padding.rows; ++i) Append(Offset{0}, memory.values);
  Append(Offset{0}, memory.values);
  for (const auto& cell : cells) {
    memory.texts += cell.value_or("");
    Append(static_cast<Offset>(memory.texts.size()), memory.values);
  }
}

void AppendViews(const Cells<std::string>& cells, Padding padding, Memory& memory) {
  memory.values.resize(kViewBytes * static_cast<std::size_t>(padding.rows));
  for (const auto& cell : cells) {
    const std::string text = cell.value_or("");
    std::array<char, kViewBytes> view{};
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(view.data(), &length, sizeof length);
    if (length <= kLongestTextInView) {
      std::memcpy(view.data() + 4, text.data(), length);
    } else {
      const auto place = static_cast<std::uint32_t>(memory.texts.size());
      std::memcpy(view.data() + 4, text.data(), 4);
      std::memcpy(view.data() + 12, &place, sizeof place);
      memory.texts += text;
    }
    Append(view, memory.values);
  }
  memory.sizes = {std::ssize(memory.texts)};
}

}  // namespace

template <typename Stored>
TestColumn FixedWidth(std::string name, std::string format, const Cells<Stored>& cells, Padding padding) {
  auto memory = std::make_shared<Memory>();
  ArrayParts parts = PartsOf(cells, padding, *memory);
  for (std::int64_t i = 0; i < padding.rows; ++i) Append(Stored{77}, memory->values);
  for (const auto& cell : cells) Append(cell.value_or(Stored{99}), memory->values);
  parts.buffers = {BitsIfNeeded(parts, *memory), memory->values.data()};
  parts.memory = memory;
  return Column(std::move(name), std::move(format), std::move(parts));
}

template TestColumn FixedWidth(std::string, std::string, const Cells<std::int8_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::int16_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::int32_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::int64_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::uint8_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::uint16_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::uint32_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<std::uint64_t>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<float>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<double>&, Padding);
template TestColumn FixedWidth(std::string, std::string, const Cells<Int128>&, Padding);

TestColumn Booleans(std::string name, const Cells<bool>& cells, Padding padding) {
  auto memory = std::make_shared<Memory>();
  ArrayParts parts = PartsOf(cells, padding, *memory);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    SetBit(memory->values, static_cast<std::size_t>(padding.rows) + i, cells[i].value_or(true));
  }
  parts.buffers = {BitsIfNeeded(parts, *memory), memory->values.data()};
  parts.memory = memory;
  return Column(std::move(name), "b", std::move(parts));
}

TestColumn Texts(std::string name, std::string format, const Cells<std::string>& cells, Padding padding) {
  auto memory = std::make_shared<Memory>();
  ArrayParts parts = PartsOf(cells, padding, *memory);
  if (format == "u") AppendOffsets<std::int32_t>(cells, padding, *memory);
  if (format == "U") AppendOffsets<std::int64_t>(cells, padding, *memory);
  if (format == "vu") AppendViews(cells, padding, *memory);
  parts.buffers = {BitsIfNeeded(parts, *memory), memory->values.data(), memory->texts.data()};
  if (format == "vu") parts.buffers.push_back(memory->sizes.data());
  parts.memory = memory;
  return Column(std::move(name), std::move(format), std::move(parts));
}

TestColumn Nulls(std::string name, std::int64_t rows) {
  ArrayParts parts;
  parts.length = rows;
  parts.null_count = rows;
  return Column(std::move(name), "n", std::move(parts));
}

TestColumn WithDictionary(TestColumn indices, TestColumn values) {
  ArrayParts parts;
  parts.length = indices.array->length;
  parts.null_count = indices.array->null_count;
  parts.offset = indices.array->offset;
  parts.buffers.assign(indices.array->buffers, indices.array->buffers + indices.array->n_buffers);
  parts.memory = std::make_shared<ArrowOwner<ArrowArray>>(std::move(indices.array));
  parts.dictionary.push_back(std::move(values.array));
  indices.field.dictionary = {std::move(values.field)};
  return {std::move(indices.field), ExportArray(std::move(parts))};
}

void StreamOf(std::vector<TestColumn> columns, ArrowArrayStream& out) {
  std::vector<std::vector<TestColumn>> batches;
  batches.push_back(std::move(columns));
  StreamOfBatches(std::move(batches), out);
}

void StreamOfBatches(std::vector<std::vector<TestColumn>> batches, ArrowArrayStream& out) {
  CHECK(!batches.empty() && !batches.front().empty());
  std::vector<FieldParts> fields;
  for (const TestColumn& column : batches.front()) fields.push_back(column.field);
  std::vector<ArrowOwner<ArrowArray>> exported;
  for (std::vector<TestColumn>& columns : batches) {
    const std::int64_t rows = columns.front().array->length;
    std::vector<ArrowOwner<ArrowArray>> arrays;
    for (TestColumn& column : columns) arrays.push_back(std::move(column.array));
    exported.push_back(ExportBatch(rows, std::move(arrays)));
  }
  ExportStream(TableField(std::move(fields)), std::move(exported), out);
}

}  // namespace flaim
