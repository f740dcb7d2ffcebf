#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "app/request/memory_limit.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/reports/model_notes.h"
#include "model/estimation/left_out.h"
#include "model/file/model_file.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

constexpr std::size_t kShownMarginals = 20;

struct ShowFlags {
  std::string model;
  bool json = false;
  bool all = false;
  std::optional<int> threads;
};

// What is known about how well the model has one marginal. Distances are L1, as shares of the records.
struct MarginalLine {
  Clique clique;
  std::int64_t cells = 0;
  std::optional<double> fit;        // between the model and the noisy measurement
  std::optional<double> noise;      // what noise alone makes of that distance, about
  std::optional<double> bound;      // between the model and the private table
  bool is_within_measured = false;  // a larger marginal was measured
};

double DistanceToModel(MarginalQuery& query, double total, const Measurement& measurement) {
  const std::vector<double> shares = query.Answer(measurement.clique);
  double distance = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) distance += std::abs(total * shares[i] - measurement.values[i]);
  return distance;
}

// The worst bounds first.
std::vector<MarginalLine> MarginalLines(const ModelFile& file) {
  const double total = file.model.total();
  std::map<Clique, MarginalLine> lines;
  for (const ErrorBound& bound : file.report.bounds) {
    lines[bound.clique].bound = bound.distance_records / total;
    lines[bound.clique].is_within_measured = bound.is_measured;
  }
  MarginalQuery over_values = file.model.Query();
  MarginalQuery over_bins = file.model.QueryBins();
  const Levels* levels = file.model.levels();
  for (const Measurement& measurement : file.report.measurements) {
    MarginalLine& line = lines[measurement.clique];
    const bool is_over_bins = levels != nullptr && levels->IsOverBins(measurement.clique, measurement.values.size());
    line.fit = DistanceToModel(is_over_bins ? over_bins : over_values, total, measurement) / total;
    line.noise =
        std::sqrt(2 * measurement.variance / std::numbers::pi) * static_cast<double>(measurement.values.size()) / total;
  }
  std::vector<MarginalLine> sorted;
  for (auto& [clique, line] : lines) {
    line.clique = clique;
    line.cells = CellCount(file.model.domain(), clique).value_or(0);
    sorted.push_back(line);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const MarginalLine& a, const MarginalLine& b) {
    return a.bound.value_or(-1) > b.bound.value_or(-1);
  });
  return sorted;
}

double PossibleRecords(const Domain& domain) {
  double records = 1;
  for (const Attribute& attribute : domain.attributes()) records *= static_cast<double>(attribute.size);
  return records;
}

// Of each column with bins, the number of them.
nlohmann::json BinsInJson(const Model& model) {
  nlohmann::json bins = nlohmann::json::object();
  if (model.levels() == nullptr) return bins;
  for (AttributeIndex attribute = 0; attribute < model.domain().size(); ++attribute) {
    if (!model.levels()->bins().HasBins(attribute)) continue;
    bins[model.domain()[attribute].name] = model.tree().domain()[attribute].size;
  }
  return bins;
}

std::vector<std::string> Names(const Domain& domain, const Clique& clique) {
  std::vector<std::string> names;
  for (const AttributeIndex attribute : clique) names.push_back(domain[attribute].name);
  return names;
}

nlohmann::json ToJson(const ModelFile& file) {
  const FitReport& report = file.report;
  const Domain& domain = file.model.domain();
  nlohmann::json cliques = nlohmann::json::array();
  for (const JunctionTree::Node& node : file.model.tree().nodes()) {
    cliques.push_back({{"columns", Names(domain, node.clique)}, {"cells", node.cells()}});
  }
  nlohmann::json marginals = nlohmann::json::array();
  for (const MarginalLine& line : MarginalLines(file)) {
    nlohmann::json& marginal =
        marginals.emplace_back(nlohmann::json{{"columns", Names(domain, line.clique)}, {"cells", line.cells}});
    marginal["measured"] = line.fit.has_value();
    if (line.fit) marginal["distance_to_measurement"] = *line.fit;
    if (line.noise) marginal["expected_noise"] = *line.noise;
    if (line.bound) marginal["error_bound"] = *line.bound;
  }
  return {
      {"algorithm", report.algorithm},
      {"epsilon", report.epsilon},
      {"delta", report.delta},
      {"adjacency", report.adjacency},
      {"rho", report.rho},
      {"rho_spent", report.rho_spent},
      {"noise", report.noise},
      {"schema_is_private", !report.derived_from_private_rows},
      {"is_private", report.IsPrivate()},
      {"rounds", report.rounds},
      {"records", file.model.total()},
      {"possible_records", PossibleRecords(domain)},
      {"model_cells", file.model.tree().cells()},
      {"bins", BinsInJson(file.model)},
      {"fit", {{"iterations", report.quality.iterations}, {"loss", report.quality.loss}, {"gap", report.quality.gap}}},
      {"confidence", report.confidence},
      {"cliques", cliques},
      {"marginals", marginals}};
}

