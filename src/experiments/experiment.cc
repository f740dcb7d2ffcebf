#include "experiments/experiment.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <set>
#include <utility>

#include "algorithms/methods/presets.h"
#include "base/status.h"
#include "io/message_text.h"
#include "io/toml_depth.h"
#include "io/toml_fields.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxDepth = 16;
constexpr std::int64_t kMaxSeeds = 100'000;

constexpr std::string_view kTopKeys[] = {"about", "common", "grid", "method", "paper", "plot", "table", "title"};
constexpr std::string_view kTableKeys[] = {"against", "cells", "columns", "kind", "method", "rows", "title"};
constexpr std::string_view kPlotKeys[] = {"lines", "logarithmic", "panels", "title", "x", "y"};

constexpr std::array<std::pair<std::string_view, TableKind>, 4> kTableKinds = {{{"means", TableKind::kMeans},
                                                                                {"ranks", TableKind::kRanks},
                                                                                {"overhead", TableKind::kOverhead},
                                                                                {"ratio", TableKind::kRatio}}};
// What a result line can hold: result_log.h.
constexpr std::string_view kResultNames[] = {
    "error",     "closure_error", "model_error",   "model_closure_error", "nll",        "impossible_records",
    "auc",       "true_auc",      "heterogeneity", "sent_bytes",          "bytes",      "received_bytes",
    "exchanges", "rounds",        "took_part",     "epsilon_most",        "model_cells"};

std::string PlaceOf(const toml::node& node, const std::string& source) {
  return fmt::format("{}:{}", source, node.source().begin.line);
}

absl::StatusOr<SettingValue> ValueOf(const toml::node& node, const std::string& source) {
  if (const auto* text = node.as_string()) return SettingValue(text->get());
  if (const auto* whole = node.as_integer()) return SettingValue(whole->get());
  if (const auto* real = node.as_floating_point()) return SettingValue(real->get());
  if (const auto* yes = node.as_boolean()) return SettingValue(yes->get());
  return InvalidArgument("{}: a setting is a text in quotes, a number, or true or false", PlaceOf(node, source));
}

absl::StatusOr<std::vector<SettingValue>> ValuesOf(const toml::node& node, const std::string& source) {
  std::vector<SettingValue> values;
  if (!node.is_array()) {
    ASSIGN_OR_RETURN(values.emplace_back(), ValueOf(node, source));
    return values;
  }
  for (const toml::node& element : *node.as_array()) {
    ASSIGN_OR_RETURN(values.emplace_back(), ValueOf(element, source));
  }
  return values;
}

// "seeds = 10" is 1 to 10.
absl::StatusOr<std::vector<SettingValue>> SeedsOf(const toml::node& node, const std::string& source) {
  const auto* count = node.as_integer();
  if (count == nullptr) return ValuesOf(node, source);
  if (count->get() < 1 || count->get() > kMaxSeeds) {
    return InvalidArgument("{}: 'seeds' is how many, 1 to {}, or a list", PlaceOf(node, source), kMaxSeeds);
  }
  std::vector<SettingValue> seeds;
  for (std::int64_t seed = 1; seed <= count->get(); ++seed) seeds.emplace_back(seed);
  return seeds;
}

absl::StatusOr<std::vector<const toml::table*>> TablesOf(const toml::table& root, const std::string& key,
                                                         const std::string& source) {
  std::vector<const toml::table*> tables;
  const toml::node* node = root.get(key);
  if (node == nullptr) return tables;
  const toml::array* array = node->as_array();
  if (array == nullptr) return InvalidArgument("{}: write [[{}]]", PlaceOf(*node, source), key);
  for (const toml::node& element : *array) {
    if (!element.is_table()) return InvalidArgument("{}: write [[{}]]", PlaceOf(element, source), key);
    tables.push_back(element.as_table());
  }
  return tables;
}

// A text, or several.
absl::StatusOr<std::vector<std::string>> OneOrMore(const toml::table& table, std::string_view key,
                                                   const std::string& otherwise, const TomlFields& fields) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::vector<std::string>{otherwise};
  if (const auto* text = node->as_string()) return std::vector<std::string>{text->get()};
  return fields.Required(key, fields.Texts(key));
}

