#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "io/byte_source.h"

namespace flaim {

enum class SchemaInitMode : std::uint8_t {
  // Takes the names and the delimiter from the header, and from at most the first kRowsForTypes rows only the type of
  // each column. Two files with the same header whose columns have the same types give the same bytes. What needs
  // values or bounds holds "FILL IN", which LoadSchema refuses. One record can change a type, so the text is stamped
  // with derived_from_private_rows until its owner takes that back.
  kTypesOnly,
  // Takes values, bounds and missing markers from all rows. Not private: the text says so at the top and under the key
  // derived_from_private_rows, which a Schema carries with it.
  kFromPrivateRows,
};

// What `flaim schema init` tells the owner of the data.
struct SchemaInitReport {
  struct ColumnReport {
    std::string name;
    std::string type;            // as in the schema; empty if the column was dropped
    bool needs_filling = false;  // has "FILL IN" somewhere
    std::string note;            // why it was dropped; may be empty
  };

  std::vector<ColumnReport> columns;
  char delimiter = ',';
  std::optional<std::uint64_t> rows_read;  // with kFromPrivateRows only
};

struct InitialSchema {
  std::string toml;
  SchemaInitReport report;
};

inline constexpr std::uint64_t kRowsForTypes = 1000;

// A schema file to start from, for a CSV file with a header.
absl::StatusOr<InitialSchema> InitSchema(std::unique_ptr<ByteSource> source, SchemaInitMode mode,
                                         ProgressSink* progress = nullptr);

}  // namespace flaim
