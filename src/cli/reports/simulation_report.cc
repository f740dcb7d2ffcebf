#include "cli/reports/simulation_report.h"

#include <algorithm>

#include "algorithms/choices/choice_json.h"
#include "algorithms/choices/method_words.h"
#include "algorithms/choices/scopes.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

// "3-way" where all queries are of that size: what the paper's tables have.
std::string NameOfQueries(const Workload& workload) {
  const int size = workload[0].clique.size();
  const bool is_uniform = std::all_of(workload.begin(), workload.end(),
                                      [&](const WeightedQuery& query) { return query.clique.size() == size; });
  return is_uniform ? fmt::format("{}-way", size) : "workload";
}

std::string BytesInWords(const MeanAndMost& bytes) {
  return fmt::format("{} on average, {} at most", BytesInShort(bytes.mean), BytesInShort(bytes.most));
}

std::string ErrorLine(const SimulationReport& report) {
  const WorkloadError& rows = *report.quality.rows_error;
  const WorkloadError& model = *report.quality.model_error;
  return fmt::format("error     {} {:.4f}, closure {:.4f} ({} synthetic rows); of the model itself {:.4f}, {:.4f}",
                     NameOfQueries(report.settings.fit.workload), rows.queries, rows.closure, report.rows,
                     model.queries, model.closure);
}

std::string HeldOutLine(const HeldOutLikelihood& held_out) {
  return fmt::format(
      "held out  {:.4f} nats a record, with {:g} of the probability spread evenly over all records; {} of {} records "
      "had probability 0",
      held_out.smoothed_nats, LikelihoodOptions::kDefaultUniformShare, held_out.impossible_records, held_out.records);
}

std::string AucLine(const SimulationReport& report) {
  return fmt::format(
      "auc       {:.4f} of trees trained on the synthetic rows, {:.4f} of trees trained on the true ones",
      *report.quality.auc, *report.true_auc);
}

// Clients that have reached their cap decline, so a run can end before its rounds do.
std::string RoundsInWords(const SimulationReport& report) {
  const std::int64_t held = report.fitted.report.rounds;
  std::int64_t planned = held;
  if (const auto* fixed = std::get_if<FixedRounds>(&report.settings.fit.plan.method.rounds)) planned = fixed->rounds;
  if (const auto* once = std::get_if<ChooseThenMeasure>(&report.settings.fit.plan.method.rounds))
    planned = once->rounds;
  if (!HasRounds(report.settings.fit.plan.method)) return "one-way marginals only";
  if (held >= planned) return fmt::format("{} rounds", held);
  return fmt::format("{} of {} rounds (in the others, nobody was there who had not served already)", held, planned);
}

std::string CapInWords(const Method& method) {
  if (method.IsOneTable()) return "all rows are in one place and pay for every round";
  if (method.membership == Membership::kPool) return "a client's counts stay in the pool and pay for every round";
  if (method.accounting == Accounting::kPaper) return "a client pays as if it took part in every round";
  return fmt::format("a client serves in at most {} round(s) and pays for that many", method.participation_cap);
}

std::string SpendLine(const SimulationReport& report) {
  const ClientFigures& clients = report.clients;
  const double delta = report.settings.fit.budget().delta();
  std::string line = fmt::format(
      "spend     rho {:.6f} on average, {:.6f} at most, of {:.6f} allowed; the most is epsilon {:.3f} at "
      "delta {:g}",
      clients.rho.mean, clients.rho.most, report.settings.fit.plan.terms().allowance.ToDouble(), report.MostEpsilon(),
      delta);
  if (report.settings.fit.plan.method.accounting == Accounting::kExact) {
    line += fmt::format(" by zCDP, and at most {:g} by the exact accountant", report.settings.fit.budget().epsilon());
  }
  return line;
}

// What a real run would promise, and why this one does not.
void AddPromise(const SimulationReport& report, std::vector<std::string>& lines) {
  const SimulationSettings& settings = report.settings;
  const PrivacyBudget& budget = settings.fit.budget();
  const std::vector<std::string> reasons = settings.ReasonsNotPrivate();
  if (reasons.empty()) {
    lines.push_back(
        fmt::format("promise   epsilon {:g}, delta {:g}, for adding or removing one record of one client: {}",
                    budget.epsilon(), budget.delta(), CapInWords(settings.fit.plan.method)));
  } else {
    lines.push_back(
        fmt::format("promise   NONE; epsilon {:g}, delta {:g} was asked for, but:", budget.epsilon(), budget.delta()));
    for (const std::string& reason : reasons) lines.push_back("          " + reason);
  }
  if (settings.research.is_published_code) {
    lines.push_back(fmt::format("          claimed epsilon {:g}; what clients pay at worst is epsilon {:.3f}",
                                budget.epsilon(), report.WorstEpsilon()));
  }
  lines.push_back("trust     " + TrustInWords(settings.fit.plan.method));
  lines.push_back(
      fmt::format("seed      {}; the run can be repeated and its noise subtracted, and its accounts end with it: it is "
                  "NOT private, and the model is stamped so",
                  settings.seed));
}

nlohmann::json ToJson(const MeanAndMost& figures) { return {{"mean", figures.mean}, {"max", figures.most}}; }

nlohmann::json ToJson(const WorkloadError& error) { return {{"queries", error.queries}, {"closure", error.closure}}; }

nlohmann::json ToJson(const std::vector<EvaluatedRound>& rounds, const Domain& domain) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [report, error] : rounds) {
    nlohmann::json chosen = nlohmann::json::array();
    for (const Clique& clique : report.chosen) chosen.push_back(CliqueName(domain, clique));
    nlohmann::json& round = list.emplace_back();
    round = {{"round", report.round}, {"clients", report.members}, {"chosen", chosen},
             {"sigma", report.sigma}, {"records", report.total},   {"model_cells", report.model_cells}};
    if (error) round["error"] = ToJson(*error);
  }
  return list;
}

