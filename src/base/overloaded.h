#pragma once

namespace flaim {

// One function object of several, for std::visit: a case for each alternative.
template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
// Clang 14 does not deduce it for itself.
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace flaim
