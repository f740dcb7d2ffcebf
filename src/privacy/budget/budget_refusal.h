#pragma once

#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace flaim {

// "The privacy budget does not allow it", told apart from everything else that can run out (disk, memory): a
// ResourceExhausted status that carries a mark. Copies keep the mark; a status made anew from its message does not.
absl::Status MarkedAsBudgetRefusal(absl::Status status);
bool IsBudgetRefusal(const absl::Status& status);

template <typename... Args>
absl::Status BudgetRefused(fmt::format_string<Args...> format, Args&&... args) {
  return MarkedAsBudgetRefusal(absl::ResourceExhaustedError(fmt::format(format, std::forward<Args>(args)...)));
}

}  // namespace flaim
