#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "arrow/c_data.h"
#include "arrow/value_type.h"

namespace flaim {

// A column of a stream, as its schema describes it. With a dictionary the values are those of the dictionary, and the
// rows hold indices of the type `indices`.
struct ArrowField {
  std::string name;
  ArrowType values;
  std::optional<ArrowType> indices;
};

// Refuses a type that has no obvious text; the message starts with the column.
absl::StatusOr<ArrowField> ReadArrowField(const ArrowSchema& schema);

// Memory of another library may lie at any address.
template <typename Stored>
Stored LoadAt(const void* buffer, std::int64_t position) {
  Stored value;
  std::memcpy(&value, static_cast<const unsigned char*>(buffer) + position * std::int64_t{sizeof(Stored)},
              sizeof value);
  return value;
}

// Some rows of an array that was checked. It refers to the array, and to the memory of its owner.
class ArrayView {
 public:
  // The `length` rows from `begin` on, which counts from the array's own offset. Refuses an array that cannot hold
  // values of the type: as far as the layout allows to tell, since it does not say how large the buffers are.
  static absl::StatusOr<ArrayView> Create(const ArrowArray& array, const ArrowType& type, std::int64_t begin,
                                          std::int64_t length);
  // All rows of the dictionary of the array.
  static absl::StatusOr<ArrayView> OfDictionary(const ArrowArray& array, const ArrowType& type);

  const ArrowType& type() const { return type_; }
  std::int64_t rows() const { return rows_; }
  bool IsNull(std::int64_t row) const {
    if (valid_bits_ == nullptr) return type_.kind == ArrowKind::kNull;
    return !BitAt(valid_bits_, begin_ + row);
  }

  // Of fixed-width values.
  template <typename Stored>
  Stored Load(std::int64_t row) const {
    return LoadAt<Stored>(array_->buffers[1], begin_ + row);
  }
  bool LoadBit(std::int64_t row) const {
    return BitAt(static_cast<const unsigned char*>(array_->buffers[1]), begin_ + row);
  }
  // Of texts with offsets.
  template <typename Offset>
  std::string_view LoadText(std::int64_t row) const {
    const auto first = LoadAt<Offset>(array_->buffers[1], begin_ + row);
    const auto end = LoadAt<Offset>(array_->buffers[1], begin_ + row + 1);
    return {static_cast<const char*>(array_->buffers[2]) + first, static_cast<std::size_t>(end - first)};
  }
  // Of texts with views: 16 bytes each, which hold a short text themselves.
  std::string_view LoadTextView(std::int64_t row) const;

 private:
  ArrayView(const ArrowArray& array, const ArrowType& type, std::int64_t begin, std::int64_t rows);
  static bool BitAt(const unsigned char* bits, std::int64_t position) {
    return (bits[position >> 3] >> (position & 7) & 1) != 0;
  }

  absl::Status CheckBuffers() const;
  template <typename Offset>
  absl::Status CheckOffsets() const;
  absl::Status CheckTextViews() const;

  const ArrowArray* array_;
  ArrowType type_;
  std::int64_t begin_;
  std::int64_t rows_;
  const unsigned char* valid_bits_;  // null if no row is
};

}  // namespace flaim
