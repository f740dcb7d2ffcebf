#include "data/csv/csv_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/status.h"
#include "data/csv/csv_format.h"

namespace flaim {
namespace {

constexpr std::size_t kMinBufferBytes = kByteOrderMark.size();
constexpr std::size_t kLineEndBytes = 2;
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 40;

using ByteSet = std::array<bool, 256>;

ByteSet SetOf(std::initializer_list<char> bytes) {
  ByteSet set{};
  for (const char byte : bytes) set[static_cast<unsigned char>(byte)] = true;
  return set;
}

const char* FindIn(const ByteSet& set, const char* position) {
  while (!set[static_cast<unsigned char>(*position)]) ++position;
  return position;
}

// Removes the second of each two quotes, in place.
std::string_view Unescape(std::span<char> field) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    field[length++] = field[i];
    if (field[i] == '"') ++i;
  }
  return {field.data(), length};
}

}  // namespace

// The buffer holds bytes [begin, end) that are not yet served, then a NUL as a sentinel: scanning stops there without
// counting. A record that the buffer cuts off is scanned again from its start once more bytes are there; because each
// refill fills the buffer, and doubles it when one record takes all of it, that costs a constant factor at most, and
// how the source cuts its bytes does not matter.
struct CsvReader::Scanner {
  enum class Outcome { kRecord, kNeedsMore, kFailed };

  Scanner(std::unique_ptr<ByteSource> byte_source, CsvOptions csv_options);

  absl::StatusOr<bool> Next(std::vector<std::string_view>& fields, std::size_t& record_line);
  absl::Status Start();
  absl::Status Refill();
  Outcome ScanRecord(std::vector<std::string_view>& fields);
  Outcome ScanQuoted(const char*& position, std::vector<std::string_view>& fields);
  Outcome EndField(const char* position, bool quoted, std::size_t field_number);
  Outcome EndRecord(const char* position, std::size_t line_end_bytes);
  void UnescapeFields(std::vector<std::string_view>& fields);

  const char* sentinel() const { return buffer.data() + end; }
  std::size_t current_line() const { return line + newlines_in_record; }
  absl::Status TooLong() const;

  template <typename... Args>
  Outcome Fail(std::size_t at_line, fmt::format_string<Args...> format, Args&&... args) {
    status =
        InvalidArgument("{}: line {}: {}", source->name(), at_line, fmt::format(format, std::forward<Args>(args)...));
    return Outcome::kFailed;
  }

  std::unique_ptr<ByteSource> source;
  CsvOptions options;
  ByteSet ends_plain_field;
  ByteSet stops_in_quotes = SetOf({'"', '\n', '\0'});

  std::vector<char> buffer;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool source_ended = false;
  bool started = false;
  absl::Status status;

  std::size_t line = 1;  // where the bytes at `begin` stand
  // About the record being scanned.
  std::size_t newlines_in_record = 0;
  std::size_t record_bytes = 0;
  std::size_t record_end = 0;
  bool ends_with_newline = false;
  std::optional<std::size_t> open_quote_line;
  std::vector<std::size_t> escaped_fields;
};

CsvReader::Scanner::Scanner(std::unique_ptr<ByteSource> byte_source, CsvOptions csv_options)
    : source(std::move(byte_source)),
      options(csv_options),
      ends_plain_field(SetOf({csv_options.delimiter, '"', '\r', '\n', '\0'})) {
  options.max_record_bytes = std::min(options.max_record_bytes, kMaxRecordBytes);
}

absl::Status CsvReader::Scanner::Start() {
  started = true;
  if (!IsCsvDelimiter(options.delimiter)) {
    return InvalidArgument("{}: the delimiter must be an ASCII character other than a quote, a line end and NUL",
                           source->name());
  }
  buffer.resize(std::max(options.initial_buffer_bytes, kMinBufferBytes) + 1);
  RETURN_IF_ERROR(Refill());
  if (std::string_view(buffer.data(), end).starts_with(kByteOrderMark)) begin = kByteOrderMark.size();
  return absl::OkStatus();
}

absl::StatusOr<bool> CsvReader::Scanner::Next(std::vector<std::string_view>& fields, std::size_t& record_line) {
  fields.clear();
  if (!started) status = Start();
  while (status.ok()) {
    if (begin == end && source_ended) return false;
    const Outcome outcome = ScanRecord(fields);
    if (outcome == Outcome::kFailed) break;
    if (outcome == Outcome::kNeedsMore) {
      status = Refill();
      continue;
    }
    if (record_bytes > options.max_record_bytes) {
      status = TooLong();
      break;
    }
    record_line = line;
    line = current_line() + (ends_with_newline ? 1 : 0);
    begin = record_end;
    if (record_bytes == 0) continue;
    if (!escaped_fields.empty()) UnescapeFields(fields);
    return true;
  }
  fields.clear();
  return status;
}

