#include "arrow/array_view.h"

#include <limits>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr std::int64_t kMaxRows = std::numeric_limits<std::int64_t>::max() / 32;

// A view of a text: its length, then either the text itself or its first four bytes, which buffer, and where.
constexpr std::int64_t kViewBytes = 16;
constexpr std::int32_t kLongestTextInView = 12;
constexpr std::int64_t kFixedViewBuffers = 2;

struct TextPlace {
  std::int32_t length;
  std::int32_t start_of_text;
  std::int32_t buffer;
  std::int32_t offset;
};
static_assert(sizeof(TextPlace) == kViewBytes);

absl::Status Broken(std::string_view what) {
  return InvalidArgument("the Arrow array is broken: {}; report it to the library that made it", what);
}

std::int64_t BuffersOf(ArrowKind kind) {
  if (kind == ArrowKind::kNull) return 0;
  return kind == ArrowKind::kText || kind == ArrowKind::kLargeText ? 3 : 2;
}

absl::Status CheckShape(const ArrowArray& array, const ArrowType& type, std::int64_t begin, std::int64_t length) {
  if (array.release == nullptr) return Broken("it was released");
  const auto is_sane = [](std::int64_t count) { return count >= 0 && count <= kMaxRows; };
  if (!is_sane(array.length) || !is_sane(array.offset) || !is_sane(begin) || !is_sane(length)) {
    return Broken("it has a negative or absurd length or offset");
  }
  if (begin + length > array.length) return Broken("a column is shorter than the table");
  const std::int64_t buffers = BuffersOf(type.kind);
  const bool has_more = type.kind == ArrowKind::kTextView;
  if (has_more ? array.n_buffers <= buffers : array.n_buffers < buffers) return Broken("buffers are missing");
  if (array.n_buffers > 0 && array.buffers == nullptr) return Broken("it has no buffers");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ArrowField> ReadArrowField(const ArrowSchema& schema) {
  ArrowField field;
  field.name = schema.name == nullptr ? "" : schema.name;
  if (schema.format == nullptr) return Broken("a column has no type");
  const auto type_of = [&](const char* format) -> absl::StatusOr<ArrowType> {
    absl::StatusOr<ArrowType> type = ParseArrowFormat(format);
    if (type.ok()) return type;
    return InvalidArgument("column {} {}", QuoteForMessage(field.name), std::string(type.status().message()));
  };
  if (schema.dictionary == nullptr) {
    ASSIGN_OR_RETURN(field.values, type_of(schema.format));
    return field;
  }
  ASSIGN_OR_RETURN(field.indices, type_of(schema.format));
  const bool is_plain = schema.dictionary->format != nullptr && schema.dictionary->dictionary == nullptr;
  if (!field.indices->IsInteger() || !is_plain) return Broken("a dictionary is not one");
  ASSIGN_OR_RETURN(field.values, type_of(schema.dictionary->format));
  return field;
}

ArrayView::ArrayView(const ArrowArray& array, const ArrowType& type, std::int64_t begin, std::int64_t rows)
    : array_(&array), type_(type), begin_(array.offset + begin), rows_(rows), valid_bits_(nullptr) {
  if (type.kind != ArrowKind::kNull && array.null_count != 0) {
    valid_bits_ = static_cast<const unsigned char*>(array.buffers[0]);
  }
}

absl::StatusOr<ArrayView> ArrayView::Create(const ArrowArray& array, const ArrowType& type, std::int64_t begin,
                                            std::int64_t length) {
  RETURN_IF_ERROR(CheckShape(array, type, begin, length));
  ArrayView view(array, type, begin, length);
  RETURN_IF_ERROR(view.CheckBuffers());
  return view;
}

absl::StatusOr<ArrayView> ArrayView::OfDictionary(const ArrowArray& array, const ArrowType& type) {
  if (array.dictionary == nullptr) return Broken("a dictionary is missing");
  return Create(*array.dictionary, type, 0, array.dictionary->length);
}

absl::Status ArrayView::CheckBuffers() const {
  if (type_.kind == ArrowKind::kNull || rows_ == 0) return absl::OkStatus();
  if (array_->null_count > 0 && valid_bits_ == nullptr) return Broken("it has nulls without saying where");
  if (array_->buffers[1] == nullptr) return Broken("it has no values");
  if (type_.kind == ArrowKind::kText) return CheckOffsets<std::int32_t>();
  if (type_.kind == ArrowKind::kLargeText) return CheckOffsets<std::int64_t>();
  return type_.kind == ArrowKind::kTextView ? CheckTextViews() : absl::OkStatus();
}

template <typename Offset>
absl::Status ArrayView::CheckOffsets() const {
  const void* offsets = array_->buffers[1];
  const auto first = LoadAt<Offset>(offsets, begin_);
  bool is_increasing = first >= 0;
  for (std::int64_t row = begin_; row < begin_ + rows_; ++row) {
    is_increasing &= LoadAt<Offset>(offsets, row) <= LoadAt<Offset>(offsets, row + 1);
  }
  if (!is_increasing) return Broken("its offsets do not increase");
  const bool has_text = LoadAt<Offset>(offsets, begin_ + rows_) > first;
  if (has_text && array_->buffers[2] == nullptr) return Broken("it has no text");
  return absl::OkStatus();
}

absl::Status ArrayView::CheckTextViews() const {
  const std::int64_t buffers = array_->n_buffers - kFixedViewBuffers - 1;
  const void* sizes = array_->buffers[array_->n_buffers - 1];
  for (std::int64_t row = 0; row < rows_; ++row) {
    if (IsNull(row)) continue;
    const auto place = Load<TextPlace>(row);
    if (place.length >= 0 && place.length <= kLongestTextInView) continue;
    const bool is_placed = place.length >= 0 && place.offset >= 0 && place.buffer >= 0 && place.buffer < buffers;
    if (!is_placed || sizes == nullptr || array_->buffers[kFixedViewBuffers + place.buffer] == nullptr ||
        std::int64_t{place.offset} + place.length > LoadAt<std::int64_t>(sizes, place.buffer)) {
      return Broken("a text lies outside its buffers");
    }
  }
  return absl::OkStatus();
}

std::string_view ArrayView::LoadTextView(std::int64_t row) const {
  const auto place = Load<TextPlace>(row);
  const auto length = static_cast<std::size_t>(place.length);
  if (place.length <= kLongestTextInView) {
    const char* views = static_cast<const char*>(array_->buffers[1]);
    return {views + (begin_ + row) * kViewBytes + sizeof place.length, length};
  }
  return {static_cast<const char*>(array_->buffers[kFixedViewBuffers + place.buffer]) + place.offset, length};
}

}  // namespace flaim
