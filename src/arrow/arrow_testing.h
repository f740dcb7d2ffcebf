#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/export.h"

// Arrow columns made by hand, for tests.

namespace flaim {

struct TestColumn {
  FieldParts field;
  ArrowOwner<ArrowArray> array;
};

template <typename Stored>
using Cells = std::vector<std::optional<Stored>>;

// Rows of rubbish that stand before the first row and are cut off by an offset.
struct Padding {
  std::int64_t rows = 0;
};

// Any type with a fixed width; the format says what the bytes mean.
template <typename Stored>
TestColumn FixedWidth(std::string name, std::string format, const Cells<Stored>& cells, Padding padding = {});
TestColumn Booleans(std::string name, const Cells<bool>& cells, Padding padding = {});
// Format "u", "U" or "vu".
TestColumn Texts(std::string name, std::string format, const Cells<std::string>& cells, Padding padding = {});
TestColumn Nulls(std::string name, std::int64_t rows);
// The indices' column with values from the other.
TestColumn WithDictionary(TestColumn indices, TestColumn values);

// A stream of one batch.
void StreamOf(std::vector<TestColumn> columns, ArrowArrayStream& out);
// A stream of several batches, which must have the same columns. At least one.
void StreamOfBatches(std::vector<std::vector<TestColumn>> batches, ArrowArrayStream& out);

}  // namespace flaim
