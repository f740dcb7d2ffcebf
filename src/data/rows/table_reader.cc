#include "data/rows/table_reader.h"

#include <optional>
#include <span>
#include <string_view>

#include "base/status.h"
#include "data/csv/csv_reader.h"
#include "data/rows/header_match.h"
#include "io/message_text.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr std::uint64_t kRowsPerReport = 1 << 16;

std::string PlaceOf(const CsvReader& reader) { return fmt::format("{}:{}", reader.name(), reader.line()); }

absl::StatusOr<HeaderMatch> ReadHeader(CsvReader& reader, const Schema& schema, const HeaderMatchOptions& options) {
  ASSIGN_OR_RETURN(const bool has_header, reader.Next());
  if (!has_header) {
    return InvalidArgument("{}: empty file; the first line must name the columns, and rows follow", reader.name());
  }
  return MatchHeader(reader.fields(), schema, options, PlaceOf(reader));
}

absl::Status WrongFieldCount(const CsvReader& reader, const HeaderMatch& header) {
  return InvalidArgument("{}: {} fields where the header has {}; put fields that contain the delimiter in quotes",
                         PlaceOf(reader), reader.fields().size(), header.fields);
}

absl::Status BadValue(const CsvReader& reader, const Column& column, std::string_view text, EncodeOutcome outcome) {
  return InvalidArgument("{}: column {}: {}", PlaceOf(reader), QuoteForMessage(column.name()),
                         column.Explain(text, outcome));
}

// Turns records into rows of codes, and counts those that do not fit.
class RowEncoder {
 public:
  RowEncoder(const Schema& schema, const HeaderMatch& header, UnfitRule rule)
      : schema_(schema), header_(header), rule_(rule), codes_(schema.columns().size()) {
    for (const Column& column : schema.columns()) catch_all_.push_back(column.CatchAll().value_or(0));
  }

  // The codes are valid until the next call. Empty for a row that is left out.
  absl::StatusOr<std::span<const std::uint32_t>> Encode(const CsvReader& reader) {
    const std::span<const std::string_view> fields = reader.fields();
    if (fields.size() != header_.fields) [[unlikely]] {
      if (rule_ == UnfitRule::kRefuse) return WrongFieldCount(reader, header_);
      ++unfit_rows_;
      return std::span<const std::uint32_t>();
    }
    bool fits = true;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const Column& column = schema_.columns()[i];
      const std::string_view text = Field(fields, header_.field_of_column[i]);
      const Encoded encoded = column.Encode(text);
      codes_[i] = encoded.code;
      if (encoded.outcome == EncodeOutcome::kExact) [[likely]]
        continue;
      if (rule_ == UnfitRule::kRefuse) return BadValue(reader, column, text, encoded.outcome);
      codes_[i] = catch_all_[i];
      fits = false;
    }
    if (fits) [[likely]]
      return std::span<const std::uint32_t>(codes_);
    ++unfit_rows_;
    return rule_ == UnfitRule::kOther ? std::span<const std::uint32_t>(codes_) : std::span<const std::uint32_t>();
  }

  std::uint64_t unfit_rows() const { return unfit_rows_; }

  absl::StatusOr<std::int64_t> Number(const CsvReader& reader, const std::string& name) const {
    const std::string_view text = Field(reader.fields(), *header_.number_field);
    if (const std::optional<std::int64_t> number = ParseInteger(text)) return *number;
    return InvalidArgument("{}: column {}: {} is not a whole number; correct it", PlaceOf(reader),
                           QuoteForMessage(name), QuoteForMessage(text));
  }

 private:
  std::string_view Field(std::span<const std::string_view> fields, std::size_t field) const {
    return schema_.spec().trim_blanks ? TrimBlanks(fields[field]) : fields[field];
  }

  const Schema& schema_;
  const HeaderMatch& header_;
  const UnfitRule rule_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint32_t> catch_all_;
  std::uint64_t unfit_rows_ = 0;
};

absl::Status ReportRows(ProgressSink* progress, std::uint64_t rows) {
  if (progress == nullptr) return absl::OkStatus();
  progress->Report({.step = "reading rows", .done = rows, .total = std::nullopt, .detail = ""});
  return StopIfAsked(*progress);
}

absl::StatusOr<TableWithNumbers> Read(std::unique_ptr<ByteSource> source, const Schema& schema,
                                      std::optional<std::string> number_column, const TableReadOptions& options) {
  RETURN_IF_ERROR(CheckUnfitRule(schema, options.unfit));
  CsvOptions csv_options;
  csv_options.delimiter = schema.spec().delimiter;
  csv_options.max_record_bytes = options.max_record_bytes;
  CsvReader reader(std::move(source), csv_options);
  ASSIGN_OR_RETURN(const HeaderMatch header, ReadHeader(reader, schema, {options.ignore_extra_columns, number_column}));
  RowEncoder encoder(schema, header, options.unfit);
  TableBuilder builder(schema.domain());
  std::vector<std::int64_t> numbers;
  std::uint64_t rows = 0;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, reader.Next());
    if (!has_row) break;
    ASSIGN_OR_RETURN(const std::span<const std::uint32_t> codes, encoder.Encode(reader));
    if (number_column && reader.fields().size() == header.fields) {
      ASSIGN_OR_RETURN(const std::int64_t number, encoder.Number(reader, *number_column));
      if (!codes.empty()) numbers.push_back(number);
    }
    if (!codes.empty()) builder.AddRow(codes);
    if (++rows % kRowsPerReport == 0) {
      RETURN_IF_ERROR(ReportRows(options.progress, rows));
    }
  }
  RETURN_IF_ERROR(ReportRows(options.progress, rows));
  if (options.unfit_rows != nullptr) *options.unfit_rows = encoder.unfit_rows();
  return TableWithNumbers{std::move(builder).Build(), std::move(numbers)};
}

}  // namespace

absl::StatusOr<Table> ReadTable(std::unique_ptr<ByteSource> source, const Schema& schema, TableReadOptions options) {
  ASSIGN_OR_RETURN(TableWithNumbers read, Read(std::move(source), schema, std::nullopt, options));
  return std::move(read.table);
}

absl::StatusOr<Table> ReadTable(const std::string& path, const Schema& schema, TableReadOptions options) {
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenByteSource(path));
  return ReadTable(std::move(source), schema, options);
}

absl::StatusOr<TableWithNumbers> ReadTableWithNumbers(std::unique_ptr<ByteSource> source, const Schema& schema,
                                                      const std::string& number_column, TableReadOptions options) {
  RETURN_IF_ERROR(CheckNumberColumn(schema, number_column));
  return Read(std::move(source), schema, number_column, options);
}

absl::StatusOr<TableWithNumbers> ReadTableWithNumbers(const std::string& path, const Schema& schema,
                                                      const std::string& number_column, TableReadOptions options) {
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenByteSource(path));
  return ReadTableWithNumbers(std::move(source), schema, number_column, options);
}

}  // namespace flaim
