#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"

namespace flaim {

// Owns an open file of the operating system and closes it once. Standard input and output are borrowed: not closed.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  static FileDescriptor Owned(int number) { return FileDescriptor(number, true); }
  static FileDescriptor Borrowed(int number) { return FileDescriptor(number, false); }
  FileDescriptor(FileDescriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)), owned_(std::exchange(other.owned_, false)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~FileDescriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  FileDescriptor(int number, bool owned) : number_(number), owned_(owned) {}

  int number_ = -1;
  bool owned_ = false;
};

// "adult.csv: cannot be opened: No such file or directory", with a status code that fits `error_number` (an errno).
absl::Status FileError(std::string_view path, std::string_view what_failed, int error_number);

}  // namespace flaim
