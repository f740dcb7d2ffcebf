#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/byte_source.h"

namespace flaim {

// Serves a string in pieces of the given sizes, over and over: a slow pipe for tests and fuzzing.
class ChunkedSource final : public ByteSource {
 public:
  // REQUIRES: at least one size, each positive.
  ChunkedSource(std::string name, std::string content, std::vector<std::size_t> chunk_sizes)
      : name_(std::move(name)), content_(std::move(content)), rest_(content_), chunk_sizes_(std::move(chunk_sizes)) {}

  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    const std::size_t chunk = chunk_sizes_[reads_++ % chunk_sizes_.size()];
    const std::size_t count = rest_.copy(out.data(), std::min(chunk, out.size()));
    rest_.remove_prefix(count);
    return count;
  }
  const std::string& name() const override { return name_; }

 private:
  const std::string name_;
  const std::string content_;
  std::string_view rest_;
  const std::vector<std::size_t> chunk_sizes_;
  std::size_t reads_ = 0;
};

}  // namespace flaim
