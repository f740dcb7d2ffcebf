#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "data/byte_sink.h"

namespace flaim {

// Writes RFC 4180 records with LF line ends, so that CsvReader with the same delimiter gives back exactly the fields
// that went in. Quotes only where that needs it: a delimiter, quote, CR or LF in the field, a record that is one empty
// field (it would be a blank line), and a byte-order mark at the front of a field. The caller commits the sink.
class CsvWriter {
 public:
  // The sink must outlive the writer. REQUIRES: IsCsvDelimiter(delimiter).
  explicit CsvWriter(ByteSink& sink, char delimiter = ',');

  // Adds a field to the current record.
  void Field(std::string_view value);
  // Ends the record and passes it on. Refuses a NUL byte, which no reader would take. REQUIRES: at least one field.
  absl::Status EndRecord();

  // A whole record at once.
  absl::Status Record(std::span<const std::string_view> fields);

 private:
  bool NeedsQuotes(std::string_view value);
  void AppendQuoted(std::string_view value);

  ByteSink& sink_;
  const char delimiter_;
  std::array<bool, 256> is_special_{};
  std::string record_;
  bool has_fields_ = false;
  bool has_nul_ = false;
};

}  // namespace flaim
