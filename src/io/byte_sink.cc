#include "io/byte_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/check.h"
#include "base/status.h"
#include "io/file_descriptor.h"

namespace flaim {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr mode_t kPermissionBits = 0777;

// Collects small writes into large ones.
class BufferedFile {
 public:
  BufferedFile(std::string name, FileDescriptor file) : name_(std::move(name)), file_(std::move(file)) {
    buffer_.reserve(kBufferBytes);
  }

  absl::Status Write(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferBytes) RETURN_IF_ERROR(Flush());
    if (bytes.size() >= kBufferBytes) return WriteThrough(bytes);
    buffer_.append(bytes);
    return absl::OkStatus();
  }

  absl::Status Flush() {
    const absl::Status status = WriteThrough(buffer_);
    buffer_.clear();
    return status;
  }

  int descriptor() const { return file_.number(); }
  const std::string& name() const { return name_; }

 private:
  absl::Status WriteThrough(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = write(file_.number(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return FileError(name_, "cannot be written", errno);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return absl::OkStatus();
  }

  const std::string name_;
  FileDescriptor file_;
  std::string buffer_;
};

// What every sink has in common: the first error stays, and Commit is the end.
class SinkBase : public ByteSink {
 public:
  absl::Status Write(std::string_view bytes) final {
    CHECK(!committed_, "written to after Commit");
    if (first_error_.ok()) first_error_ = WriteBytes(bytes);
    return first_error_;
  }
  absl::Status Commit() final {
    CHECK(!committed_, "committed twice");
    if (first_error_.ok()) {
      first_error_ = CommitBytes();
      committed_ = first_error_.ok();
    }
    return first_error_;
  }

 protected:
  virtual absl::Status WriteBytes(std::string_view bytes) = 0;
  virtual absl::Status CommitBytes() = 0;

 private:
  absl::Status first_error_;
  bool committed_ = false;
};

class DirectSink final : public SinkBase {
 public:
  DirectSink(std::string name, FileDescriptor file) : file_(std::move(name), std::move(file)) {}
  const std::string& name() const override { return file_.name(); }

 private:
  absl::Status WriteBytes(std::string_view bytes) override { return file_.Write(bytes); }
  absl::Status CommitBytes() override { return file_.Flush(); }

  BufferedFile file_;
};

class ReplacingSink final : public SinkBase {
 public:
  ReplacingSink(std::string name, std::string target, std::string temporary, FileDescriptor file, mode_t permissions)
      : file_(std::move(name), std::move(file)),
        target_(std::move(target)),
        temporary_(std::move(temporary)),
        permissions_(permissions) {}
  ~ReplacingSink() override {
    if (!renamed_) unlink(temporary_.c_str());
  }
  const std::string& name() const override { return file_.name(); }

 private:
  absl::Status WriteBytes(std::string_view bytes) override { return file_.Write(bytes); }

  absl::Status CommitBytes() override {
    RETURN_IF_ERROR(file_.Flush());
    if (fchmod(file_.descriptor(), permissions_) != 0) return FileError(name(), "cannot set permissions", errno);
    if (fsync(file_.descriptor()) != 0) return FileError(name(), "cannot be written to the disk", errno);
    if (rename(temporary_.c_str(), target_.c_str()) != 0) return FileError(name(), "cannot be replaced", errno);
    renamed_ = true;
    return SyncFolder();
  }

  absl::Status SyncFolder() const {
    const std::string folder = std::filesystem::path(target_).parent_path().string();
    const FileDescriptor descriptor = FileDescriptor::Owned(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool synced = descriptor.is_open() && (fsync(descriptor.number()) == 0 || errno == EINVAL);
    if (!synced) return FileError(name(), "is written, but its folder cannot be flushed to the disk", errno);
    return absl::OkStatus();
  }

  BufferedFile file_;
  const std::string target_;
  const std::string temporary_;
  const mode_t permissions_;
  bool renamed_ = false;
};

class TextSink final : public SinkBase {
 public:
  TextSink(std::string name, std::string* content) : name_(std::move(name)), content_(content) {}
  const std::string& name() const override { return name_; }

 private:
  absl::Status WriteBytes(std::string_view bytes) override {
    collected_.append(bytes);
    return absl::OkStatus();
  }
  absl::Status CommitBytes() override {
    *content_ = std::move(collected_);
    return absl::OkStatus();
  }

  const std::string name_;
  std::string* const content_;
  std::string collected_;
};

// umask can only be read by setting it; for that moment it is as strict as can be.
mode_t PermissionsOfNewFile() {
  const mode_t mask = umask(kPermissionBits);
  umask(mask);
  return 0666 & ~mask;
}

absl::StatusOr<std::unique_ptr<ByteSink>> OpenDirectly(const std::string& path) {
  FileDescriptor file = FileDescriptor::Owned(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return FileError(path, "cannot be opened for writing", errno);
  return std::make_unique<DirectSink>(path, std::move(file));
}

absl::StatusOr<std::unique_ptr<ByteSink>> CreateBeside(const std::string& path, const std::filesystem::path& target,
                                                       mode_t permissions) {
  std::string temporary = (target.parent_path() / ".flaim-XXXXXX").string();
  FileDescriptor file = FileDescriptor::Owned(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.is_open()) {
    const std::string what_failed =
        fmt::format("no file can be created in the folder '{}'", target.parent_path().string());
    return FileError(path, what_failed, errno);
  }
  return std::make_unique<ReplacingSink>(path, target.string(), std::move(temporary), std::move(file), permissions);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ByteSink>> CreateFile(const std::string& path) {
  if (path == "-") return std::make_unique<DirectSink>("standard output", FileDescriptor::Borrowed(STDOUT_FILENO));
  std::error_code error;
  struct stat existing {};
  if (stat(path.c_str(), &existing) != 0) {
    if (errno != ENOENT) return FileError(path, "cannot be created", errno);
    const std::filesystem::path target = std::filesystem::absolute(path, error);
    if (error || !target.has_filename()) return InvalidArgument("{}: is not the name of a file", path);
    return CreateBeside(path, target, PermissionsOfNewFile());
  }
  if (S_ISDIR(existing.st_mode)) return InvalidArgument("{}: is a folder; name a file inside it", path);
  if (!S_ISREG(existing.st_mode)) return OpenDirectly(path);
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return FileError(path, "cannot be replaced", errno);
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) return FileError(path, "cannot be replaced", error.value());
  return CreateBeside(path, target, existing.st_mode & kPermissionBits);
}

std::unique_ptr<ByteSink> StringSink(std::string name, std::string* content) {
  return std::make_unique<TextSink>(std::move(name), content);
}

}  // namespace flaim
