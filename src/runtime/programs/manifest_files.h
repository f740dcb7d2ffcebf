#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "runtime/study/manifest.h"

namespace flaim::runtime {

// A manifest in a folder: manifest.json, for people to read, and manifest.sig. NotFound if there is none.
absl::Status WriteManifest(const std::string& folder, const SignedManifest& manifest);
absl::StatusOr<SignedManifest> ReadManifest(const std::string& folder);

// Small public files: written whole or not at all.
absl::Status WriteTextFile(const std::string& path, const std::string& text);
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// Makes a folder that only its owner can enter. AlreadyExists if there is one with anything in it.
absl::Status MakeFolder(const std::string& path);

}  // namespace flaim::runtime
