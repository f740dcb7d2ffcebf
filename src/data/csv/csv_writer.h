#pragma once

#include <array>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "io/byte_sink.h"

namespace flaim {

// How a field stands in a CSV file: in quotes if it holds a delimiter, quote, CR, LF or NUL, or starts with a
// byte-order mark; otherwise as it is.
class CsvFieldFormat {
 public:
  // REQUIRES: IsCsvDelimiter(delimiter).
  explicit CsvFieldFormat(char delimiter);

  char delimiter() const { return delimiter_; }
  void Append(std::string_view value, std::string& out) const;

 private:
  bool NeedsQuotes(std::string_view value) const;

  const char delimiter_;
  std::array<bool, 256> is_special_{};
};

// Writes RFC 4180 records with LF line ends, so that CsvReader with the same delimiter gives back exactly the fields
// that went in. Quotes only where that needs it: as CsvFieldFormat says, and a record that is one empty field, which
// would be a blank line. The caller commits the sink.
class CsvWriter {
 public:
  // The sink must outlive the writer. REQUIRES: IsCsvDelimiter(delimiter).
  explicit CsvWriter(ByteSink& sink, char delimiter = ',');

  // Adds a field to the current record.
  void Field(std::string_view value);
  // Ends the record and passes it on. Refuses a NUL byte, which no reader would take. REQUIRES: at least one field.
  absl::Status EndRecord();

 private:
  ByteSink& sink_;
  const CsvFieldFormat format_;
  std::string record_;
  bool has_fields_ = false;
  bool has_nul_ = false;
};

}  // namespace flaim
