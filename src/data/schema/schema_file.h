#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"

namespace flaim {

inline constexpr std::size_t kMaxSchemaBytes = std::size_t{8} << 20;

// Reads a schema file, TOML (docs/SCHEMA.md) or JSON (schema_json.h); its content decides which. Refuses files above
// kMaxSchemaBytes.
absl::StatusOr<Schema> LoadSchema(const std::string& path);

// The same for text in memory; `name` is for messages.
absl::StatusOr<Schema> ParseSchema(std::string_view text, std::string_view name);

}  // namespace flaim
