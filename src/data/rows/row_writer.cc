#include "data/rows/row_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/status.h"
#include "data/csv/csv_writer.h"
#include "data/rows/field_texts.h"

namespace flaim {
namespace {

// How many rows are turned around from columns to rows at once, so that they stay in the cache.
constexpr std::size_t kBlockRows = 512;
constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

// Texts of codes: all that the two kinds of writers differ in.
class CodeTexts {
 public:
  virtual ~CodeTexts() = default;
  virtual void Append(std::size_t column, std::uint32_t code, std::string& out) = 0;
  // Whether a code of the column always has the same text.
  virtual bool IsFixed(std::size_t column) const = 0;
  // Whether its texts are decimal numbers, with no other characters than kNumberCharacters.
  virtual bool IsNumber(std::size_t column) const = 0;

  static constexpr std::string_view kNumberCharacters = "0123456789+-.e";
};

class ValueTexts final : public CodeTexts {
 public:
  ValueTexts(const Schema& schema, RandomSource& random) : schema_(schema), random_(random) {}

  void Append(std::size_t column, std::uint32_t code, std::string& out) override {
    schema_.columns()[column].Decode(code, random_, out);
  }
  bool IsFixed(std::size_t column) const override {
    return HasOneTextForEachCode(schema_.columns()[column].spec().type);
  }
  bool IsNumber(std::size_t column) const override {
    const ColumnSpec& spec = schema_.columns()[column].spec();
    const bool has_numbers =
        std::holds_alternative<RealType>(spec.type) || std::holds_alternative<IntegerType>(spec.type);
    return has_numbers && !spec.nullable;
  }

 private:
  const Schema& schema_;
  RandomSource& random_;
};

class NumberTexts final : public CodeTexts {
 public:
  void Append(std::size_t, std::uint32_t code, std::string& out) override { out += fmt::format_int(code).c_str(); }
  bool IsFixed(std::size_t) const override { return true; }
  bool IsNumber(std::size_t) const override { return true; }
};

// Codes of some rows of a table, row by row.
void TransposeBlock(const Table& table, std::size_t begin, std::size_t end, std::vector<std::uint32_t>& rows) {
  const auto columns = static_cast<std::size_t>(table.domain().size());
  rows.resize((end - begin) * columns);
  for (std::size_t column = 0; column < columns; ++column) {
    std::visit(
        [&](auto codes) {
          for (std::size_t row = begin; row < end; ++row) rows[(row - begin) * columns + column] = codes[row];
        },
        table.column(static_cast<AttributeIndex>(column)));
  }
}

// Writes the header before the first row, or on Finish if there is none.
class CsvRowWriter final : public RowWriter {
 public:
  CsvRowWriter(ByteSink& sink, Domain domain, char delimiter, std::unique_ptr<CodeTexts> texts)
      : sink_(sink), domain_(std::move(domain)), csv_(sink, delimiter), format_(delimiter), texts_(std::move(texts)) {}

  absl::Status WriteRow(std::span<const std::uint32_t> codes) override {
    CHECK(codes.size() == static_cast<std::size_t>(domain_.size()));
    RETURN_IF_ERROR(WriteHeaderOnce());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      CHECK(codes[i] < domain_[static_cast<AttributeIndex>(i)].size);
      text_.clear();
      texts_->Append(i, codes[i], text_);
      csv_.Field(text_);
    }
    return csv_.EndRecord();
  }

  absl::Status WriteRows(const Table& table) override {
    CHECK(table.domain() == domain_);
    RETURN_IF_ERROR(WriteHeaderOnce());
    if (kept_.empty()) KeepFixedTexts();
    for (std::size_t begin = 0; begin < table.rows(); begin += kBlockRows) {
      const std::size_t end = std::min(begin + kBlockRows, table.rows());
      TransposeBlock(table, begin, end, block_);
      RETURN_IF_ERROR(WriteBlock());
    }
    return WriteBuffer();
  }

  absl::Status Finish() override {
    RETURN_IF_ERROR(WriteHeaderOnce());
    return sink_.Commit();
  }

 private:
  absl::Status WriteHeaderOnce() {
    if (header_is_written_) return absl::OkStatus();
    header_is_written_ = true;
    for (const Attribute& attribute : domain_.attributes()) csv_.Field(attribute.name);
    return csv_.EndRecord();
  }

