#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "io/sqlite.h"

namespace flaim {

// A sample of the lines of a file: those whose keyed hashes are smallest, with how often each occurs. Two files that
// have most lines in common have most of their samples in common, in whatever order the lines are. As private as the
// lines: it is kept in the registry, goes nowhere else and is never shown.
using LineSketch = std::map<std::uint64_t, std::int64_t>;  // hash -> occurrences, at most kSketchLines
inline constexpr std::size_t kSketchLines = 256;
using SketchKey = std::array<std::byte, 16>;

// Of a file, plain or compressed. An error if it cannot be read.
absl::StatusOr<LineSketch> SketchOf(const std::string& path, const SketchKey& key);

// How much of two files is the same, from 0 to 1: an estimate of common lines over all lines of either.
double Resemblance(const LineSketch& one, const LineSketch& other);

// Which files of private rows were charged to which ledgers, on this machine, for this user: a copy of the rows has a
// path of its own, and so a budget of its own, and this notices. Readable by its owner only. It warns and refuses
// nothing: lines may resemble each other by chance. Does not see rows that were reformatted, rows in databases or in
// memory, and other machines.
class LedgerRegistry {
 public:
  // $XDG_STATE_HOME/flaim, or ~/.local/state/flaim; nothing if the user has no home.
  static std::optional<std::string> DefaultFolder();

  // Makes folder and file if need be.
  static absl::StatusOr<LedgerRegistry> Open(const std::string& folder);

  // Puts on record that these rows are charged to this ledger. Returns the other ledgers that much the same rows were
  // charged to, also those that are gone.
  absl::StatusOr<std::vector<std::string>> Charge(const std::string& ledger, const std::string& data);

 private:
  LedgerRegistry(SqliteConnection connection, const SketchKey& key) : connection_(std::move(connection)), key_(key) {}

  SqliteConnection connection_;
  SketchKey key_;
};

// The same with the user's own registry; nothing for rows that are in no file, and where there is no home.
absl::StatusOr<std::vector<std::string>> ChargeInRegistry(const std::string& ledger, const std::string& data);

}  // namespace flaim
