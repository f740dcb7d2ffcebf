#include "data/csv/csv_writer.h"

#include "base/check.h"
#include "base/status.h"
#include "data/csv/csv_format.h"

namespace flaim {

CsvFieldFormat::CsvFieldFormat(char delimiter) : delimiter_(delimiter) {
  CHECK(IsCsvDelimiter(delimiter));
  for (const char special : {delimiter, '"', '\r', '\n', '\0'}) is_special_[static_cast<unsigned char>(special)] = true;
}

bool CsvFieldFormat::NeedsQuotes(std::string_view value) const {
  bool special = value.starts_with(kByteOrderMark);
  for (const char byte : value) special |= is_special_[static_cast<unsigned char>(byte)];
  return special;
}

void CsvFieldFormat::Append(std::string_view value, std::string& out) const {
  if (!NeedsQuotes(value)) {
    out.append(value);
    return;
  }
  out.push_back('"');
  for (std::size_t quote = value.find('"'); quote != std::string_view::npos; quote = value.find('"')) {
    out.append(value.substr(0, quote + 1)).push_back('"');
    value.remove_prefix(quote + 1);
  }
  out.append(value).push_back('"');
}

CsvWriter::CsvWriter(ByteSink& sink, char delimiter) : sink_(sink), format_(delimiter) {}

void CsvWriter::Field(std::string_view value) {
  if (has_fields_) record_.push_back(format_.delimiter());
  has_fields_ = true;
  has_nul_ |= value.find('\0') != std::string_view::npos;
  format_.Append(value, record_);
}

absl::Status CsvWriter::EndRecord() {
  CHECK(has_fields_, "a CSV record needs a field");
  if (has_nul_) return InvalidArgument("{}: a field to be written contains a NUL byte", sink_.name());
  if (record_.empty()) record_ = "\"\"";
  record_.push_back('\n');
  const absl::Status status = sink_.Write(record_);
  record_.clear();
  has_fields_ = false;
  return status;
}

}  // namespace flaim