nlohmann::json ToJson(const ClientFigures& clients, std::size_t without_rows, bool has_traffic) {
  nlohmann::json result = {{"enrolled", clients.enrolled},
                           {"took_part", clients.took_part},
                           {"without_rows", without_rows},
                           {"rounds_served", ToJson(clients.rounds_served)}};
  if (has_traffic) {
    result["sent_bytes"] = ToJson(clients.sent_bytes);
    result["received_bytes"] = ToJson(clients.received_bytes);
    result["exchanges"] = ToJson(clients.exchanges);
  }
  return result;
}

nlohmann::json SpendToJson(const SimulationReport& report) {
  return {{"rho", ToJson(report.clients.rho)},
          {"rho_allowed", report.settings.fit.plan.terms().allowance.ToDouble()},
          {"epsilon_max", report.MostEpsilon()},
          {"epsilon_allowed", report.WorstEpsilon()},
          {"accounting", ChosenText("accounting", report.settings.fit.plan.method)}};
}

void AddQuality(const SimulationReport& report, nlohmann::json& result) {
  const ModelQuality& quality = report.quality;
  if (quality.rows_error) {
    result["error"] = {{"queries_are", NameOfQueries(report.settings.fit.workload)},
                       {"rows", ToJson(*quality.rows_error)},
                       {"model", ToJson(*quality.model_error)}};
  }
  if (quality.auc) result["auc"] = {{"synthetic", *quality.auc}, {"true", *report.true_auc}};
  if (quality.held_out) {
    result["held_out"] = {{"records", quality.held_out->records},
                          {"impossible_records", quality.held_out->impossible_records},
                          {"uniform_share", LikelihoodOptions::kDefaultUniformShare},
                          {"smoothed_nats", quality.held_out->smoothed_nats}};
    if (quality.held_out->impossible_records == 0) result["held_out"]["exact_nats"] = quality.held_out->exact_nats;
  }
}

}  // namespace

double SimulationReport::MostEpsilon() const { return EpsilonOf(clients.most_rho, settings.fit.budget().delta()); }

double SimulationReport::WorstEpsilon() const {
  return EpsilonOf(settings.fit.plan.terms().allowance, settings.fit.budget().delta());
}

std::vector<std::string> Lines(const SimulationReport& report) {
  const ClientFigures& clients = report.clients;
  const Method& method = report.settings.fit.plan.method;
  std::vector<std::string> lines = {fmt::format("method    {}, {} in {:.1f} s", report.settings.fit.plan.title,
                                                RoundsInWords(report), report.seconds)};
  if (report.quality.rows_error) lines.push_back(ErrorLine(report));
  if (report.quality.held_out) lines.push_back(HeldOutLine(*report.quality.held_out));
  if (report.quality.auc) lines.push_back(AucLine(report));
  if (!method.IsOneTable()) {
    lines.push_back(fmt::format("clients   {} enrolled, {} took part, {} have no rows", clients.enrolled,
                                clients.took_part, report.clients_without_rows));
    if (report.heterogeneity) {
      lines.push_back(fmt::format(
          "unlike    {:.3f}: total variation distance of a client's marginals from everybody's, on average (0 to 1)",
          *report.heterogeneity));
    }
    lines.push_back("sent      " + BytesInWords(clients.sent_bytes) + " by a client that took part");
    lines.push_back(fmt::format("received  {}; {:.1f} exchanges on average, {:.0f} at most",
                                BytesInWords(clients.received_bytes), clients.exchanges.mean, clients.exchanges.most));
  }
  lines.push_back(SpendLine(report));
  lines.push_back(fmt::format("model     {} cells, {} marginals measured, about {:.0f} records{}",
                              report.fitted.model.tree().cells(), report.fitted.report.measurements.size(),
                              report.fitted.model.total(), report.output.empty() ? "" : ", in " + report.output));
  AddPromise(report, lines);
  return lines;
}

nlohmann::json ToJson(const SimulationReport& report) {
  const SimulationSettings& settings = report.settings;
  nlohmann::json result = {
      {"method", settings.fit.plan.method.name},
      {"changes", ChangesFromPreset(settings.fit.plan.method)},
      {"choices", ToJson(ShownChoicesOf(settings.fit.plan.method))},
      {"published_code", settings.research.is_published_code},
      {"method_is_private", settings.ReasonsNotPrivate().empty()},
      {"is_private", false},  // like every simulation
      {"reasons_not_private", settings.ReasonsNotPrivate()},
      {"trust", TrustInWords(settings.fit.plan.method)},
      {"epsilon", settings.fit.budget().epsilon()},
      {"delta", settings.fit.budget().delta()},
      {"adjacency", report.fitted.report.adjacency},
      {"noise", report.fitted.report.noise},
      {"seed", settings.seed},
      {"availability", settings.fit.plan.availability_text},
      {"workload", settings.fit.workload_text},
      {"workload_marginals", settings.fit.workload.size()},
      {"rows", report.rows},
      {"rounds", ToJson(report.rounds, settings.fit.schema.domain())},
      {"clients", ToJson(report.clients, report.clients_without_rows, !settings.fit.plan.method.IsOneTable())},
      {"spend", SpendToJson(report)},
      {"records", report.fitted.model.total()},
      {"model_cells", report.fitted.model.tree().cells()},
      {"measured_marginals", report.fitted.report.measurements.size()},
      {"model", report.output.empty() ? nlohmann::json() : nlohmann::json(report.output)}};
  AddQuality(report, result);
  if (report.heterogeneity) result["clients"]["heterogeneity"] = *report.heterogeneity;
  return result;
}

}  // namespace flaim
