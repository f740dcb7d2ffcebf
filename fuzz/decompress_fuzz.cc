// Any bytes as a compressed file. The first byte chooses how the source cuts the rest, which may not change the text.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "io/byte_source.h"
#include "io/chunked_source_testing.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;

absl::StatusOr<std::string> Decompress(const std::string& bytes, std::size_t chunk) {
  auto source = DecompressIfNeeded(std::make_unique<ChunkedSource>("fuzz", bytes, std::vector<std::size_t>{chunk, 1}));
  if (!source.ok()) return source.status();
  return ReadAll(**source, kMaxTextBytes);
}

void CheckBytes(std::size_t chunk, const std::string& bytes) {
  const absl::StatusOr<std::string> whole = Decompress(bytes, bytes.size() + 1);
  const absl::StatusOr<std::string> cut = Decompress(bytes, chunk);
  CHECK(whole.ok() == cut.ok());
  CHECK(!whole.ok() || *whole == *cut);
}

}  // namespace
}  // namespace flaim

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  flaim::CheckBytes(std::size_t{1} + data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
