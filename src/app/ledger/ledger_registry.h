#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "io/sqlite.h"

namespace flaim {

// What rows are called, and where they are.
struct NamedRows {
  enum class Place { kFile, kDatabase, kMemory };

  std::string name;  // the path of their file, or how to reach them without the password; in memory, any words
  Place place = Place::kFile;
};

// A sample of the lines of a file: those whose keyed hashes are smallest, with how often each occurs. Two files that
// have most lines in common have most of their samples in common, in whatever order the lines are. As private as the
// lines: it is kept in the registry, goes nowhere else and is never shown.
using LineSketch = std::map<std::uint64_t, std::int64_t>;  // hash -> occurrences, at most kSketchLines
inline constexpr std::size_t kSketchLines = 256;
using SketchKey = std::array<std::byte, 16>;

// Of a file, plain or compressed. An error if it cannot be read; Cancelled if the team is to stop.
absl::StatusOr<LineSketch> SketchOf(const std::string& path, const SketchKey& key, Parallel& parallel);

// How much of the smaller of two files is in the other, from 0 to 1: an estimate of common lines over the lines of the
// smaller. So a part of a table and a table that has grown are like a copy.
//
// Both samples are complete up to the lower of their largest hashes, and the lines below it are a random part of the
// smaller file: 256 of them if the files are of one size, 256 n / N where the other is N lines long and this one n. At
// least kTellingLines are asked for, so that of files with half their lines in common one pair in thousands seems to
// have nine tenths; fewer say nothing, and the answer is 0. Therefore a part is found down to about a sixteenth of a
// table. Files of up to 256 different lines are known whole, and compared exactly.
//
// Lines that often repeat are alike by chance: of tables with few columns and few values, the smaller one may seem to
// be in the larger whoever is in them.
double Containment(const LineSketch& one, const LineSketch& other);
inline constexpr int kTellingLines = 16;

// Which private rows were charged to which ledgers, on this machine, for this user. A budget hangs on people, and rows
// do not always have one beside them: this knows the account of a path that was paid from elsewhere, notices a copy,
// which has a path of its own, and a table in a database, which has none. Readable by its owner only. What it notices
// by lines it warns of and does not refuse: they may be alike by chance. Does not see rows that were reformatted, one
// database by two descriptions, rows in memory, and other machines.
class LedgerRegistry {
 public:
  // $XDG_STATE_HOME/flaim, or ~/.local/state/flaim; nothing if the user has no home.
  static std::optional<std::string> DefaultFolder();

  // Makes folder and file if need be.
  static absl::StatusOr<LedgerRegistry> Open(const std::string& folder);

  // Puts on record that these rows are charged to this ledger. Returns the other ledgers that many of them were charged
  // to, also those that are gone. Reads the file. REQUIRES: the rows are not in memory.
  absl::StatusOr<std::vector<std::string>> Charge(const std::string& ledger, const NamedRows& rows, Parallel& parallel);

  // The ledgers that the file under this path was charged to, whatever it holds now.
  absl::StatusOr<std::vector<std::string>> LedgersOf(const std::string& path);

 private:
  LedgerRegistry(SqliteConnection connection, const SketchKey& key) : connection_(std::move(connection)), key_(key) {}

  SqliteConnection connection_;
  SketchKey key_;
};

// Charge() with the user's own registry; nothing for rows in memory and streams. FailedPrecondition if there is no home
// to have one in.
absl::StatusOr<std::vector<std::string>> ChargeInRegistry(const std::string& ledger, const NamedRows& rows,
                                                          Parallel& parallel);
// LedgersOf() in the registry that is in this folder; nothing if there is none.
absl::StatusOr<std::vector<std::string>> RegisteredLedgersOf(const std::string& path,
                                                             const std::optional<std::string>& folder);

}  // namespace flaim
