#include "partition/partition_cache.h"

#include <filesystem>
#include <system_error>

#include "base/status.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "io/digest.h"
#include "io/hex.h"
#include "partition/clustering.h"
#include "partition/partition_file.h"

namespace flaim {
namespace {

// A row takes 4 bytes and an id 8, so this is more than any table that fits in memory needs.
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 34;
constexpr std::size_t kNameBytes = 16;

}  // namespace

std::string PartitionKey(std::string_view data_fingerprint, const PartitionSpec& spec, std::uint64_t seed) {
  return fmt::format("partition {} of {}, seed {}, version {}", PartitionSpecText(spec), data_fingerprint, seed,
                     kClusteringVersion);
}

std::string PartitionCache::PathOf(std::string_view key) const {
  const std::string name = ToHex(Blake2b<kNameBytes>().Add(AsBytes(key)).Finish());
  return (std::filesystem::path(folder_) / fmt::format("{}.partition", name)).string();
}

absl::StatusOr<Partition> PartitionCache::Load(std::string_view key) const {
  const std::string path = PathOf(key);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return NotFound("{} is not there", path);
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string bytes, ReadAll(*source, kMaxFileBytes));
  return PartitionFromBytes(key, bytes);
}

absl::Status PartitionCache::Store(std::string_view key, const Partition& partition) const {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(PathOf(key)));
  RETURN_IF_ERROR(sink->Write(PartitionToBytes(key, partition)));
  return sink->Commit();
}

absl::StatusOr<Partition> PartitionCache::LoadOrMake(std::string_view key, std::size_t rows,
                                                     const std::function<absl::StatusOr<Partition>()>& make) const {
  absl::StatusOr<Partition> loaded = Load(key);
  if (loaded.ok() && loaded->client_of_row.size() == rows) return loaded;
  ASSIGN_OR_RETURN(Partition made, make());
  Store(key, made).IgnoreError();
  return made;
}

}  // namespace flaim