absl::Status CheckResultName(const std::string& name, const toml::node& place, const std::string& source) {
  if (std::find(std::begin(kResultNames), std::end(kResultNames), name) != std::end(kResultNames)) {
    return absl::OkStatus();
  }
  return InvalidArgument("{}: there is no result {}.{} There are {}", PlaceOf(place, source), QuoteForMessage(name),
                         SuggestNearest(name, kResultNames), fmt::join(kResultNames, ", "));
}

absl::Status CheckKey(const std::string& key, const toml::node& place, const std::string& source) {
  if (key == "method") return absl::OkStatus();
  const absl::Status status = FindSetting(key).status();
  return status.ok() ? status : InvalidArgument("{}: {}", PlaceOf(place, source), std::string(status.message()));
}

// Of the paper are rounds that are all alike, and as many as they are told to be.
bool IsOurs(const Method& preset) { return !std::holds_alternative<FixedRounds>(preset.rounds); }

// Reads an experiment, step by step; every step knows where the text comes from.
class Reader {
 public:
  Reader(const toml::table& root, std::string source) : root_(root), source_(std::move(source)) {}

  absl::StatusOr<Experiment> Read(std::string name) {
    const TomlFields fields(root_, source_);
    RETURN_IF_ERROR(fields.CheckKeys(kTopKeys));
    experiment_.name = std::move(name);
    ASSIGN_OR_RETURN(experiment_.title, fields.Required("title", fields.Text("title")));
    ASSIGN_OR_RETURN(const std::optional<std::string> about, fields.Text("about"));
    experiment_.about = about.value_or("");
    RETURN_IF_ERROR(ReadMethods());
    RETURN_IF_ERROR(ReadGrids());
    RETURN_IF_ERROR(ReadTables());
    RETURN_IF_ERROR(ReadPlots());
    RETURN_IF_ERROR(ReadPaper());
    return std::move(experiment_);
  }

 private:
  absl::Status ReadMethods() {
    ASSIGN_OR_RETURN(const std::vector<const toml::table*> tables, TablesOf(root_, "method", source_));
    for (const toml::table* const each : tables) {
      const toml::table& table = *each;
      const TomlFields fields(table, fmt::format("{} [[method]]", PlaceOf(table, source_)));
      NamedMethod method;
      ASSIGN_OR_RETURN(method.name, fields.Required("name", fields.Text("name")));
      ASSIGN_OR_RETURN(const std::optional<bool> ours, fields.Boolean("ours"));
      method.is_ours = ours.value_or(false);
      for (const auto& [key, node] : table) {
        if (key.str() == "name" || key.str() == "ours") continue;
        RETURN_IF_ERROR(CheckKey(std::string(key.str()), node, source_));
        ASSIGN_OR_RETURN(method.settings[std::string(key.str())], ValueOf(node, source_));
      }
      const auto is_same = [&](const NamedMethod& other) { return other.name == method.name; };
      if (std::any_of(methods_.begin(), methods_.end(), is_same)) {
        return fields.Problem("name", "is that of another [[method]] of this file");
      }
      if (!method.settings.contains("preset"))
        return fields.Problem("preset", "is missing; `flaim methods` lists them");
      methods_.push_back(std::move(method));
    }
    return absl::OkStatus();
  }

  // A [[method]] of the file, or a preset.
  absl::StatusOr<NamedMethod> FindNamed(const std::string& name, const toml::node& place) const {
    std::vector<std::string_view> names;
    for (const NamedMethod& method : methods_) {
      if (method.name == name) return method;
      names.push_back(method.name);
    }
    for (const Method& method : AllMethods()) {
      if (method.name == name || method.title == name) {
        NamedMethod named{.name = method.title, .settings = {{"preset", method.name}}, .is_ours = IsOurs(method)};
        // There is no published fit of what was not published.
        if (named.is_ours) named.settings["paper-fit"] = false;
        return named;
      }
      names.push_back(method.name);
    }
    return InvalidArgument("{}: {} is neither a [[method]] of this file nor a preset.{}", PlaceOf(place, source_),
                           QuoteForMessage(name), SuggestNearest(name, names));
  }

