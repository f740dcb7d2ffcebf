#pragma once

#include "absl/status/statusor.h"
#include "flaim/result.h"

namespace flaim::api {

// What the public API says of a status. REQUIRES: not ok.
Error ErrorOf(const absl::Status& status);

template <typename T>
Result<T> ResultOf(absl::StatusOr<T> value) {
  if (!value.ok()) return ErrorOf(value.status());
  return *std::move(value);
}

}  // namespace flaim::api
