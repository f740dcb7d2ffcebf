#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace flaim {

// What the codes of one column look like in a CSV file, made once, for columns whose codes have one text each. Each
// text is kept with the character that follows it.
class FieldTexts {
 public:
  // Texts are copied this many bytes at a time: a destination needs as much room beyond what is written.
  static constexpr std::size_t kSlack = 16;
  // The texts of a column with more codes are made as they are needed.
  static constexpr std::uint32_t kMaxTexts = std::uint32_t{1} << 16;

  // In the order of the codes.
  void Add(std::string_view text) {
    begin_.push_back(static_cast<std::uint32_t>(texts_.size()));
    length_.push_back(static_cast<std::uint32_t>(text.size()));
    longest_ = text.size() > longest_ ? text.size() : longest_;
    texts_.append(text);
  }
  // After the last Add.
  void Seal() { texts_.append(kSlack, '\0'); }

  std::size_t size() const { return begin_.size(); }
  std::size_t longest() const { return longest_; }

  // REQUIRES: sealed; code < size(); longest() + kSlack bytes of room.
  char* Copy(std::uint32_t code, char* out) const {
    const char* text = texts_.data() + begin_[code];
    const std::size_t length = length_[code];
    std::memcpy(out, text, kSlack);
    if (length > kSlack) [[unlikely]]
      std::memcpy(out + kSlack, text + kSlack, length - kSlack);
    return out + length;
  }

 private:
  std::string texts_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> length_;
  std::size_t longest_ = 0;
};

}  // namespace flaim
