#include "runtime/identity/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/status.h"
#include "io/file_descriptor.h"

namespace flaim::runtime {
namespace {

constexpr off_t kMaxBytes = off_t{1} << 20;
constexpr mode_t kRightsOfOthers = S_IRWXG | S_IRWXO;

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

absl::Status WriteAll(const FileDescriptor& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (fsync(file.number()) != 0) return FileError(path, "cannot be written to the disk", errno);
  return absl::OkStatus();
}

absl::Status SyncFolder(const std::string& path) {
  const FileDescriptor folder = FileDescriptor::Owned(open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const bool synced = folder.is_open() && (fsync(folder.number()) == 0 || errno == EINVAL);
  if (!synced) return FileError(path, "is written, but its folder cannot be flushed to the disk", errno);
  return absl::OkStatus();
}

// A file with these bytes beside `path`, under a name of its own, which goes away with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : name_(fmt::format("{}/.flaim-XXXXXX", FolderOf(path))) {}
  ~TemporaryFile() {
    if (is_created_) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  absl::Status Fill(const std::string& path, std::string_view bytes) {
    const FileDescriptor file = FileDescriptor::Owned(mkostemp(name_.data(), O_CLOEXEC));
    if (!file.is_open()) return FileError(path, "no file can be created in its folder", errno);
    is_created_ = true;
    if (fchmod(file.number(), S_IRUSR | S_IWUSR) != 0) return FileError(path, "cannot set permissions", errno);
    return WriteAll(file, path, bytes);
  }
  const char* name() const { return name_.c_str(); }
  void Disown() { is_created_ = false; }

 private:
  std::string name_;
  bool is_created_ = false;
};

absl::StatusOr<std::string> ReadAll(const FileDescriptor& file, const std::string& path, std::size_t size) {
  std::string bytes(size + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(path, "cannot be read", errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  if (filled != size) return Unavailable("{}: changed while it was read: try again", path);
  bytes.resize(size);
  return bytes;
}

}  // namespace

absl::Status WritePrivateFile(const std::string& path, std::string_view bytes) {
  TemporaryFile temporary(path);
  RETURN_IF_ERROR(temporary.Fill(path, bytes));
  if (rename(temporary.name(), path.c_str()) != 0) return FileError(path, "cannot be replaced", errno);
  temporary.Disown();
  return SyncFolder(path);
}

absl::Status CreatePrivateFile(const std::string& path, std::string_view bytes) {
  TemporaryFile temporary(path);
  RETURN_IF_ERROR(temporary.Fill(path, bytes));
  if (link(temporary.name(), path.c_str()) != 0) {
    if (errno != EEXIST) return FileError(path, "cannot be created", errno);
    return absl::AlreadyExistsError(
        fmt::format("{}: exists already and is left as it is; choose another folder, or move it away", path));
  }
  return SyncFolder(path);
}

absl::StatusOr<std::string> ReadPrivateFile(const std::string& path) {
  // A pipe would keep open() waiting.
  const FileDescriptor file = FileDescriptor::Owned(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return FileError(path, "cannot be opened", errno);
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return FileError(path, "cannot be read", errno);
  if (!S_ISREG(facts.st_mode)) return InvalidArgument("{}: is not a file", path);
  if ((facts.st_mode & kRightsOfOthers) != 0) {
    return absl::PermissionDeniedError(
        fmt::format("{}: is private, but others have rights to it (mode {:o}). If nobody can have read it, run: chmod "
                    "600 '{}'; if somebody can, make a new one",
                    path, facts.st_mode & 0777, path));
  }
  if (facts.st_size > kMaxBytes) return InvalidArgument("{}: is far too long for a key", path);
  return ReadAll(file, path, static_cast<std::size_t>(facts.st_size));
}

}  // namespace flaim::runtime
