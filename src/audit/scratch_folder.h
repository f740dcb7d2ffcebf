#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace flaim {

// A folder for the files of an audit, in memory where the system has such a place, and gone afterwards.
class ScratchFolder {
 public:
  static absl::StatusOr<std::shared_ptr<const ScratchFolder>> Make();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// A file there that is deleted when it is done with, and what SQLite puts beside it.
class ScratchFile {
 public:
  ScratchFile(const ScratchFolder& folder, const std::string& name) : path_(folder.path() + "/" + name) {}
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace flaim
