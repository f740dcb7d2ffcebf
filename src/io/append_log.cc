#include "io/append_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/status.h"
#include "io/digest.h"

namespace flaim {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kLengthCheckBytes = 8;
constexpr std::size_t kCheckBytes = 16;
constexpr std::size_t kHeadBytes = kLengthBytes + kLengthCheckBytes + kCheckBytes;

std::string DigestText(const Digest& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }

std::string Link(std::string_view chain, std::string_view record) {
  return DigestText(Transcript("flaim append log").Add(AsBytes(chain)).Add(AsBytes(record)).Finish());
}

// The length of the next record, and a check of it.
std::string LengthField(std::string_view chain, std::size_t size) {
  std::string field(kLengthBytes, '\0');
  for (std::size_t i = 0; i < kLengthBytes; ++i) field[i] = static_cast<char>((size >> (8 * i)) & 0xff);
  return field + Link(chain, field).substr(0, kLengthCheckBytes);
}

std::size_t SizeIn(std::string_view head) {
  std::size_t size = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) size = size << 8 | static_cast<unsigned char>(head[i]);
  return size;
}

// A file that had grown before a crash, with nothing written into what it grew by.
bool IsBlank(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

absl::Status WriteAll(const std::string& path, int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadWhole(const std::string& path, int file) {
  std::string content;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(path, "cannot be read", errno);
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

absl::Status SyncFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const FileDescriptor opened =
      FileDescriptor::Owned(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open() || fsync(opened.number()) != 0) return FileError(path, "cannot be made durable", errno);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AppendLog> AppendLog::Open(const std::string& path, const std::string& kind) {
  FileDescriptor file =
      FileDescriptor::Owned(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.is_open()) return FileError(path, "cannot be opened", errno);
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return FileError(path, "cannot be locked", errno);
    return FailedPrecondition("{} is in use by another program: two must not run on the same folder", path);
  }
  AppendLog log(path, std::move(file));
  RETURN_IF_ERROR(log.Load(kind));
  return log;
}

absl::Status AppendLog::Load(const std::string& kind) {
  const std::string title = fmt::format("flaim {} 1\n", kind);
  chain_ = Link("", title);
  ASSIGN_OR_RETURN(const std::string content, ReadWhole(path_, file_.number()));
  std::string_view rest = content;
  if (rest.size() < title.size() && std::string_view(title).starts_with(rest)) {  // made just before a crash
    if (ftruncate(file_.number(), 0) != 0) return FileError(path_, "cannot be repaired", errno);
    RETURN_IF_ERROR(Write(title));
    RETURN_IF_ERROR(Sync());
    return SyncFolderOf(path_);
  }
  if (!rest.starts_with(title)) return absl::DataLossError(fmt::format("{} is not a {} of this version", path_, kind));
  rest.remove_prefix(title.size());
  while (rest.size() >= kHeadBytes && !IsBlank(rest)) {
    const std::size_t size = SizeIn(rest);
    if (!rest.starts_with(LengthField(chain_, size))) return Damaged();
    if (rest.size() - kHeadBytes < size) break;
    const std::string_view record = rest.substr(kHeadBytes, size);
    const std::string next = Link(chain_, record);
    if (rest.substr(kHeadBytes - kCheckBytes, kCheckBytes) != std::string_view(next).substr(0, kCheckBytes)) {
      // A torn write leaves nothing behind it.
      if (rest.size() == kHeadBytes + size) break;
      return Damaged();
    }
    chain_ = next;
    records_.emplace_back(record);
    rest.remove_prefix(kHeadBytes + size);
  }
  if (rest.empty()) return absl::OkStatus();
  if (ftruncate(file_.number(), static_cast<off_t>(content.size() - rest.size())) != 0) {
    return FileError(path_, "cannot be repaired", errno);
  }
  return Sync();
}

absl::Status AppendLog::Damaged() const {
  return absl::DataLossError(
      fmt::format("{} is damaged after record {}: restore it from a copy, or give the study up; what was recorded "
                  "there would be done again",
                  path_, records_.size()));
}

absl::Status AppendLog::Write(std::string_view bytes) {
  if (is_broken_) return FailedPrecondition("{} could not be written before: mend that, and start again", path_);
  const absl::Status written = WriteAll(path_, file_.number(), bytes);
  is_broken_ = !written.ok();
  return written;
}

absl::Status AppendLog::Append(std::string_view record) {
  if (record.size() > kMaxRecordBytes) return InvalidArgument("a record of {} bytes is too large", record.size());
  const std::string next = Link(chain_, record);
  std::string bytes = LengthField(chain_, record.size());
  bytes.append(next, 0, kCheckBytes);
  bytes.append(record);
  RETURN_IF_ERROR(Write(bytes));
  chain_ = next;
  return absl::OkStatus();
}

absl::Status AppendLog::Sync() {
  if (fdatasync(file_.number()) == 0) return absl::OkStatus();
  is_broken_ = true;
  return FileError(path_, "cannot be made durable", errno);
}

absl::Status AppendLog::AppendDurably(std::string_view record) {
  RETURN_IF_ERROR(Append(record));
  return Sync();
}

absl::Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return FileError(path, "cannot be removed", errno);
  return SyncFolderOf(path);
}

}  // namespace flaim
