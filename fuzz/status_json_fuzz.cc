#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "runtime/observe/display.h"
#include "runtime/observe/metrics.h"
#include "runtime/observe/study_status.h"

// Any bytes as the status of a study, which `flaim status` reads from whoever answers. What is accepted must survive
// being written and read again, and can be shown.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flaim::runtime;
  const absl::StatusOr<StudyStatus> status = ParseStudyStatus(std::string(reinterpret_cast<const char*>(data), size));
  if (!status.ok()) return 0;
  const std::string written = ToJson(*status);
  const absl::StatusOr<StudyStatus> read = ParseStudyStatus(written);
  CHECK(read.ok() && ToJson(*read) == written, "a status changed by being written and read");
  for (const int columns : {60, 80, 200}) {
    const std::string text = ToText(*status, columns);
    std::size_t start = 0;
    for (std::size_t end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
      const std::string line = text.substr(start, end - start);
      CHECK(TextWidth(line) <= static_cast<std::size_t>(columns), "a line is too wide");
      CHECK(Printable(line) == line, "a line is not printable");
    }
  }
  CHECK(!ToMetrics(*status).empty());
  return 0;
}