absl::Status CsvReader::Scanner::Refill() {
  if (end - begin >= options.max_record_bytes + kLineEndBytes) return TooLong();
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  std::size_t capacity = buffer.size() - 1;
  if (end == capacity) {
    capacity = std::min(2 * capacity, options.max_record_bytes + kLineEndBytes);
    buffer.resize(capacity + 1);
  }
  while (end < capacity && !source_ended) {
    ASSIGN_OR_RETURN(const std::size_t count, source->Read(std::span(buffer).subspan(end, capacity - end)));
    source_ended = count == 0;
    end += count;
  }
  buffer[end] = '\0';
  return absl::OkStatus();
}

CsvReader::Scanner::Outcome CsvReader::Scanner::ScanRecord(std::vector<std::string_view>& fields) {
  fields.clear();
  escaped_fields.clear();
  newlines_in_record = 0;
  open_quote_line.reset();
  const char* position = buffer.data() + begin;
  while (true) {
    const bool quoted = *position == '"';
    if (quoted) {
      if (const Outcome outcome = ScanQuoted(position, fields); outcome != Outcome::kRecord) return outcome;
    } else {
      const char* const start = position;
      position = FindIn(ends_plain_field, position);
      fields.emplace_back(start, static_cast<std::size_t>(position - start));
    }
    if (*position != options.delimiter) return EndField(position, quoted, fields.size());
    if (fields.size() >= options.max_fields) {
      return Fail(current_line(), "more than {} fields; is the delimiter right?", options.max_fields);
    }
    ++position;
  }
}

// Moves from the opening quote to behind the closing one.
CsvReader::Scanner::Outcome CsvReader::Scanner::ScanQuoted(const char*& position,
                                                           std::vector<std::string_view>& fields) {
  open_quote_line = current_line();
  const char* const start = ++position;
  bool doubled = false;
  while (true) {
    position = FindIn(stops_in_quotes, position);
    if (*position == '\n') {
      ++newlines_in_record;
      ++position;
    } else if (*position == '"') {
      if (position + 1 == sentinel() && !source_ended) return Outcome::kNeedsMore;
      if (position[1] != '"') break;
      doubled = true;
      position += 2;
    } else if (position != sentinel()) {
      return EndField(position, true, fields.size() + 1);
    } else if (!source_ended) {
      return Outcome::kNeedsMore;
    } else {
      return Fail(*open_quote_line,
                  "field {}: the quote that opens here is never closed; close it, or double it and quote the field if "
                  "it is meant as text",
                  fields.size() + 1);
    }
  }
  if (doubled) escaped_fields.push_back(fields.size());
  fields.emplace_back(start, static_cast<std::size_t>(position - start));
  open_quote_line.reset();
  ++position;
  return Outcome::kRecord;
}

// What stands behind a field, if it is not the delimiter.
CsvReader::Scanner::Outcome CsvReader::Scanner::EndField(const char* position, bool quoted, std::size_t field_number) {
  switch (*position) {
    case '\n':
      return EndRecord(position, 1);
    case '\r':
      if (position + 1 == sentinel() && !source_ended) return Outcome::kNeedsMore;
      if (position[1] == '\n') return EndRecord(position, 2);
      return Fail(current_line(),
                  "field {}: a carriage return without a line feed; end lines with LF or CRLF, or quote the field",
                  field_number);
    case '\0':
      if (position != sentinel()) {
        return Fail(current_line(), "field {}: a NUL byte; is this a text file? If it is UTF-16, save it as UTF-8",
                    field_number);
      }
      return source_ended ? EndRecord(position, 0) : Outcome::kNeedsMore;
    default:
      if (quoted) {
        return Fail(current_line(), "field {}: text after the closing quote; a quote inside a quoted field is doubled",
                    field_number);
      }
      return Fail(current_line(),
                  "field {}: a quote in the middle of a field; quote the whole field and double the quotes inside it",
                  field_number);
  }
}

CsvReader::Scanner::Outcome CsvReader::Scanner::EndRecord(const char* position, std::size_t line_end_bytes) {
  const std::size_t stop = static_cast<std::size_t>(position - buffer.data());
  record_bytes = stop - begin;
  record_end = stop + line_end_bytes;
  ends_with_newline = line_end_bytes > 0;
  return Outcome::kRecord;
}

void CsvReader::Scanner::UnescapeFields(std::vector<std::string_view>& fields) {
  for (const std::size_t index : escaped_fields) {
    const std::size_t offset = static_cast<std::size_t>(fields[index].data() - buffer.data());
    fields[index] = Unescape(std::span(buffer).subspan(offset, fields[index].size()));
  }
}

absl::Status CsvReader::Scanner::TooLong() const {
  const std::string hint = open_quote_line.has_value()
                               ? fmt::format("is the quote that opened on line {} never closed?", *open_quote_line)
                               : "is this a CSV file with line ends?";
  return InvalidArgument("{}: line {}: a record of more than {} bytes; {}", source->name(), line,
                         options.max_record_bytes, hint);
}

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, CsvOptions options)
    : scanner_(std::make_unique<Scanner>(std::move(source), options)) {}

CsvReader::~CsvReader() = default;

absl::StatusOr<bool> CsvReader::Next() { return scanner_->Next(fields_, record_line_); }

const std::string& CsvReader::name() const { return scanner_->source->name(); }

}  // namespace flaim
