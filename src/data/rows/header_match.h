#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"

namespace flaim {

// Where the columns of a schema stand in a file.
struct HeaderMatch {
  std::vector<std::size_t> field_of_column;  // one for each column of the schema
  std::optional<std::size_t> number_field;   // where the number column stands, if one was asked for
  std::size_t fields = 0;
};

struct HeaderMatchOptions {
  bool ignore_extra_columns = false;
  std::optional<std::string> number_column;
};

// Refuses a column that the schema keeps: it cannot be read alongside.
absl::Status CheckNumberColumn(const Schema& schema, const std::string& number_column);

// Finds each column of the schema by its name. Refuses a repeated name, and lists the columns that are missing and
// those that the schema does not mention. `place` (file and line) starts each message.
absl::StatusOr<HeaderMatch> MatchHeader(std::span<const std::string_view> header, const Schema& schema,
                                        const HeaderMatchOptions& options, std::string_view place);

}  // namespace flaim
