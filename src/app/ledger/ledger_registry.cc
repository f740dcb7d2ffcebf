#include "app/ledger/ledger_registry.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "io/byte_source.h"
#include "privacy/ledger/ledger_file.h"
#include "sodium.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kWait{2'000};
constexpr std::int64_t kRegistryFormat = 1;
constexpr std::int64_t kRegistryApplicationId = 0x464c5247;  // "FLRG"
constexpr std::int64_t kMostEntries = 1'000;
constexpr double kManyOfThese = 0.9;

static_assert(sizeof(SketchKey) == crypto_shorthash_KEYBYTES);

// Takes in the lines of a file, one after the other.
class Sketcher {
 public:
  explicit Sketcher(const SketchKey& key) : key_(key) {}

  void Take(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::uint64_t hash = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&hash), reinterpret_cast<const unsigned char*>(line.data()),
                     line.size(), reinterpret_cast<const unsigned char*>(key_.data()));
    if (sketch_.size() == kSketchLines && hash > sketch_.rbegin()->first) return;
    ++sketch_[hash];
    if (sketch_.size() > kSketchLines) sketch_.erase(std::prev(sketch_.end()));
  }

  LineSketch Finish() { return std::move(sketch_); }

 private:
  SketchKey key_;
  LineSketch sketch_;
};

std::vector<std::byte> Encode(const LineSketch& sketch) {
  std::vector<std::byte> bytes(sketch.size() * 16);
  std::byte* next = bytes.data();
  for (const auto& [hash, occurrences] : sketch) {
    std::memcpy(next, &hash, 8);
    std::memcpy(next + 8, &occurrences, 8);
    next += 16;
  }
  return bytes;
}

LineSketch Decode(std::span<const std::byte> bytes) {
  LineSketch sketch;
  for (; bytes.size() >= 16; bytes = bytes.subspan(16)) {
    std::uint64_t hash = 0;
    std::int64_t occurrences = 0;
    std::memcpy(&hash, bytes.data(), 8);
    std::memcpy(&occurrences, bytes.data() + 8, 8);
    sketch[hash] = occurrences;
  }
  return sketch;
}

std::string RegistryIn(const std::string& folder) { return folder + "/ledgers.sqlite"; }

std::string Absolute(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

absl::Status CreateTables(SqliteConnection& connection) {
  ASSIGN_OR_RETURN(SqliteTransaction transaction,
                   SqliteTransaction::Begin(connection, SqliteTransaction::Kind::kWrite));
  ASSIGN_OR_RETURN(const std::int64_t tables, connection.QueryInteger("SELECT count(*) FROM sqlite_schema"));
  if (tables > 0) return absl::OkStatus();
  RETURN_IF_ERROR(
      connection.Execute("CREATE TABLE key (value BLOB NOT NULL) STRICT;"
                         "CREATE TABLE charge (sequence INTEGER PRIMARY KEY, ledger TEXT NOT NULL, data TEXT NOT NULL, "
                         "sketch BLOB NOT NULL, UNIQUE (ledger, data)) STRICT"));
  RETURN_IF_ERROR(connection.Execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kRegistryApplicationId, kRegistryFormat)));
  SketchKey key;
  SecureRandomSource().Fill(key);
  {
    ASSIGN_OR_RETURN(SqliteStatement insert, connection.Prepare("INSERT INTO key VALUES (?)"));
    RETURN_IF_ERROR(insert.Run(std::span<const std::byte>(key)));
  }
  return transaction.Commit();
}

absl::StatusOr<SketchKey> ReadKey(SqliteConnection& connection) {
  ASSIGN_OR_RETURN(const std::int64_t application, connection.QueryInteger("PRAGMA application_id"));
  ASSIGN_OR_RETURN(const std::int64_t format, connection.QueryInteger("PRAGMA user_version"));
  if (application != kRegistryApplicationId || format != kRegistryFormat) {
    return FailedPrecondition("'{}' is no registry of ledgers that this version of flaim knows", connection.path());
  }
  ASSIGN_OR_RETURN(SqliteStatement select, connection.Prepare("SELECT value FROM key"));
  ASSIGN_OR_RETURN(const bool found, select.Next());
  SketchKey key;
  if (!found || select.Blob(0).size() != key.size()) return DataLoss("'{}' has no key", connection.path());
  std::ranges::copy(select.Blob(0), key.begin());
  return key;
}

}  // namespace

absl::StatusOr<LineSketch> SketchOf(const std::string& path, const SketchKey& key, Parallel& parallel) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  Sketcher sketcher(key);
  std::string pending;
  std::array<char, 1 << 16> block;
  while (true) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    ASSIGN_OR_RETURN(const std::size_t size, source->Read(block));
    if (size == 0) break;
    std::string_view rest(block.data(), size);
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      pending.append(rest.substr(0, end));
      sketcher.Take(pending);
      pending.clear();
      rest.remove_prefix(end + 1);
    }
    pending.append(rest);
  }
  if (!pending.empty()) sketcher.Take(pending);
  return sketcher.Finish();
}

