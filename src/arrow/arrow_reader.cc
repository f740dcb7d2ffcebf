#include "arrow/arrow_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
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
  std::uint32_t catch_all = 0;
};

struct NumberReader {
  std::size_t position;
  ArrowField field;
  NumberEncoder encoder;
  std::vector<std::int64_t> numbers;
};

// A column's encoder under a rule that never stops: each value has a code, and it is known which do not fit.
class UnstoppableEncoder {
 public:
  struct Result {
    std::uint32_t code = 0;
    bool fits = true;
  };

  UnstoppableEncoder(CodeEncoder& encoder, std::uint32_t catch_all) : encoder_(encoder), catch_all_(catch_all) {}

  static bool IsAccepted(const Result&) { return true; }
  Result Missing() const { return Settle(encoder_.Missing()); }
  template <typename Value>
  Result Encode(const Value& value) {
    return Settle(encoder_.Encode(value));
  }

  std::string ExplainMissing() const { return encoder_.ExplainMissing(); }
  template <typename Value>
  std::string Explain(const Value& value, const Result&) {
    return encoder_.Explain(value, encoder_.Encode(value));
  }

 private:
  Result Settle(const Encoded& encoded) const {
    const bool fits = CodeEncoder::IsAccepted(encoded);
    return {fits ? encoded.code : catch_all_, fits};
  }

  CodeEncoder& encoder_;
  std::uint32_t catch_all_;
};

// Takes the rows that do not fit out of the last of a column, those of the batch.
template <typename Number>
void LeaveOut(const std::vector<bool>& is_unfit, std::vector<Number>& column) {
  const auto begin = column.end() - std::ssize(is_unfit);
  auto kept = begin;
  for (std::size_t row = 0; row < is_unfit.size(); ++row) {
    if (!is_unfit[row]) *kept++ = begin[static_cast<std::ptrdiff_t>(row)];
  }
  column.erase(kept, column.end());
}

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
      columns_.push_back({position, std::move(field), std::move(encoder), MakeCodeColumn(column.size(), 0),
                          column.CatchAll().value_or(0)});
    }
    if (!number_column) return absl::OkStatus();
    ASSIGN_OR_RETURN(ArrowField field, stream_.FieldOf(*header.number_field));
    numbers_.emplace(NumberReader{*header.number_field, std::move(field), NumberEncoder(trim_blanks), {}});
    return absl::OkStatus();
  }

  absl::Status ReadAll() {
    while (true) {
      ASSIGN_OR_RETURN(const bool has_batch, stream_.Next());
      if (!has_batch) return ReportRows(options_.progress, static_cast<std::uint64_t>(rows_read_));
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
    is_unfit_.clear();
    for (CodeReader& column : columns_) {
      RETURN_IF_ERROR(std::visit([&](auto& codes) { return ReadColumn(column, codes, accepted); }, column.codes));
      if (options_.progress != nullptr) RETURN_IF_ERROR(StopIfAsked(*options_.progress));
    }
    if (numbers_) RETURN_IF_ERROR(ReadColumn(*numbers_, numbers_->numbers, accepted));
    if (accepted.count < stream_.rows()) {
      return InvalidArgument("row {}: {}", rows_read_ + accepted.count + 1, accepted.refusal);
    }
    rows_read_ += stream_.rows();
    CountAndLeaveOut();
    return ReportRows(options_.progress, static_cast<std::uint64_t>(rows_read_));
  }

  void CountAndLeaveOut() {
    const std::int64_t unfit = std::count(is_unfit_.begin(), is_unfit_.end(), true);
    if (options_.unfit_rows != nullptr) *options_.unfit_rows += static_cast<std::uint64_t>(unfit);
    rows_ += stream_.rows();
    if (options_.unfit != UnfitRule::kDrop || unfit == 0) return;
    for (CodeReader& column : columns_) std::visit([&](auto& codes) { LeaveOut(is_unfit_, codes); }, column.codes);
    if (numbers_) LeaveOut(is_unfit_, numbers_->numbers);
    rows_ -= unfit;
  }

  template <typename Reader, typename Number>
  absl::Status ReadColumn(Reader& reader, std::vector<Number>& out, AcceptedRows& accepted) {
    ASSIGN_OR_RETURN(const ColumnValues values, ColumnValues::Create(reader.field, stream_.column(reader.position),
                                                                     stream_.first_row(), stream_.rows()));
    out.resize(static_cast<std::size_t>(rows_ + accepted.count));
    Number* const begin = out.data() + rows_;
    const auto put = [&](std::int64_t row, auto result) { begin[row] = static_cast<Number>(NumberOf(result)); };
    const std::int64_t stop = [&] {
      if constexpr (std::is_same_v<Reader, CodeReader>) {
        if (options_.unfit != UnfitRule::kRefuse) return EncodeAll(reader, values, accepted.count, put);
      }
      return values.EncodeRows(reader.encoder, accepted.count, put);
    }();
    if (stop == accepted.count) return absl::OkStatus();
    const std::string why = values.Explain(reader.encoder, stop);
    accepted = {stop, fmt::format("column {}: {}", QuoteForMessage(reader.field.name), why)};
    return absl::OkStatus();
  }

  template <typename Put>
  std::int64_t EncodeAll(CodeReader& reader, const ColumnValues& values, std::int64_t limit, const Put& put) {
    is_unfit_.resize(static_cast<std::size_t>(stream_.rows()));
    UnstoppableEncoder encoder(reader.encoder, reader.catch_all);
    return values.EncodeRows(encoder, limit, [&](std::int64_t row, const UnstoppableEncoder::Result& result) {
      put(row, Encoded{result.code, EncodeOutcome::kExact});
      if (!result.fits) is_unfit_[static_cast<std::size_t>(row)] = true;
    });
  }

  static std::uint32_t NumberOf(const Encoded& encoded) { return encoded.code; }
  static std::int64_t NumberOf(const std::optional<std::int64_t>& number) { return *number; }

  StreamReader stream_;
  const TableReadOptions options_;
  std::vector<CodeReader> columns_;
  std::optional<NumberReader> numbers_;
  std::vector<bool> is_unfit_;  // rows of the batch; empty while every value must fit
  std::int64_t rows_read_ = 0;
  std::int64_t rows_ = 0;  // of the table
};

absl::StatusOr<TableWithNumbers> Read(ArrowArrayStream& stream, const Schema& schema,
                                      const std::optional<std::string>& number_column,
                                      const TableReadOptions& options) {
  ASSIGN_OR_RETURN(StreamReader reader, StreamReader::Open(stream));  // takes the stream, whatever comes of it
  if (number_column) RETURN_IF_ERROR(CheckNumberColumn(schema, *number_column));
  RETURN_IF_ERROR(CheckUnfitRule(schema, options.unfit));
  if (options.unfit_rows != nullptr) *options.unfit_rows = 0;
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
