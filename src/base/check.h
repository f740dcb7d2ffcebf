#pragma once

#include <concepts>
#include <string_view>

#include "fmt/format.h"

// CHECK(condition, "message {}", value) stops the program where a *bug* shows itself. What the outside world can cause
// (files, users, the network) is never a CHECK: it is an absl::Status. The message must not contain a private value.

namespace flaim::internal {

[[noreturn]] void CheckFailed(std::string_view file, int line, std::string_view condition, std::string_view message);

}  // namespace flaim::internal

#define CHECK(condition, ...)                                                                        \
  do {                                                                                               \
    if (!(condition)) [[unlikely]] {                                                                 \
      ::flaim::internal::CheckFailed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
    }                                                                                                \
  } while (false)
