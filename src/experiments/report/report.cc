#include "experiments/report/report.h"

#include <algorithm>
#include <map>

#include "experiments/report/figures/plot_figure.h"
#include "experiments/report/html_page.h"
#include "experiments/report/names.h"
#include "experiments/report/number_text.h"
#include "experiments/report/results_view.h"
#include "experiments/report/tables/cost_table.h"
#include "experiments/report/tables/result_table.h"
#include "fmt/format.h"

namespace flaim {
namespace {

std::string StatusOf(const RunSelection& runs) {
  const std::string failed = runs.Failed() == 0 ? "" : fmt::format(", {} failed", runs.Failed());
  if (runs.Done() == runs.Size()) return fmt::format("all {} done", CountText(runs.Size(), "run"));
  return fmt::format("{} of {} done{}", runs.Done(), CountText(runs.Size(), "run"), failed);
}

// Each reason once, with how often it occurred.
Markup RenderFailures(const RunSelection& runs) {
  std::map<std::string, int> reasons;
  for (const ViewedRun* run : runs.Runs()) {
    if (run->HasFailed()) ++reasons[fmt::format("{}: {}", run->method, run->failure)];
  }
  if (reasons.empty()) return {};
  Markup items;
  for (const auto& [reason, count] : reasons) {
    items += Markup::Element("li", {}, count == 1 ? reason : fmt::format("{} ({} times)", reason, count));
  }
  return Markup::Element("details", {},
                         Markup::Element("summary", {}, "Why runs failed") + Markup::Element("ul", {}, items));
}

PageSection MakeSection(const ExperimentResults& results, const std::vector<std::string>& page_methods,
                        std::vector<std::string>& anchors) {
  const Experiment& experiment = results.experiment;
  const ResultsView view(results);
  PageSection section;
  section.anchor = AnchorOf(experiment.name, anchors);
  section.title = experiment.title.empty() ? experiment.name : experiment.title;
  section.status = StatusOf(view.All());
  if (!experiment.about.empty()) section.content += Markup::Element("p", {}, experiment.about);
  const bool is_whole = view.All().Done() == view.All().Size();
  section.content += Markup::Element("p", {{"class", is_whole ? "status" : "status bad"}}, section.status);
  section.content += RenderFailures(view.All());
  for (const TableLayout& layout : experiment.tables) section.content += RenderTable(MakeTable(view, layout));
  for (const PlotLayout& layout : experiment.plots) {
    section.content += RenderFigure(MakeFigure(view, layout, page_methods));
  }
  section.content += RenderCosts(view);
  return section;
}

std::vector<std::string> MethodsOf(std::span<const ExperimentResults> experiments) {
  std::vector<std::string> methods;
  for (const ExperimentResults& results : experiments) {
    for (const std::string& method : results.experiment.methods) {
      if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
    }
  }
  return methods;
}

bool IsShown(std::span<const ExperimentResults> experiments, std::string_view result) {
  return std::any_of(experiments.begin(), experiments.end(), [&](const ExperimentResults& results) {
    const Experiment& experiment = results.experiment;
    return std::any_of(experiment.plots.begin(), experiment.plots.end(),
                       [&](const PlotLayout& plot) { return plot.y == result; }) ||
           std::any_of(experiment.tables.begin(), experiment.tables.end(), [&](const TableLayout& table) {
             const bool is_overhead = table.kind == TableKind::kOverhead;
             return std::find(table.cells.begin(), table.cells.end(), result) != table.cells.end() ||
                    (is_overhead && (result == "bytes" || result == "error" || result == "nll"));
           });
  });
}

PageSection MakeExplanations(std::span<const ExperimentResults> experiments, std::vector<std::string>& anchors) {
  PageSection section = {
      .anchor = AnchorOf("names", anchors), .title = "What the numbers mean", .status = "", .content = {}};
  Markup items;
  for (const ResultName& result : AllResultNames()) {
    if (!IsShown(experiments, result.name)) continue;
    items += Markup::Element("dt", {},
                             Markup::Text(fmt::format("{} ", result.title)) + Markup::Element("code", {}, result.name));
    items += Markup::Element("dd", {}, result.explanation);
  }
  section.content += Markup::Element("dl", {}, items);
  section.content += Markup::Element(
      "p", {},
      "± is the standard error of the mean over runs that differ only in their seeds. Intervals hold the mean with 95 "
      "% "
      "confidence if repetitions are normal (Student’s t). Methods marked “ours” are not in the paper; those marked "
      "“central” have all rows in one place.");
  return section;
}

}  // namespace

std::string RenderReport(std::span<const ExperimentResults> experiments, const ReportOptions& options) {
  HtmlPage page;
  page.title = options.title;
  page.byline = fmt::format("{}{}{}", options.version.empty() ? "FLAIM" : fmt::format("FLAIM {}", options.version),
                            options.made.empty() ? "" : ", ", options.made);
  const std::vector<std::string> methods = MethodsOf(experiments);
  std::vector<std::string> anchors;
  for (const ExperimentResults& results : experiments) page.sections.push_back(MakeSection(results, methods, anchors));
  page.sections.push_back(MakeExplanations(experiments, anchors));
  return RenderPage(page);
}

}  // namespace flaim
