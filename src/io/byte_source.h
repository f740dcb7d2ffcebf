#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace flaim {

// Bytes read once from front to back: a file, a decompressor on top of one, a string in a test.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills at most out.size() bytes and returns how many; 0 means the end. May return fewer before the end.
  virtual absl::StatusOr<std::size_t> Read(std::span<char> out) = 0;

  // For error messages: the path, or what stands for it.
  virtual const std::string& name() const = 0;
};

// Opens a file for streaming; .gz, .xz and .zst are recognised by their first bytes and decompressed on the way
// (several concatenated streams too). "-" is standard input.
absl::StatusOr<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& path);

// Puts the decompressor on top of any source whose first bytes ask for one.
absl::StatusOr<std::unique_ptr<ByteSource>> DecompressIfNeeded(std::unique_ptr<ByteSource> source);

// Serves a string. For tests, fuzzing and text that is already in memory.
std::unique_ptr<ByteSource> StringSource(std::string name, std::string content);

// All of a source, refusing more than max_bytes.
absl::StatusOr<std::string> ReadAll(ByteSource& source, std::size_t max_bytes);

}  // namespace flaim