double Containment(const LineSketch& one, const LineSketch& other) {
  const auto last = [](const LineSketch& sketch) {
    return sketch.size() < kSketchLines ? ~std::uint64_t{0} : sketch.rbegin()->first;
  };
  // Up to here both samples are complete.
  const std::uint64_t limit = std::min(last(one), last(other));
  const auto lines = [&](const LineSketch& sketch) {
    std::int64_t sum = 0;
    for (auto line = sketch.begin(); line != sketch.upper_bound(limit); ++line) sum += line->second;
    return sum;
  };
  const bool one_is_smaller = lines(one) <= lines(other);
  const LineSketch& smaller = one_is_smaller ? one : other;
  const LineSketch& larger = one_is_smaller ? other : one;
  const auto end = smaller.upper_bound(limit);
  if (limit != ~std::uint64_t{0} && std::distance(smaller.begin(), end) < kTellingLines) return 0;
  std::int64_t common = 0;
  for (auto line = smaller.begin(); line != end; ++line) {
    const auto same = larger.find(line->first);
    if (same != larger.end()) common += std::min(line->second, same->second);
  }
  return common == 0 ? 0 : static_cast<double>(common) / static_cast<double>(lines(smaller));
}

std::optional<std::string> LedgerRegistry::DefaultFolder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::string(state) + "/flaim";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::string(home) + "/.local/state/flaim";
  }
  return std::nullopt;
}

absl::StatusOr<LedgerRegistry> LedgerRegistry::Open(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error) return absl::PermissionDeniedError(fmt::format("'{}' cannot be made: {}", folder, error.message()));
  const std::string path = RegistryIn(folder);
  RETURN_IF_ERROR(LedgerFile::Touch(path));
  ASSIGN_OR_RETURN(SqliteConnection connection, SqliteConnection::Open(path, kWait));
  RETURN_IF_ERROR(CreateTables(connection));
  ASSIGN_OR_RETURN(const SketchKey key, ReadKey(connection));
  return LedgerRegistry(std::move(connection), key);
}

absl::StatusOr<std::vector<std::string>> LedgerRegistry::Charge(const std::string& ledger, const NamedRows& rows,
                                                                Parallel& parallel) {
  const bool is_file = rows.place == NamedRows::Place::kFile;
  LineSketch sketch;
  if (is_file) {
    ASSIGN_OR_RETURN(sketch, SketchOf(rows.name, key_, parallel));
  }
  const std::string name = is_file ? Absolute(rows.name) : rows.name;
  const std::string charged = Absolute(ledger);
  ASSIGN_OR_RETURN(SqliteTransaction transaction,
                   SqliteTransaction::Begin(connection_, SqliteTransaction::Kind::kWrite));
  std::vector<std::string> others;
  {
    ASSIGN_OR_RETURN(SqliteStatement known,
                     connection_.Prepare("SELECT ledger, data, sketch FROM charge ORDER BY sequence"));
    while (true) {
      ASSIGN_OR_RETURN(const bool found, known.Next());
      if (!found) break;
      if (known.Text(0) == charged || std::ranges::count(others, known.Text(0)) > 0) continue;
      const bool is_same = is_file ? Containment(sketch, Decode(known.Blob(2))) >= kManyOfThese : known.Text(1) == name;
      if (is_same) others.push_back(known.Text(0));
    }
    ASSIGN_OR_RETURN(SqliteStatement insert,
                     connection_.Prepare("INSERT OR REPLACE INTO charge (ledger, data, sketch) VALUES (?, ?, ?)"));
    RETURN_IF_ERROR(
        insert.Run(std::string_view(charged), std::string_view(name), std::span<const std::byte>(Encode(sketch))));
  }
  RETURN_IF_ERROR(connection_.Execute(
      fmt::format("DELETE FROM charge WHERE sequence <= (SELECT max(sequence) FROM charge) - {}", kMostEntries)));
  RETURN_IF_ERROR(transaction.Commit());
  return others;
}

absl::StatusOr<std::vector<std::string>> LedgerRegistry::LedgersOf(const std::string& path) {
  const std::string name = Absolute(path);
  std::vector<std::string> ledgers;
  ASSIGN_OR_RETURN(SqliteStatement known, connection_.Prepare("SELECT ledger, data FROM charge ORDER BY sequence"));
  while (true) {
    ASSIGN_OR_RETURN(const bool found, known.Next());
    if (!found) return ledgers;
    if (known.Text(1) == name) ledgers.push_back(known.Text(0));
  }
}

absl::StatusOr<std::vector<std::string>> ChargeInRegistry(const std::string& ledger, const NamedRows& rows,
                                                          Parallel& parallel) {
  std::error_code error;
  if (rows.place == NamedRows::Place::kMemory) return std::vector<std::string>();
  if (rows.place == NamedRows::Place::kFile && !fs::is_regular_file(rows.name, error)) {
    return std::vector<std::string>();
  }
  const std::optional<std::string> folder = LedgerRegistry::DefaultFolder();
  if (!folder) return FailedPrecondition("there is no home folder for it");
  ASSIGN_OR_RETURN(LedgerRegistry registry, LedgerRegistry::Open(*folder));
  return registry.Charge(ledger, rows, parallel);
}

absl::StatusOr<std::vector<std::string>> RegisteredLedgersOf(const std::string& path,
                                                             const std::optional<std::string>& folder) {
  std::error_code error;
  if (!folder || !fs::exists(RegistryIn(*folder), error)) return std::vector<std::string>();
  ASSIGN_OR_RETURN(LedgerRegistry registry, LedgerRegistry::Open(*folder));
  return registry.LedgersOf(path);
}

}  // namespace flaim
