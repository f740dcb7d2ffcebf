#include "partition/partition_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "base/status.h"
#include "io/digest.h"

namespace flaim {
namespace {

static_assert(std::endian::native == std::endian::little, "partition files are little-endian");

constexpr std::string_view kMagic = "FLAIMPRT";
constexpr std::uint64_t kFormat = 1;
constexpr std::size_t kChecksumBytes = 32;

std::string Checksum(std::string_view bytes) {
  const auto checksum = Blake2b<kChecksumBytes>().Add(AsBytes(bytes)).Finish();
  return {checksum.begin(), checksum.end()};
}

template <typename Number>
void Append(std::span<const Number> numbers, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void AppendCount(std::uint64_t count, std::string& bytes) { Append(std::span<const std::uint64_t>(&count, 1), bytes); }

// Takes counts and numbers off the front of bytes, as long as there are enough.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : left_(bytes) {}

  bool at_end() const { return left_.empty(); }

  bool TakeText(std::size_t size, std::string_view& text) {
    if (left_.size() < size) return false;
    text = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }

  bool TakeCount(std::uint64_t& count) {
    std::string_view bytes;
    if (!TakeText(sizeof count, bytes)) return false;
    std::memcpy(&count, bytes.data(), sizeof count);
    return true;
  }

  // A count, and that many numbers. Takes no memory for numbers that are not there.
  template <typename Number>
  bool TakeNumbers(std::vector<Number>& numbers) {
    std::uint64_t count = 0;
    std::string_view bytes;
    if (!TakeCount(count) || count > left_.size() / sizeof(Number)) return false;
    if (!TakeText(count * sizeof(Number), bytes)) return false;
    numbers.resize(count);
    if (count > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return true;
  }

 private:
  std::string_view left_;
};

absl::Status Damaged(std::string_view why) { return DataLoss("not a whole partition file: {}", why); }

bool IsValid(const Partition& partition) {
  const auto below_clients = [&](std::uint32_t client) { return client < partition.clients; };
  const bool ids_fit = partition.ids.empty() || partition.ids.size() == partition.clients;
  const bool ids_ascend =
      std::adjacent_find(partition.ids.begin(), partition.ids.end(), std::greater_equal<>()) == partition.ids.end();
  return partition.clients >= 1 && partition.clients <= kMaxClients && ids_fit && ids_ascend &&
         std::all_of(partition.client_of_row.begin(), partition.client_of_row.end(), below_clients);
}

}  // namespace

std::string PartitionToBytes(std::string_view key, const Partition& partition) {
  CHECK(IsValid(partition), "a partition that breaks its promises");
  std::string bytes(kMagic);
  AppendCount(kFormat, bytes);
  AppendCount(key.size(), bytes);
  bytes.append(key);
  AppendCount(partition.clients, bytes);
  AppendCount(partition.client_of_row.size(), bytes);
  Append(std::span<const std::uint32_t>(partition.client_of_row), bytes);
  AppendCount(partition.ids.size(), bytes);
  Append(std::span<const std::int64_t>(partition.ids), bytes);
  return bytes + Checksum(bytes);
}

absl::StatusOr<Partition> PartitionFromBytes(std::string_view key, std::string_view bytes) {
  if (bytes.size() < kMagic.size() + kChecksumBytes || !bytes.starts_with(kMagic)) return Damaged("wrong beginning");
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (Checksum(body) != bytes.substr(body.size())) return Damaged("wrong checksum");
  Cursor cursor(body.substr(kMagic.size()));
  std::uint64_t format = 0;
  if (!cursor.TakeCount(format) || format != kFormat) return Damaged("unknown format");
  std::uint64_t key_size = 0;
  std::string_view found_key;
  if (!cursor.TakeCount(key_size) || !cursor.TakeText(key_size, found_key)) return Damaged("ends early");
  if (found_key != key) return Damaged("of something else");
  Partition partition;
  std::uint64_t clients = 0;
  if (!cursor.TakeCount(clients) || !cursor.TakeNumbers(partition.client_of_row) ||
      !cursor.TakeNumbers(partition.ids)) {
    return Damaged("ends early");
  }
  partition.clients = clients;
  if (!cursor.at_end()) return Damaged("ends late");
  if (!IsValid(partition)) return Damaged("clients that are not there");
  return partition;
}

}  // namespace flaim
