#include "arrow/column_builder.h"

#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "data/rows/field_texts.h"
#include "io/number_text.h"

namespace flaim {
namespace {

// As the standard wants it: the first row is the lowest bit.
std::vector<unsigned char> PackBits(const std::vector<bool>& bits) {
  std::vector<unsigned char> bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) bytes[i / 8] = static_cast<unsigned char>(bytes[i / 8] | 1U << i % 8);
  }
  return bytes;
}

// Of a categorical column, that of the indices.
std::string_view FormatOf(const ColumnType& type) {
  if (std::holds_alternative<CategoricalType>(type)) return "i";
  if (std::holds_alternative<RealType>(type)) return "g";
  if (std::holds_alternative<BooleanType>(type)) return "b";
  const auto* time = std::get_if<TimeType>(&type);
  if (time == nullptr) return "l";
  return time->spec().kind == TimeKind::kDate ? "tdD" : "tss:";
}

template <typename Value>
Value MustBe(const std::optional<Value>& parsed) {
  CHECK(parsed.has_value(), "a column wrote a text that its type does not read");
  return *parsed;
}

}  // namespace

// Buffers of one array. Truth values are packed into `bits`.
struct ColumnBuilder::Memory {
  Values values;
  std::vector<unsigned char> bits;
  std::vector<unsigned char> valid_bits;
  std::string texts;
};

ColumnBuilder::ColumnBuilder(const Column& column)
    : column_(column),
      keeps_values_(HasOneTextForEachCode(column.spec().type) && column.size() <= FieldTexts::kMaxTexts),
      values_(NoValues()) {
  const auto* categorical = std::get_if<CategoricalType>(&column.spec().type);
  if (categorical == nullptr) return;
  Memory memory;
  std::vector<std::int32_t> offsets = {0};
  std::vector<std::string> texts = categorical->spec().values;
  if (categorical->size() > texts.size()) texts.push_back(*categorical->spec().other);
  for (const std::string& text : texts) {
    memory.texts += text;
    offsets.push_back(static_cast<std::int32_t>(memory.texts.size()));
  }
  memory.values = std::move(offsets);
  dictionary_ = std::make_shared<const Memory>(std::move(memory));
}

ColumnBuilder::Values ColumnBuilder::NoValues() const {
  const ColumnType& type = column_.spec().type;
  if (std::holds_alternative<CategoricalType>(type)) return std::vector<std::int32_t>();
  if (std::holds_alternative<RealType>(type)) return std::vector<double>();
  if (std::holds_alternative<BooleanType>(type)) return Bits();
  const auto* time = std::get_if<TimeType>(&type);
  if (time != nullptr && time->spec().kind == TimeKind::kDate) return std::vector<std::int32_t>();
  return std::vector<std::int64_t>();
}

FieldParts ColumnBuilder::field() const {
  FieldParts field;
  field.format = std::string(FormatOf(column_.spec().type));
  field.name = column_.name();
  field.flags = column_.spec().nullable ? ARROW_FLAG_NULLABLE : 0;
  if (dictionary_ == nullptr) return field;
  FieldParts& values = field.dictionary.emplace_back();
  values.format = std::string("u");
  values.flags = 0;
  return field;
}

void ColumnBuilder::KeepValues(RandomSource& random) {
  for (std::uint32_t code = 0; code < column_.size(); ++code) kept_.push_back(Draw(code, random));
}

ColumnBuilder::Value ColumnBuilder::Draw(std::uint32_t code, RandomSource& random) {
  CHECK(code < column_.size());
  if (column_.spec().nullable && code == column_.size() - 1) return {.payload = 0, .is_null = true};
  const ColumnType& type = column_.spec().type;
  if (std::holds_alternative<CategoricalType>(type) || std::holds_alternative<BooleanType>(type))
    return {.payload = code};
  text_.clear();
  column_.Decode(code, random, text_);
  if (std::holds_alternative<IntegerType>(type)) return {.payload = MustBe(ParseInteger(text_))};
  if (std::holds_alternative<RealType>(type)) {
    return {.payload = std::bit_cast<std::int64_t>(MustBe(ParseReal(text_)))};
  }
  const auto& time = std::get<TimeType>(type);
  const CalendarSeconds seconds = MustBe(time.format().Parse(text_));
  return {.payload = time.spec().kind == TimeKind::kDate ? seconds / kSecondsPerDay : seconds};
}

void ColumnBuilder::AppendValue(const Value& value) {
  if (column_.spec().nullable) {
    is_valid_.push_back(!value.is_null);
    null_count_ += value.is_null ? 1 : 0;
  }
  if (auto* reals = std::get_if<std::vector<double>>(&values_)) {
    reals->push_back(std::bit_cast<double>(value.payload));
  } else if (auto* small = std::get_if<std::vector<std::int32_t>>(&values_)) {
    small->push_back(static_cast<std::int32_t>(value.payload));
  } else if (auto* bits = std::get_if<Bits>(&values_)) {
    bits->push_back(value.payload != 0);
  } else {
    std::get<std::vector<std::int64_t>>(values_).push_back(value.payload);
  }
}

ArrowOwner<ArrowArray> ColumnBuilder::TakeArray() {
  ArrayParts parts;
  parts.length = std::visit([](const auto& values) { return std::ssize(values); }, values_);
  parts.null_count = std::exchange(null_count_, 0);
  auto memory = std::make_shared<Memory>();
  memory->values = std::exchange(values_, NoValues());
  memory->valid_bits = PackBits(std::exchange(is_valid_, {}));
  parts.buffers.push_back(memory->valid_bits.empty() ? nullptr : memory->valid_bits.data());
  if (const auto* bits = std::get_if<Bits>(&memory->values)) {
    memory->bits = PackBits(*bits);
    parts.buffers.push_back(memory->bits.data());
  } else {
    std::visit(
        [&](const auto& values) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, Bits>) parts.buffers.push_back(values.data());
        },
        memory->values);
  }
  parts.memory = std::move(memory);
  if (dictionary_ != nullptr) parts.dictionary.push_back(DictionaryArray());
  return ExportArray(std::move(parts));
}

ArrowOwner<ArrowArray> ColumnBuilder::DictionaryArray() const {
  const auto& offsets = std::get<std::vector<std::int32_t>>(dictionary_->values);
  ArrayParts parts;
  parts.length = std::ssize(offsets) - 1;
  parts.buffers = {nullptr, offsets.data(), dictionary_->texts.data()};
  parts.memory = dictionary_;
  return ExportArray(std::move(parts));
}

}  // namespace flaim
