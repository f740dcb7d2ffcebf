#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_json.h"
#include "data/schema/schema_toml.h"

// Any bytes as a schema: the first byte chooses the reader. What is accepted must survive being written and read again.

namespace {

absl::StatusOr<flaim::Schema> Parse(char reader, std::string_view text) {
  if (reader == 'J') return flaim::ParseSchemaJson(text, "fuzz");
  if (reader == 'T') return flaim::ParseSchemaToml(text, "fuzz");
  return flaim::ParseSchema(text, "fuzz");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<flaim::Schema> schema = Parse(input.front(), std::string_view(input).substr(1));
  if (!schema.ok()) return 0;
  const absl::StatusOr<flaim::Schema> read = flaim::ParseSchemaToml(flaim::FormatSchemaToml(*schema), "written");
  CHECK(read.ok() && *read == *schema, "a schema changed by being written and read");
  return 0;
}
