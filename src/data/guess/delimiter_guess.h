#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "io/byte_source.h"

namespace flaim {

struct DelimitedSource {
  std::unique_ptr<ByteSource> source;  // gives all bytes, including those that were looked at
  char delimiter = ',';
};

// Guesses the delimiter from the first line alone: whichever of comma, semicolon, tab and bar occurs most often in it
// outside quotes, or the comma if none does.
absl::StatusOr<DelimitedSource> GuessDelimiter(std::unique_ptr<ByteSource> source);

}  // namespace flaim
