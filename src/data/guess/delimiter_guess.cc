#include "data/guess/delimiter_guess.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "base/status.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;
constexpr std::string_view kDelimiters = ",;\t|";

// Serves bytes that were already read, then the rest of the source.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    if (served_ == prefix_.size()) return rest_->Read(out);
    const std::size_t count = std::min(out.size(), prefix_.size() - served_);
    std::memcpy(out.data(), prefix_.data() + served_, count);
    served_ += count;
    return count;
  }

  const std::string& name() const override { return rest_->name(); }

 private:
  const std::string prefix_;
  std::size_t served_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

bool HasWholeLine(std::string_view text) {
  bool is_quoted = false;
  for (const char character : text) {
    if (character == '"') is_quoted = !is_quoted;
    if (character == '\n' && !is_quoted) return true;
  }
  return false;
}

char MostFrequentDelimiter(std::string_view text) {
  std::array<std::size_t, kDelimiters.size()> counts{};
  bool is_quoted = false;
  for (const char character : text) {
    if (character == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (character == '\n') break;
    if (const std::size_t which = kDelimiters.find(character); which != std::string_view::npos) ++counts[which];
  }
  return kDelimiters[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

}  // namespace

absl::StatusOr<DelimitedSource> GuessDelimiter(std::unique_ptr<ByteSource> source) {
  std::string prefix;
  while (prefix.size() < kMaxHeaderBytes && !HasWholeLine(prefix)) {
    std::array<char, 4096> chunk{};
    ASSIGN_OR_RETURN(const std::size_t count, source->Read(chunk));
    if (count == 0) break;
    prefix.append(chunk.data(), count);
  }
  const char delimiter = MostFrequentDelimiter(prefix);
  return DelimitedSource{std::make_unique<PrefixedSource>(std::move(prefix), std::move(source)), delimiter};
}

}  // namespace flaim
