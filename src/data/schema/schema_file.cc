#include "data/schema/schema_file.h"

#include <memory>

#include "base/status.h"
#include "data/csv/csv_format.h"
#include "data/schema/schema_json.h"
#include "data/schema/schema_toml.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// A TOML file can start with '[' too, but never with '[' and then '{' or ']'.
bool LooksLikeJson(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return false;
  if (text[first] != '[') return text[first] == '{';
  const std::size_t second = text.find_first_not_of(kBlanks, first + 1);
  return second != std::string_view::npos && (text[second] == '{' || text[second] == ']');
}

}  // namespace

absl::StatusOr<Schema> LoadSchema(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxSchemaBytes));
  return ParseSchema(text, source->name());
}

absl::StatusOr<Schema> ParseSchema(std::string_view text, std::string_view name) {
  if (text.size() > kMaxSchemaBytes) {
    return InvalidArgument("{}: larger than {} MiB; is this a schema?", name, kMaxSchemaBytes >> 20);
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.find_first_not_of(kBlanks) == std::string_view::npos) {
    return InvalidArgument("{}: empty; 'flaim schema init' makes a schema to start from", name);
  }
  return LooksLikeJson(text) ? ParseSchemaJson(text, name) : ParseSchemaToml(text, name);
}

}  // namespace flaim
