#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"

namespace flaim {

// Stands where a person must still fill something in. A schema that contains it is refused, and told what is missing.
inline constexpr std::string_view kFillIn = "FILL IN";

// Reads a schema file (docs/SCHEMA.md). Strict: an unknown key is an error that suggests the nearest one. `name` is the
// file's, for messages. Safe for hostile text: nesting is limited before the TOML library sees it.
absl::StatusOr<Schema> ParseSchemaToml(std::string_view text, std::string_view name);

// The schema as a file that ParseSchemaToml reads back as an equal schema. `comment` goes to the top, line by line.
std::string FormatSchemaToml(const Schema& schema, std::string_view comment = {});

// Parts of a schema file, for whoever writes one: a comment, a text in quotes, a list of texts.
std::string TomlComment(std::string_view comment);
std::string TomlQuote(std::string_view text);
std::string TomlList(std::span<const std::string> texts);

}  // namespace flaim
