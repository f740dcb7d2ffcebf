#include <sodium.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "model/file/model_envelope.h"
#include "model/file/model_file.h"

// Any bytes as a model file. Input that starts like one is read as it is, and again with a right checksum; other input
// is a header, a NUL byte and numbers, put into a right envelope. What is accepted must survive being written and read
// again.

namespace {

using namespace flaim;

constexpr ModelLimits kLimits = {.max_bytes = 1 << 16, .max_cells = 1 << 12};
constexpr std::size_t kChecksumBytes = 32;

std::string Write(const ModelFile& file) {
  std::string bytes;
  const absl::Status status = WriteModel(file.schema, file.report, file.model, *StringSink("written", &bytes));
  CHECK(status.ok(), "a model that was read cannot be written: {}", status.ToString());
  return bytes;
}

void Read(std::string bytes) {
  static Parallel parallel(1);
  const absl::StatusOr<ModelFile> file = ReadModel(*StringSource("fuzz", std::move(bytes)), kLimits, parallel);
  if (!file.ok()) return;
  const std::string written = Write(*file);
  const ModelLimits room = {.max_bytes = 1 << 24, .max_cells = kLimits.max_cells};
  const absl::StatusOr<ModelFile> again = ReadModel(*StringSource("written", written), room, parallel);
  CHECK(again.ok(), "what was written is refused: {}", again.status().ToString());
  CHECK(again->schema == file->schema && again->report == file->report);
  CHECK(Write(*again) == written, "a model changed by being written and read");
}

std::string WithRightChecksum(std::string bytes) {
  if (bytes.size() < kChecksumBytes) return bytes;
  const std::size_t body = bytes.size() - kChecksumBytes;
  auto* data = reinterpret_cast<unsigned char*>(bytes.data());
  crypto_generichash(data + body, kChecksumBytes, data, body, nullptr, 0);
  return bytes;
}

std::string InEnvelope(std::string_view input) {
  const std::string_view header = input.substr(0, input.find('\0'));
  const std::string_view rest = input.substr(std::min(header.size() + 1, input.size()));
  std::vector<double> numbers(rest.size() / sizeof(double));
  rest.copy(reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(double));
  const std::span<const double> block = numbers;
  std::string bytes;
  const auto sink = StringSink("fuzz", &bytes);
  CHECK(WriteEnvelope(header, std::span(&block, 1), *sink).ok() && sink->Commit().ok());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (input.starts_with("FLAIM")) {
    Read(input);
    Read(WithRightChecksum(input));
  } else {
    Read(InEnvelope(input));
  }
  return 0;
}