std::string Percent(const std::optional<double>& share) { return share ? fmt::format("{:.2f}%", 100 * *share) : "-"; }

void PrintSummary(const ModelFile& file, Console& console) {
  const FitReport& report = file.report;
  const bool is_private = report.IsPrivate();
  const JunctionTree& tree = file.model.tree();
  const auto largest = std::max_element(tree.nodes().begin(), tree.nodes().end(),
                                        [](const auto& a, const auto& b) { return a.cells() < b.cells(); });
  console.Print(fmt::format("promise   {}epsilon {:g}, delta {:g}, neighbours: {}",
                            is_private ? "" : "NONE (see the warning); asked for ", report.epsilon, report.delta,
                            report.adjacency));
  console.Print(fmt::format("spent     rho {:.6f} of {:.6f}, in {} rounds of {}", report.rho_spent, report.rho,
                            report.rounds, report.algorithm));
  console.Print(fmt::format("noise     {}", report.noise));
  console.Print(fmt::format("records   about {:.0f}, of {:.3g} possible ones over {} columns", file.model.total(),
                            PossibleRecords(file.model.domain()), file.model.domain().size()));
  console.Print(fmt::format("model     {} cliques, {} cells ({}); the largest is {}", tree.nodes().size(), tree.cells(),
                            BytesInShort(8.0 * static_cast<double>(tree.cells())),
                            CliqueName(file.model.domain(), largest->clique)));
  if (const std::size_t columns = BinsInJson(file.model).size(); columns > 0) {
    console.Print(fmt::format("bins      {} columns in bins of their values", columns));
  }
  for (const Clique& clique : LeftOutOf(file.model, report)) {
    console.Print(fmt::format("left out  {}: it was measured, but the model would have been too large with it",
                              CliqueName(file.model.domain(), clique)));
  }
  console.Print(fmt::format("fit       loss {:.4g}, at most {:.2g} above the best possible, after {} iterations",
                            report.quality.loss, report.quality.gap, report.quality.iterations));
}

void PrintMarginals(const ModelFile& file, bool all, Console& console) {
  const std::vector<MarginalLine> lines = MarginalLines(file);
  const std::size_t shown = all ? lines.size() : std::min(lines.size(), kShownMarginals);
  const auto measured =
      std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.fit.has_value(); });
  console.Print(fmt::format(
      "\n{} marginals, {} of them measured{}. Distances are sums over all cells, in percent of the records.",
      lines.size(), measured, shown < lines.size() ? fmt::format("; the {} with the largest bounds", shown) : ""));
  console.Print(file.report.bounds.empty()
                    ? std::string("How far the private table may be from the model, this method does not say.\n")
                    : fmt::format("With {:g}% confidence each, the private table is within the bound of the model; "
                                  "200% or more says nothing.\n",
                                  100 * file.report.confidence));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const MarginalLine& line = lines[i];
    rows.push_back({CliqueName(file.model.domain(), line.clique), fmt::format("{}", line.cells),
                    line.fit                  ? "yes"
                    : line.is_within_measured ? "in a larger one"
                                              : "no",
                    Percent(line.fit), Percent(line.noise), Percent(line.bound)});
  }
  console.PrintTable({"marginal", "cells", "measured", "off measurement", "noise in it", "error bound"}, rows);
  if (shown < lines.size()) console.Note("\n--all shows the rest");
}

absl::Status Show(const ShowFlags& flags, Console& console) {
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()));
  ASSIGN_OR_RETURN(const ModelFile file, ReadModelFile(flags.model, {}, parallel));
  WarnIfNotPrivate(file.report, console);
  if (flags.json) {
    console.Print(ToJson(file).dump(2));
    return absl::OkStatus();
  }
  PrintSummary(file, console);
  PrintMarginals(file, flags.all, console);
  return absl::OkStatus();
}

}  // namespace

void AddShowCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<ShowFlags>();
  CLI::App* command =
      program.add_subcommand("show", "What a model promises and cost, and how far each marginal can be off");
  command->add_option("MODEL", flags->model, "Model file that flaim fit wrote")->required();
  command->add_flag("--all", flags->all, "All marginals, not only the 20 with the largest bounds");
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Show(*flags, console); }; });
}

}  // namespace flaim
