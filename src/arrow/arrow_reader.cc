#include "arrow/arrow_reader.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "arrow/code_encoder.h"
#include "arrow/column_values.h"
#include "arrow/number_encoder.h"
#include "arrow/stream_reader.h"
#include "base/progress.h"
#include "base/status.h"
#include "data/rows/header_match.h"
#include "io/message_text.h"

namespace flaim {
namespace {

// One column of the schema, and where it stands in the stream.
struct CodeReader {
  std::size_t position;
  ArrowField field;
  CodeEncoder encoder;
  CodeColumn codes;
};

struct NumberReader {
  std::size_t position;
  ArrowField field;
  NumberEncoder encoder;
  std::vector<std::int64_t> numbers;
};

// Rows of the current batch that every column so far accepts, and why there are no more.
struct AcceptedRows {
  std::int64_t count = 0;
  std::string refusal;
};

absl::Status ReportRows(ProgressSink* progress, std::uint64_t rows) {
  if (progress == nullptr) return absl::OkStatus();
  progress->Report({.step = "reading rows", .done = rows, .total = std::nullopt, .detail = ""});
  return StopIfAsked(*progress);
}

// Batch after batch, column after column. A refused row is reported as by a reader that goes row by row: the first row
// that any column refuses, and of that row the first column.
class TableReading {
 public:
  TableReading(StreamReader stream, const TableReadOptions& options) : stream_(std::move(stream)), options_(options) {}

  absl::Status Match(const Schema& schema, const std::optional<std::string>& number_column) {
    ASSIGN_OR_RETURN(const HeaderMatch header,
                     MatchHeader(stream_.names(), schema, {options_.ignore_extra_columns, number_column}, "table"));
    const bool trim_blanks = schema.spec().trim_blanks;
    columns_.reserve(schema.columns().size());
    for (std::size_t i = 0; i < schema.columns().size(); ++i) {
      const Column& column = schema.columns()[i];
      const std::size_t position = header.field_of_column[i];
      ASSIGN_OR_RETURN(ArrowField field, stream_.FieldOf(position));
      field.name = column.name();  // without the blanks that the schema trims
      CodeEncoder encoder(column, field.values, trim_blanks);
      columns_.push_back({position, std::move(field), std::move(encoder), MakeCodeColumn(column.size(), 0)});
    }
    if (!number_column) return absl::OkStatus();
    ASSIGN_OR_RETURN(ArrowField field, stream_.FieldOf(*header.number_field));
    numbers_.emplace(NumberReader{*header.number_field, std::move(field), NumberEncoder(trim_blanks), {}});
    return absl::OkStatus();
  }

  absl::Status ReadAll() {
    while (true) {
      ASSIGN_OR_RETURN(const bool has_batch, stream_.Next());
      if (!has_batch) return ReportRows(options_.progress, static_cast<std::uint64_t>(rows_));
      RETURN_IF_ERROR(ReadBatch());
    }
  }

  TableWithNumbers Take(const Domain& domain) && {
    std::vector<CodeColumn> codes;
    codes.reserve(columns_.size());
    for (CodeReader& column : columns_) codes.push_back(std::move(column.codes));
    std::vector<std::int64_t> numbers;
    if (numbers_) numbers = std::move(numbers_->numbers);
    return {Table::FromColumns(domain, std::move(codes)), std::move(numbers)};
  }

 private:
  absl::Status ReadBatch() {
    AcceptedRows accepted{.count = stream_.rows(), .refusal = ""};
    for (CodeReader& column : columns_) {
      RETURN_IF_ERROR(std::visit([&](auto& codes) { return ReadColumn(column, codes, accepted); }, column.codes));
      if (options_.progress != nullptr) RETURN_IF_ERROR(StopIfAsked(*options_.progress));
    }
    if (numbers_) RETURN_IF_ERROR(ReadColumn(*numbers_, numbers_->numbers, accepted));
    if (accepted.count < stream_.rows()) {
      return InvalidArgument("row {}: {}", rows_ + accepted.count + 1, accepted.refusal);
    }
    rows_ += stream_.rows();
    return ReportRows(options_.progress, static_cast<std::uint64_t>(rows_));
  }

  template <typename Reader, typename Number>
  absl::Status ReadColumn(Reader& reader, std::vector<Number>& out, AcceptedRows& accepted) const {
    ASSIGN_OR_RETURN(const ColumnValues values, ColumnValues::Create(reader.field, stream_.column(reader.position),
                                                                     stream_.first_row(), stream_.rows()));
    out.resize(static_cast<std::size_t>(rows_ + accepted.count));
    Number* const begin = out.data() + rows_;
    const std::int64_t stop = values.EncodeRows(reader.encoder, accepted.count, [&](std::int64_t row, auto result) {
      begin[row] = static_cast<Number>(NumberOf(result));
    });
    if (stop == accepted.count) return absl::OkStatus();
    const std::string why = values.Explain(reader.encoder, stop);
    accepted = {stop, fmt::format("column {}: {}", QuoteForMessage(reader.field.name), why)};
    return absl::OkStatus();
  }

  static std::uint32_t NumberOf(const Encoded& encoded) { return encoded.code; }
  static std::int64_t NumberOf(const std::optional<std::int64_t>& number) { return *number; }

  StreamReader stream_;
  const TableReadOptions options_;
  std::vector<CodeReader> columns_;
  std::optional<NumberReader> numbers_;
  std::int64_t rows_ = 0;
};

absl::StatusOr<TableWithNumbers> Read(ArrowArrayStream& stream, const Schema& schema,
                                      const std::optional<std::string>& number_column,
                                      const TableReadOptions& options) {
  ASSIGN_OR_RETURN(StreamReader reader, StreamReader::Open(stream));  // takes the stream, whatever comes of it
  if (number_column) RETURN_IF_ERROR(CheckNumberColumn(schema, *number_column));
  TableReading reading(std::move(reader), options);
  RETURN_IF_ERROR(reading.Match(schema, number_column));
  RETURN_IF_ERROR(reading.ReadAll());
  return std::move(reading).Take(schema.domain());
}

}  // namespace

absl::StatusOr<Table> ReadArrow(ArrowArrayStream& stream, const Schema& schema, const TableReadOptions& options) {
  ASSIGN_OR_RETURN(TableWithNumbers read, Read(stream, schema, std::nullopt, options));
  return std::move(read.table);
}

absl::StatusOr<TableWithNumbers> ReadArrowWithNumbers(ArrowArrayStream& stream, const Schema& schema,
                                                      const std::string& number_column,
                                                      const TableReadOptions& options) {
  return Read(stream, schema, number_column, options);
}

}  // namespace flaim
