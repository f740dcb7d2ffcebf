#include "data/row_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

// Writes the header before the first row, or on Finish if there is none.
class CsvRowWriter : public RowWriter {
 public:
  CsvRowWriter(ByteSink& sink, Domain domain, char delimiter)
      : sink_(sink), domain_(std::move(domain)), csv_(sink, delimiter) {}

  absl::Status WriteRow(std::span<const std::uint32_t> codes) override {
    CHECK(codes.size() == static_cast<std::size_t>(domain_.size()));
    RETURN_IF_ERROR(WriteHeaderOnce());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      CHECK(codes[i] < domain_[static_cast<AttributeIndex>(i)].size);
      text_.clear();
      AppendText(i, codes[i], text_);
      csv_.Field(text_);
    }
    return csv_.EndRecord();
  }

  absl::Status Finish() override {
    RETURN_IF_ERROR(WriteHeaderOnce());
    return sink_.Commit();
  }

 private:
  virtual void AppendText(std::size_t column, std::uint32_t code, std::string& out) = 0;

  absl::Status WriteHeaderOnce() {
    if (header_is_written_) return absl::OkStatus();
    header_is_written_ = true;
    for (const Attribute& attribute : domain_.attributes()) csv_.Field(attribute.name);
    return csv_.EndRecord();
  }

  ByteSink& sink_;
  const Domain domain_;
  CsvWriter csv_;
  std::string text_;
  bool header_is_written_ = false;
};

class CsvValueWriter final : public CsvRowWriter {
 public:
  CsvValueWriter(ByteSink& sink, const Schema& schema, RandomSource& random)
      : CsvRowWriter(sink, schema.domain(), schema.spec().delimiter), schema_(schema), random_(random) {}

 private:
  void AppendText(std::size_t column, std::uint32_t code, std::string& out) override {
    schema_.columns()[column].Decode(code, random_, out);
  }

  const Schema& schema_;
  RandomSource& random_;
};

class CsvCodeWriter final : public CsvRowWriter {
 public:
  CsvCodeWriter(ByteSink& sink, const Domain& domain) : CsvRowWriter(sink, domain, ',') {}

 private:
  void AppendText(std::size_t, std::uint32_t code, std::string& out) override { out += fmt::format_int(code).c_str(); }
};

}  // namespace

std::unique_ptr<RowWriter> ValueWriter(ByteSink& sink, const Schema& schema, RandomSource& random) {
  return std::make_unique<CsvValueWriter>(sink, schema, random);
}

std::unique_ptr<RowWriter> CodeWriter(ByteSink& sink, const Domain& domain) {
  return std::make_unique<CsvCodeWriter>(sink, domain);
}

absl::Status WriteTable(const Table& table, RowWriter& writer) {
  std::vector<CodeSpan> columns;
  columns.reserve(static_cast<std::size_t>(table.domain().size()));
  for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
    columns.push_back(table.column(attribute));
  }
  std::vector<std::uint32_t> codes(columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::transform(columns.begin(), columns.end(), codes.begin(), [&](const CodeSpan& column) {
      return std::visit([&](auto span) { return static_cast<std::uint32_t>(span[row]); }, column);
    });
    RETURN_IF_ERROR(writer.WriteRow(codes));
  }
  return writer.Finish();
}

}  // namespace flaim
