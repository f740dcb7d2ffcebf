#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// Values of a column that count as one.
struct ValueGroup {
  std::string name;
  std::vector<std::string> values;
};

// A file of the data folder that is taken only if it is the very file that the catalogue knows.
struct KnownFile {
  std::string path;    // from the data folder, e.g. "covtype.csv.xz"
  std::string sha256;  // of its bytes, in hex
};

// What comes beside the training rows of a dataset that is split already.
struct SplitFiles {
  KnownFile test;
  KnownFile workload;
};

// A dataset of the paper: public facts about it, before anything is read.
struct DatasetEntry {
  std::string name = {};     // as commands and experiment files call it, e.g. "covtype"
  std::string title = {};    // for people and reports, e.g. "Covtype"
  std::string file = {};     // in the data folder, e.g. "covtype.csv.xz"; empty if it is generated here
  std::string sha256 = {};   // of that file
  std::int64_t rows = 0;     // of the file, or with the test file; of a generated one, what the defaults make
  int columns = 0;           // after preparation, with the label
  std::string label = {};    // the column that classifiers predict; empty if there is none
  double share = 1;          // of the rows that the paper uses
  std::string origin = {};   // where the original comes from, and its licence
  std::string remark = {};   // what every figure that uses it must say; empty if nothing
  bool has_clients = false;  // comes with its own clients

  // The rows that the paper uses, as its table of datasets has them: `share` of all, rounded up for covtype and to the
  // nearest otherwise.
  std::int64_t used_rows = 0;
  KnownFile schema_file = {};                     // the public schema
  std::vector<std::string> dropped_columns = {};  // of the file, which the paper's copy does not have
  std::vector<ValueGroup> label_groups = {};      // the classes, where the paper merges values of the label
  std::optional<SplitFiles> split = {};           // if it is split already; then `file` has the clients too

  bool IsGenerated() const { return file.empty(); }
};

// The seven datasets of the paper, SynthFS, and the reference inputs.
const std::vector<DatasetEntry>& AllDatasets();
// NotFound, with the nearest name and the names that there are.
absl::StatusOr<DatasetEntry> FindDataset(std::string_view name);

}  // namespace flaim
