// Any bytes as a CSV file. The first two bytes choose how the source cuts the rest and how small the
// reader's buffer is. Neither may change what is read; and what is read, written and read again stays the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "data/csv/csv_reader.h"
#include "data/csv/csv_writer.h"
#include "io/byte_sink.h"
#include "io/chunked_source_testing.h"

namespace flaim {
namespace {

constexpr std::size_t kLargeBufferBytes = std::size_t{8} << 10;

using Records = std::vector<std::vector<std::string>>;

struct Outcome {
  Records records;
  absl::Status status;
};

Outcome Read(std::unique_ptr<ByteSource> source, const CsvOptions& options) {
  Outcome outcome;
  CsvReader reader(std::move(source), options);
  std::size_t last_line = 0;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next();
    outcome.status = more.status();
    if (!more.ok() || !*more) return outcome;
    CHECK(reader.line() > last_line);
    last_line = reader.line();
    outcome.records.emplace_back(reader.fields().begin(), reader.fields().end());
  }
}

std::string Write(const Records& records) {
  std::string text;
  const auto sink = StringSink("fuzz", &text);
  CsvWriter writer(*sink);
  for (const std::vector<std::string>& record : records) {
    for (const std::string& field : record) writer.Field(field);
    CHECK(writer.EndRecord().ok());
  }
  CHECK(sink->Commit().ok());
  return text;
}

void CheckText(std::size_t chunk, std::size_t buffer, const std::string& text) {
  const Outcome whole = Read(StringSource("fuzz", text), {.initial_buffer_bytes = kLargeBufferBytes});
  const Outcome cut = Read(std::make_unique<ChunkedSource>("fuzz", text, std::vector<std::size_t>{chunk, 1}),
                           {.initial_buffer_bytes = buffer});
  CHECK(whole.records == cut.records);
  CHECK(whole.status == cut.status);

  CsvReader again(StringSource("fuzz", Write(whole.records)), {.initial_buffer_bytes = kLargeBufferBytes});
  for (const std::vector<std::string>& record : whole.records) {
    const absl::StatusOr<bool> more = again.Next();
    CHECK(more.ok() && *more);
    CHECK(record == std::vector<std::string>(again.fields().begin(), again.fields().end()));
  }
  const absl::StatusOr<bool> more = again.Next();
  CHECK(more.ok() && !*more);
  (void)Read(StringSource("fuzz", text),
             {.max_record_bytes = buffer, .max_fields = chunk, .initial_buffer_bytes = buffer});
}

}  // namespace
}  // namespace flaim

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  flaim::CheckText(std::size_t{1} + data[0], data[1], std::string(reinterpret_cast<const char*>(data) + 2, size - 2));
  return 0;
}
