#include "cli/reports/round_table.h"

#include "fmt/format.h"

namespace flaim {
namespace {

constexpr std::size_t kChosenWidth = 60;

std::string LineOf(const std::string& round, const std::string& members, const std::string& noise,
                   const std::string& records, const std::string& cells, const std::string& error,
                   const std::string& chosen) {
  return fmt::format("{:>7} {:>8} {:>9} {:>10} {:>9}{}  {}", round, members, noise, records, cells, error, chosen);
}

}  // namespace

void RoundTable::Report(const EvaluatedRound& round) {
  if (rounds_.empty()) {
    console_.Note(
        LineOf("round", "clients", "noise", "records", "cells", round.error ? "    error" : "", "chosen marginals"));
  }
  rounds_.push_back(round);
  const RoundReport& report = round.report;
  const std::string number =
      report.rounds > 0 ? fmt::format("{}/{}", report.round, report.rounds) : fmt::format("{}", report.round);
  console_.Note(LineOf(number, fmt::format("{}", report.members), fmt::format("{:.1f}", report.sigma),
                       fmt::format("{:.0f}", report.total), fmt::format("{}", report.model_cells),
                       round.error ? fmt::format("   {:.4f}", round.error->queries) : "",
                       ShortenedList(domain_, report.chosen, kChosenWidth)));
}

std::string ShortenedList(const Domain& domain, const std::vector<Clique>& cliques, std::size_t width) {
  std::string list;
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    const std::string name = CliqueName(domain, cliques[i]);
    if (i > 0 && list.size() + name.size() + 2 > width) return fmt::format("{} +{} more", list, cliques.size() - i);
    list += (i > 0 ? "; " : "") + name;
  }
  return list.empty() ? "-" : list;
}

}  // namespace flaim
