#pragma once

#include <exception>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace flaim::python {

// Carries a status out to Python, where it becomes the exception that its code stands for (exceptions.cc): the message
// is the command line's.
class StatusException final : public std::exception {
 public:
  explicit StatusException(absl::Status status) : status_(std::move(status)), message_(status_.message()) {}

  const absl::Status& status() const { return status_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  absl::Status status_;
  std::string message_;
};

inline void ThrowIfError(const absl::Status& status) {
  if (!status.ok()) throw StatusException(status);
}

template <typename Value>
Value Unwrap(absl::StatusOr<Value> value) {
  ThrowIfError(value.status());
  return *std::move(value);
}

}  // namespace flaim::python
