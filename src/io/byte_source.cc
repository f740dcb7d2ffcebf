#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/status.h"
#include "io/compression/decompressing_source.h"
#include "io/file_descriptor.h"

namespace flaim {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, FileDescriptor file) : name_(std::move(name)), file_(std::move(file)) {}

  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    while (true) {
      const ssize_t count = read(file_.number(), out.data(), out.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return FileError(name_, "cannot be read", errno);
    }
  }
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  FileDescriptor file_;
};

class TextSource final : public ByteSource {
 public:
  TextSource(std::string name, std::string content) : name_(std::move(name)), content_(std::move(content)) {}

  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    const std::size_t count = content_.copy(out.data(), out.size(), position_);
    position_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  std::string content_;
  std::size_t position_ = 0;
};

// Serves bytes that were already taken from a source, then the rest of it.
class PeekedSource final : public ByteSource {
 public:
  PeekedSource(std::string peeked, std::unique_ptr<ByteSource> rest)
      : peeked_(std::move(peeked)), unserved_(peeked_), rest_(std::move(rest)) {}

  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    if (unserved_.empty()) return rest_->Read(out);
    const std::size_t count = unserved_.copy(out.data(), out.size());
    unserved_.remove_prefix(count);
    return count;
  }
  const std::string& name() const override { return rest_->name(); }

 private:
  const std::string peeked_;
  std::string_view unserved_;
  std::unique_ptr<ByteSource> rest_;
};

absl::StatusOr<std::unique_ptr<ByteSource>> OpenUndecoded(const std::string& path) {
  if (path == "-") {
    return std::make_unique<FileSource>("standard input", FileDescriptor::Borrowed(STDIN_FILENO));
  }
  FileDescriptor file = FileDescriptor::Owned(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return FileError(path, "cannot be opened", errno);
  struct stat status {};
  if (fstat(file.number(), &status) != 0) return FileError(path, "cannot be opened", errno);
  if (S_ISDIR(status.st_mode)) return InvalidArgument("{}: is a folder; name a file inside it", path);
  return std::make_unique<FileSource>(path, std::move(file));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenUndecoded(path));
  return DecompressIfNeeded(std::move(source));
}

absl::StatusOr<std::unique_ptr<ByteSource>> DecompressIfNeeded(std::unique_ptr<ByteSource> source) {
  std::array<char, kMagicBytes> first_bytes;
  std::size_t count = 0;
  while (count < first_bytes.size()) {
    ASSIGN_OR_RETURN(const std::size_t more, source->Read(std::span(first_bytes).subspan(count)));
    if (more == 0) break;
    count += more;
  }
  std::string peeked(first_bytes.data(), count);
  ASSIGN_OR_RETURN(std::unique_ptr<Decompressor> decompressor, DecompressorFor(peeked));
  auto whole = std::make_unique<PeekedSource>(std::move(peeked), std::move(source));
  if (decompressor == nullptr) return whole;
  return std::make_unique<DecompressingSource>(std::move(whole), std::move(decompressor));
}

std::unique_ptr<ByteSource> StringSource(std::string name, std::string content) {
  return std::make_unique<TextSource>(std::move(name), std::move(content));
}

absl::StatusOr<std::string> ReadAll(ByteSource& source, std::size_t max_bytes) {
  constexpr std::size_t kStepBytes = std::size_t{1} << 16;
  std::string content;
  while (true) {
    const std::size_t size = content.size();
    content.resize(size + kStepBytes);
    ASSIGN_OR_RETURN(const std::size_t count, source.Read(std::span(content).subspan(size)));
    content.resize(size + count);
    if (count == 0) return content;
    if (content.size() > max_bytes) {
      return ResourceExhausted("{}: is longer than the {} bytes allowed; is it the right file?", source.name(),
                               max_bytes);
    }
  }
}

}  // namespace flaim
