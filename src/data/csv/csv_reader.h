#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "io/byte_source.h"

namespace flaim {

struct CsvOptions {
  char delimiter = ',';
  // A record longer than this is an error, not an allocation: a missing quote or a wrong file shows itself here.
  std::size_t max_record_bytes = std::size_t{16} << 20;
  std::size_t max_fields = 1 << 16;
  // How many bytes are read ahead at first; the buffer grows with the longest record. Small values are for tests.
  std::size_t initial_buffer_bytes = std::size_t{256} << 10;
};

// Reads RFC 4180 records one by one, in constant memory: quotes, doubled quotes, newlines inside quotes, LF and CRLF,
// a UTF-8 byte-order mark, any ASCII delimiter. Refuses NUL bytes, a stray quote, text after a closing quote, an
// unfinished quote and an oversized record, each with the file's name and the line. Blank lines are skipped.
//
// Spaces belong to the field. Between quotes every byte but NUL is kept as it is. Outside quotes a carriage return
// without a line feed is refused rather than guessed at: some programs end a line there, others keep it as data. How
// many fields a record has is the caller's affair. Bytes are not checked to be UTF-8.
class CsvReader {
 public:
  // A delimiter that cannot be one (see IsCsvDelimiter) is an error of the first Next().
  CsvReader(std::unique_ptr<ByteSource> source, CsvOptions options);
  ~CsvReader();

  // Moves to the next record; false at the end. After an error the reader is finished and repeats it.
  absl::StatusOr<bool> Next();

  // The fields of the current record, valid until the next call of Next().
  std::span<const std::string_view> fields() const { return fields_; }
  // The line on which the current record starts, from 1.
  std::size_t line() const { return record_line_; }
  const std::string& name() const;

 private:
  std::vector<std::string_view> fields_;
  std::size_t record_line_ = 0;
  struct Scanner;
  std::unique_ptr<Scanner> scanner_;
};

}  // namespace flaim
