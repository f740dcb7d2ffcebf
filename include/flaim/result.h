#pragma once

#include <string>
#include <utility>
#include <variant>

namespace flaim::api {

// Why something was not done, as the exit codes of the program have it.
enum class ErrorKind {
  kFailed,   // a file or the system
  kRefused,  // data, schema, workload or an argument; the message says which and what to do
  kBudget,   // the privacy budget does not allow it
  kDamaged,  // a ledger or a model is damaged or was altered
  kInterrupted,
};

struct Error {
  ErrorKind kind;
  std::string message;
};

// A value, or why there is none. No function of this library throws, other than std::bad_alloc.
template <typename T>
class [[nodiscard]] Result {
 public:
  // Not explicit: a function returns the one or the other.
  Result(T value) : held_(std::move(value)) {}
  Result(Error error) : held_(std::move(error)) {}

  bool ok() const { return held_.index() == 0; }
  // REQUIRES: ok().
  T& value() { return std::get<0>(held_); }
  const T& value() const { return std::get<0>(held_); }
  // REQUIRES: !ok().
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

}  // namespace flaim::api