  // The field of a code, and what follows it.
  void AppendField(std::size_t column, std::uint32_t code, std::string& out) {
    if (never_needs_quotes_[column]) {
      texts_->Append(column, code, out);
    } else {
      AppendQuotedIfNeeded(column, code, out);
    }
    out += column + 1 == static_cast<std::size_t>(domain_.size()) ? '\n' : format_.delimiter();
  }

  void AppendQuotedIfNeeded(std::size_t column, std::uint32_t code, std::string& out) {
    text_.clear();
    texts_->Append(column, code, text_);
    const bool would_be_blank_line = text_.empty() && domain_.size() == 1;
    if (would_be_blank_line) {
      out += "\"\"";
    } else {
      format_.Append(text_, out);
    }
  }

  // Empty for a column whose codes have no one text.
  void KeepFixedTexts() {
    kept_.resize(static_cast<std::size_t>(domain_.size()));
    const bool is_in_no_number = CodeTexts::kNumberCharacters.find(format_.delimiter()) == std::string_view::npos;
    for (std::size_t column = 0; column < kept_.size(); ++column) {
      never_needs_quotes_.push_back(is_in_no_number && texts_->IsNumber(column));
    }
    std::string field;
    for (std::size_t column = 0; column < kept_.size(); ++column) {
      const auto size = static_cast<std::uint32_t>(domain_[static_cast<AttributeIndex>(column)].size);
      if (!texts_->IsFixed(column) || size > FieldTexts::kMaxTexts) continue;
      for (std::uint32_t code = 0; code < size; ++code) {
        field.clear();
        AppendField(column, code, field);
        kept_[column].Add(field);
      }
      kept_[column].Seal();
    }
  }

  char* CopyField(std::size_t column, std::uint32_t code, char* out) {
    const FieldTexts& kept = kept_[column];
    if (kept.size() > 0) {
      EnsureRoom(kept.longest(), out);
      return kept.Copy(code, out);
    }
    field_.clear();
    AppendField(column, code, field_);
    EnsureRoom(field_.size(), out);
    std::memcpy(out, field_.data(), field_.size());
    return out + field_.size();
  }

  // Makes the buffer larger where a row does not fit, which a very long text can bring about.
  void EnsureRoom(std::size_t bytes, char*& out) {
    const auto used = static_cast<std::size_t>(out - buffer_.data());
    if (used + bytes + FieldTexts::kSlack <= buffer_.size()) [[likely]]
      return;
    buffer_.resize(2 * (used + bytes + FieldTexts::kSlack));
    out = buffer_.data() + used;
  }

  absl::Status WriteBlock() {
    if (buffer_.empty()) buffer_.resize(2 * kBufferBytes);
    char* out = buffer_.data() + used_;
    const std::size_t columns = kept_.size();
    for (std::size_t row = 0; row < block_.size(); row += columns) {
      for (std::size_t column = 0; column < columns; ++column) out = CopyField(column, block_[row + column], out);
      used_ = static_cast<std::size_t>(out - buffer_.data());
      if (used_ < kBufferBytes) continue;
      RETURN_IF_ERROR(WriteBuffer());
      out = buffer_.data();
    }
    return absl::OkStatus();
  }

  absl::Status WriteBuffer() {
    const absl::Status status = sink_.Write({buffer_.data(), used_});
    used_ = 0;
    return status;
  }

  ByteSink& sink_;
  const Domain domain_;
  CsvWriter csv_;
  const CsvFieldFormat format_;
  const std::unique_ptr<CodeTexts> texts_;
  bool header_is_written_ = false;

  std::vector<FieldTexts> kept_;
  std::vector<bool> never_needs_quotes_;
  std::vector<std::uint32_t> block_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::string text_;
  std::string field_;
};

}  // namespace

std::unique_ptr<RowWriter> ValueWriter(ByteSink& sink, const Schema& schema, RandomSource& random) {
  return std::make_unique<CsvRowWriter>(sink, schema.domain(), schema.spec().delimiter,
                                        std::make_unique<ValueTexts>(schema, random));
}

std::unique_ptr<RowWriter> CodeWriter(ByteSink& sink, const Domain& domain) {
  return std::make_unique<CsvRowWriter>(sink, domain, ',', std::make_unique<NumberTexts>());
}

absl::Status WriteTable(const Table& table, RowWriter& writer) {
  RETURN_IF_ERROR(writer.WriteRows(table));
  return writer.Finish();
}

}  // namespace flaim
