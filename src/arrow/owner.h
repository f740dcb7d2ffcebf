#pragma once

#include <utility>

#include "arrow/c_data.h"

namespace flaim {

// Holds one of the three structures of the C data interface, and releases it. Empty until somebody fills it in.
template <typename Structure>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  ArrowOwner(ArrowOwner&& that) noexcept : held_(std::exchange(that.held_, Structure{})) {}
  ArrowOwner& operator=(ArrowOwner&& that) noexcept {
    std::swap(held_, that.held_);
    return *this;
  }
  ~ArrowOwner() {
    if (held_.release != nullptr) held_.release(&held_);
  }

  // Takes over what `from` holds, and leaves it released.
  static ArrowOwner TakeFrom(Structure& from) {
    ArrowOwner owner;
    owner.held_ = std::exchange(from, Structure{});
    return owner;
  }

  bool is_released() const { return held_.release == nullptr; }
  Structure& get() { return held_; }
  const Structure* operator->() const { return &held_; }
  const Structure& operator*() const { return held_; }

 private:
  Structure held_{};
};

}  // namespace flaim