  absl::Status ReadAxes(const toml::table& table, Grid& grid) const {
    std::set<std::string> read;
    for (const auto& [toml_key, node] : table) {
      const std::string written(toml_key.str());
      if (written == "methods") {
        RETURN_IF_ERROR(ReadMethodAxis(table, node, grid));
        continue;
      }
      if (written == "method" || written == "preset") {
        return InvalidArgument("{}: write methods = [...], a list of presets or of names of [[method]]",
                               PlaceOf(node, source_));
      }
      const std::string key = written == "datasets" ? "dataset" : written == "seeds" ? "seed" : written;
      RETURN_IF_ERROR(CheckKey(key, node, source_));
      if (!read.insert(key).second) return InvalidArgument("{}: '{}' is there twice", PlaceOf(node, source_), key);
      ASSIGN_OR_RETURN(grid.axes[key], written == "seeds" ? SeedsOf(node, source_) : ValuesOf(node, source_));
      if (grid.axes[key].empty()) return InvalidArgument("{}: '{}' has no values", PlaceOf(node, source_), written);
    }
    return absl::OkStatus();
  }

  absl::Status ReadMethodAxis(const toml::table& table, const toml::node& node, Grid& grid) const {
    const TomlFields fields(table, PlaceOf(node, source_));
    ASSIGN_OR_RETURN(const std::vector<std::string> names, fields.Required("methods", fields.Texts("methods")));
    grid.methods.clear();
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(grid.methods.emplace_back(), FindNamed(name, node));
    }
    return absl::OkStatus();
  }

  absl::Status ReadGrids() {
    Grid common;
    common.methods = methods_;
    if (const toml::node* node = root_.get("common")) {
      if (!node->is_table()) return InvalidArgument("{}: write [common]", PlaceOf(*node, source_));
      RETURN_IF_ERROR(ReadAxes(*node->as_table(), common));
    }
    ASSIGN_OR_RETURN(const std::vector<const toml::table*> tables, TablesOf(root_, "grid", source_));
    if (tables.empty()) return AddRuns(common, source_);
    for (const toml::table* const each : tables) {
      const toml::table& table = *each;
      Grid grid = common;
      RETURN_IF_ERROR(ReadAxes(table, grid));
      RETURN_IF_ERROR(AddRuns(grid, fmt::format("{} [[grid]]", PlaceOf(table, source_))));
    }
    return absl::OkStatus();
  }

  absl::Status AddRuns(const Grid& grid, const std::string& where) {
    if (!grid.axes.contains("dataset"))
      return InvalidArgument("{}: no datasets; add, e.g., datasets = [\"adult\"]", where);
    absl::StatusOr<std::vector<PlannedRun>> runs = RunsOf(grid);
    if (!runs.ok()) return InvalidArgument("{}: {}", where, std::string(runs.status().message()));
    for (const NamedMethod& method : grid.methods) {
      if (std::count(experiment_.methods.begin(), experiment_.methods.end(), method.name) > 0) continue;
      experiment_.methods.push_back(method.name);
      if (method.is_ours) experiment_.ours.push_back(method.name);
    }
    for (PlannedRun& run : *runs) {
      if (seen_.insert({run.method, run.Key()}).second) experiment_.runs.push_back(std::move(run));
    }
    return absl::OkStatus();
  }

  absl::Status ReadTables() {
    ASSIGN_OR_RETURN(const std::vector<const toml::table*> tables, TablesOf(root_, "table", source_));
    for (const toml::table* const each : tables) {
      const toml::table& table = *each;
      const TomlFields fields(table, fmt::format("{} [[table]]", PlaceOf(table, source_)));
      RETURN_IF_ERROR(fields.CheckKeys(kTableKeys));
      TableLayout layout;
      ASSIGN_OR_RETURN(layout.title, fields.Required("title", fields.Text("title")));
      ASSIGN_OR_RETURN(const auto kind, fields.Text("kind"));
      ASSIGN_OR_RETURN(layout.kind, KindNamed(kind.value_or("means"), fields));
      ASSIGN_OR_RETURN(layout.rows, OneOrMore(table, "rows", "method", fields));
      ASSIGN_OR_RETURN(const auto columns, fields.Text("columns"));
      layout.columns = columns.value_or("");
      ASSIGN_OR_RETURN(layout.cells, OneOrMore(table, "cells", "error", fields));
      ASSIGN_OR_RETURN(const auto method, fields.Text("method"));
      ASSIGN_OR_RETURN(const auto against, fields.Text("against"));
      layout.method = method.value_or("");
      layout.against = against.value_or("");
      for (const std::string& key : layout.rows) RETURN_IF_ERROR(CheckKey(key, table, source_));
      if (!layout.columns.empty()) RETURN_IF_ERROR(CheckKey(layout.columns, table, source_));
      for (const std::string& cell : layout.cells) RETURN_IF_ERROR(CheckResultName(cell, table, source_));
      if (layout.kind == TableKind::kOverhead || layout.kind == TableKind::kRatio) {
        ASSIGN_OR_RETURN(const NamedMethod one, FindNamed(layout.method, table));
        ASSIGN_OR_RETURN(const NamedMethod other, FindNamed(layout.against, table));
        layout.method = one.name;
        layout.against = other.name;
      }
      experiment_.tables.push_back(std::move(layout));
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<TableKind> KindNamed(const std::string& name, const TomlFields& fields) {
    for (const auto& [each, kind] : kTableKinds) {
      if (each == name) return kind;
    }
    return fields.Problem("kind", "must be \"means\", \"ranks\", \"overhead\" or \"ratio\"");
  }

  absl::Status ReadPlots() {
    ASSIGN_OR_RETURN(const std::vector<const toml::table*> tables, TablesOf(root_, "plot", source_));
    for (const toml::table* const each : tables) {
      const toml::table& table = *each;
      const TomlFields fields(table, fmt::format("{} [[plot]]", PlaceOf(table, source_)));
      RETURN_IF_ERROR(fields.CheckKeys(kPlotKeys));
      PlotLayout layout;
      ASSIGN_OR_RETURN(layout.title, fields.Required("title", fields.Text("title")));
      ASSIGN_OR_RETURN(layout.x, fields.Required("x", fields.Text("x")));
      ASSIGN_OR_RETURN(layout.y, fields.Required("y", fields.Text("y")));
      ASSIGN_OR_RETURN(const auto lines, fields.Text("lines"));
      ASSIGN_OR_RETURN(const auto panels, fields.Text("panels"));
      ASSIGN_OR_RETURN(const auto logarithmic, fields.Boolean("logarithmic"));
      if (lines) layout.lines = *lines;
      if (panels) layout.panels = *panels;
      layout.logarithmic_x = logarithmic.value_or(false);
      for (const std::string& key : {layout.x, layout.lines, layout.panels}) {
        RETURN_IF_ERROR(CheckKey(key, table, source_));
      }
      RETURN_IF_ERROR(CheckResultName(layout.y, table, source_));
      experiment_.plots.push_back(std::move(layout));
    }
    return absl::OkStatus();
  }

  absl::Status ReadPaper() {
    ASSIGN_OR_RETURN(const std::vector<const toml::table*> tables, TablesOf(root_, "paper", source_));
    for (const toml::table* const each : tables) {
      const toml::table& table = *each;
      PaperValue value;
      for (const auto& [toml_key, node] : table) {
        const std::string key(toml_key.str());
        if (key == "text") {
          value.text = node.value_or(std::string());
        } else if (key == "method") {
          const std::string name = node.value_or(std::string());
          const absl::StatusOr<NamedMethod> method = FindNamed(name, node);
          value.where[key] = method.ok() ? method->name : name;
        } else if (FindSetting(key).ok()) {
          ASSIGN_OR_RETURN(value.where[key], ValueOf(node, source_));
        } else {
          RETURN_IF_ERROR(CheckResultName(key, node, source_));
          const std::optional<double> number = node.value<double>();
          if (!number) return InvalidArgument("{}: '{}' must be a number", PlaceOf(node, source_), key);
          value.results[key] = *number;
        }
      }
      experiment_.paper.push_back(std::move(value));
    }
    return absl::OkStatus();
  }

  const toml::table& root_;
  const std::string source_;
  Experiment experiment_;
  std::vector<NamedMethod> methods_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

absl::StatusOr<Experiment> ParseExperiment(const std::string& text, const std::string& source, std::string name) {
  if (TomlDepth(text) > kMaxDepth) {
    return InvalidArgument("{}: nested more than {} levels deep; an experiment needs two", source, kMaxDepth);
  }
  try {
    const toml::table root = toml::parse(text, source);
    return Reader(root, source).Read(std::move(name));
  } catch (const toml::parse_error& error) {
    return InvalidArgument("{}:{}: not a TOML file: {}", source, error.source().begin.line, error.description());
  } catch (const std::exception& error) {
    return InvalidArgument("{}: cannot be read as TOML: {}", source, error.what());
  }
}

}  // namespace flaim
