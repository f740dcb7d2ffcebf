#include "runtime/programs/manifest_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "base/status.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "io/file_descriptor.h"
#include "io/hex.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{32} << 20;

}  // namespace

absl::Status WriteTextFile(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(path));
  RETURN_IF_ERROR(sink->Write(text));
  return sink->Commit();
}

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  return ReadAll(*source, kMaxTextBytes);
}

absl::Status WriteManifest(const std::string& folder, const SignedManifest& manifest) {
  RETURN_IF_ERROR(WriteTextFile(fmt::format("{}/manifest.sig", folder), ToHex(manifest.signature) + "\n"));
  return WriteTextFile(fmt::format("{}/manifest.json", folder), manifest.text);
}

absl::StatusOr<SignedManifest> ReadManifest(const std::string& folder) {
  SignedManifest manifest;
  ASSIGN_OR_RETURN(manifest.text, ReadTextFile(fmt::format("{}/manifest.json", folder)));
  ASSIGN_OR_RETURN(std::string hex, ReadTextFile(fmt::format("{}/manifest.sig", folder)));
  while (hex.ends_with('\n')) hex.pop_back();
  ASSIGN_OR_RETURN(const Bytes bytes, FromHex(hex));
  if (bytes.size() != manifest.signature.size()) {
    return absl::DataLossError(fmt::format("{}/manifest.sig is damaged", folder));
  }
  std::copy(bytes.begin(), bytes.end(), manifest.signature.begin());
  return manifest;
}

absl::Status MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), S_IRWXU) == 0) return absl::OkStatus();
  if (errno != EEXIST) return FileError(path, "cannot be made", errno);
  std::error_code error;
  if (std::filesystem::is_directory(path, error) && std::filesystem::is_empty(path, error)) return absl::OkStatus();
  return absl::AlreadyExistsError(fmt::format("{} exists already: give a new folder", path));
}

}  // namespace flaim::runtime
