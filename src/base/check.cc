#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace flaim::internal {

void CheckFailed(std::string_view file, int line, std::string_view condition, std::string_view message) {
  fmt::print(stderr, "{}:{}: bug: CHECK({}) failed. {}\n", file, line, condition, message);
  std::abort();
}

}  // namespace flaim::internal
