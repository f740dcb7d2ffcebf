#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/grid.h"

namespace flaim {

enum class TableKind : std::uint8_t {
  kMeans,     // of each cell over its runs
  kRanks,     // of the methods among each other, averaged over datasets and seeds
  kOverhead,  // of one method over another, at the number of rounds that suits each best
  kRatio,     // of one method to another
};

// How a report shows the runs. Keys are settings or "method"; cells are names of results.
struct TableLayout {
  std::string title;
  TableKind kind = TableKind::kMeans;
  std::vector<std::string> rows;  // keys
  std::string columns;            // key
  std::vector<std::string> cells;
  std::string method;   // of an overhead or ratio: the one
  std::string against;  // and the other
};

struct PlotLayout {
  std::string title;
  std::string x;                   // key
  std::string y;                   // result
  std::string lines = "method";    // key
  std::string panels = "dataset";  // key
  bool logarithmic_x = false;
};

// A number that the paper printed: which runs it is about, and what it says.
struct PaperValue {
  std::map<std::string, SettingValue> where;  // settings, "method"
  std::map<std::string, double> results;
  std::string text;  // as printed, if it is no plain number
};

struct Experiment {
  std::string name;  // of the file, without .toml
  std::string title;
  std::string about;
  std::vector<std::string> methods;  // in the order of the file
  std::vector<std::string> ours;     // those of them that the paper does not have
  std::vector<PlannedRun> runs;      // each once, in the order of the grid
  std::vector<TableLayout> tables;
  std::vector<PlotLayout> plots;
  std::vector<PaperValue> paper;
};

// docs/EXPERIMENTS.md describes the format. Messages start with the source and, where there is one, the line.
absl::StatusOr<Experiment> ParseExperiment(const std::string& text, const std::string& source, std::string name);

}  // namespace flaim
