#include "algorithms/aim/aim.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/aim/candidates.h"
#include "algorithms/aim/error_bounds.h"
#include "algorithms/expected_noise.h"
#include "base/status.h"
#include "fmt/format.h"
#include "marginal/counted_table.h"
#include "marginal/score.h"
#include "marginal/sensitivity.h"
#include "privacy/budget_refusal.h"
#include "privacy/release.h"
#include "privacy/zcdp_accountant.h"

namespace flaim {
namespace {

// What a run has learnt so far. All of it is public.
struct AimState {
  AimState(const BudgetSchedule& planned, std::vector<WeightedQuery> completion)
      : schedule(planned), candidates(std::move(completion)) {}

  BudgetSchedule schedule;
  std::vector<WeightedQuery> candidates;
  std::vector<Measurement> measurements;  // in the order of release
  std::optional<Model> model;
  std::optional<Model> previous;
  FitQuality quality;
  std::int64_t rounds = 0;
  std::string provenance = "secure";
};

std::vector<Clique> CliquesOf(std::span<const WeightedQuery> queries) {
  std::vector<Clique> cliques;
  for (const WeightedQuery& query : queries) cliques.push_back(query.clique);
  return cliques;
}

std::vector<Clique> ModelCliques(const AimOptions& options, const AimState& state) {
  std::vector<Clique> cliques;
  for (const Measurement& measurement : state.measurements) cliques.push_back(measurement.clique);
  for (const StructuralZeros& zeros : options.zeros) cliques.push_back(zeros.clique);
  return cliques;
}

void Record(AimState& state, Clique clique, std::span<const std::int64_t> noisy, const Rational& sigma_squared) {
  state.measurements.push_back({std::move(clique), {noisy.begin(), noisy.end()}, sigma_squared.ToDouble()});
}

void Stamp(AimState& state, const std::string& provenance) {
  if (provenance != "secure") state.provenance = provenance;
}

absl::Status MeasureOneWays(const AimOptions& options, const std::shared_ptr<PrivateRows>& source,
                            const AimResources& resources, AimState& state) {
  const Domain& domain = source->domain();
  std::vector<Clique> one_ways;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    one_ways.push_back(Clique({attribute}));
  }
  ASSIGN_OR_RETURN(CountedTable counts,
                   CountedTable::Create(source, one_ways, options.max_kept_cells, resources.parallel));
  std::vector<std::int64_t> stacked;
  for (std::size_t i = 0; i < one_ways.size(); ++i) {
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> cells, counts.Counts(i));
    stacked.insert(stacked.end(), cells.begin(), cells.end());
  }
  const GaussianMechanism& mechanism = state.schedule.one_ways();
  ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, resources.ledger.Debit({options.run, 0, "one-ways"}, mechanism));
  ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), stacked, resources.noise));
  Stamp(state, noisy.provenance);
  std::span<const std::int64_t> rest = noisy.values;
  for (const Clique& clique : one_ways) {
    const std::size_t cells = domain[clique.attributes().front()].size;
    Record(state, clique, rest.first(cells), mechanism.sigma_squared);
    rest = rest.subspan(cells);
  }
  return absl::OkStatus();
}

absl::Status Refit(const AimOptions& options, const Domain& domain, const EstimationOptions& fit,
                   const AimResources& resources, AimState& state) {
  const EstimationProblem problem{domain, state.measurements, options.zeros, EstimateTotal(state.measurements),
                                  options.max_model_cells};
  // The proximal method starts afresh: a cell that noise had made negative may lie hundreds of nats deep, and if a new
  // measurement brings it back, climbing out takes longer than starting at zero.
  const bool is_warm = fit.method == EstimationMethod::kMirrorDescent && state.model.has_value();
  ASSIGN_OR_RETURN(Estimate estimate,
                   EstimateModel(problem, is_warm ? &*state.model : nullptr, fit, resources.parallel));
  state.previous = std::exchange(state.model, std::move(estimate.model));
  state.quality = estimate.quality;
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> SensitivityOf(const AimState& state, std::span<const std::size_t> affordable) {
  std::vector<std::int64_t> weights;
  for (const std::size_t candidate : affordable) weights.push_back(state.candidates[candidate].weight);
  return ScoreSensitivity(weights);
}

// Picks the candidate that the model approximates worst, beyond the noise that measuring it would add.
absl::StatusOr<std::size_t> Select(const AimOptions& options, std::span<const std::size_t> affordable,
                                   const RoundBudget& budget, CountedTable& counts, const AimResources& resources,
                                   AimState& state) {
  ASSIGN_OR_RETURN(const std::int64_t sensitivity, SensitivityOf(state, affordable));
  MarginalQuery query = state.model->Query();
  std::vector<std::int64_t> scores;
  for (const std::size_t candidate : affordable) {
    const auto& [clique, weight] = state.candidates[candidate];
    std::vector<double> expected = query.Answer(clique);
    for (double& value : expected) value *= state.model->total();
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> counted, counts.Counts(candidate));
    ASSIGN_OR_RETURN(const ScaledDistance error, Distance({counted, expected}));
    ASSIGN_OR_RETURN(const std::int64_t score,
                     Score({weight, options.noise_penalty * ExpectedNoise(budget.Sigma(), expected.size())}, error));
    scores.push_back(score);
  }
  // Paid as late as can be: what a crash loses between a debit and its value stays spent.
  ASSIGN_OR_RETURN(
      Spend<ExponentialMechanism> spend,
      resources.ledger.Debit({options.run, state.rounds, "select"}, ExponentialMechanism{budget.epsilon, sensitivity}));
  ASSIGN_OR_RETURN(const NoisyChoice choice, ReleaseExponential(std::move(spend), scores, resources.noise));
  Stamp(state, choice.provenance);
  return affordable[choice.index];
}

absl::Status Measure(const AimOptions& options, std::size_t selected, const RoundBudget& budget, CountedTable& counts,
                     const AimResources& resources, AimState& state) {
  const Clique& clique = state.candidates[selected].clique;
  ASSIGN_OR_RETURN(const std::span<const std::int64_t> counted, counts.Counts(selected));
  ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, resources.ledger.Debit({options.run, state.rounds, "measure"},
                                                                          GaussianMechanism{budget.sigma_squared}));
  ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), counted, resources.noise));
  Stamp(state, noisy.provenance);
  Record(state, clique, noisy.values, budget.sigma_squared);
  return absl::OkStatus();
}

// A debit that a crash parted from its value is spent for nothing. What the ledger then lacks is taken off the last
// round, so that a run still ends with a model. What is on record already keeps its price.
absl::StatusOr<RoundBudget> WithinLedger(const RoundBudget& planned, const AimOptions& options, std::int64_t round,
                                         const Ledger& ledger) {
  if (!planned.is_last) return planned;
  RoundBudget budget = planned;
  const std::optional<Mechanism> selected = ledger.RecordedMechanism({options.run, round, "select"});
  const std::optional<Mechanism> measured = ledger.RecordedMechanism({options.run, round, "measure"});
  if (const auto* paid = selected ? std::get_if<ExponentialMechanism>(&*selected) : nullptr) {
    budget.epsilon = paid->epsilon;
  }
  if (const auto* paid = measured ? std::get_if<GaussianMechanism>(&*measured) : nullptr) {
    budget.sigma_squared = paid->sigma_squared;
  }
  const Rho selection = selected ? Rho() : CostOf(ExponentialMechanism{budget.epsilon});
  const Rho measurement = measured ? Rho() : CostOf(GaussianMechanism{budget.sigma_squared});
  if (selection + measurement <= ledger.left()) return budget;

  // Two units for rounding the two costs up.
  const double left = ledger.left().ToDouble() - Rho::FromUnits(2).ToDouble();
  const double share = left / (selection + measurement).ToDouble();
  if (!(share > 0)) {
    return BudgetRefused("crashes have cost so much of the ledger for '{}' that nothing is left for the last round",
                         ledger.terms().data_name);
  }
  if (!selected) {
    ASSIGN_OR_RETURN(budget.epsilon, Rational::RoundDown(budget.epsilon.ToDouble() * std::sqrt(share)));
  }
  if (!measured) {
    ASSIGN_OR_RETURN(budget.sigma_squared, Rational::RoundUp(budget.sigma_squared.ToDouble() / share));
  }
  return budget;
}

// Whether the measurement moved the model by more than noise alone would.
bool Improved(const AimOptions& options, const AimState& state, const Clique& measured, const RoundBudget& budget) {
  const std::vector<double> before = state.previous->Query().Answer(measured);
  const std::vector<double> after = state.model->Query().Answer(measured);
  double change = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    change += std::abs(state.model->total() * after[i] - state.previous->total() * before[i]);
  }
  return change > options.improvement_threshold * ExpectedNoise(budget.Sigma(), after.size());
}

void ReportRound(const AimState& state, const RoundBudget& budget, ProgressSink& progress) {
  const double share = state.schedule.spent().ToDouble() / state.schedule.allowance().ToDouble();
  progress.Report({"budget spent", static_cast<std::uint64_t>(std::lround(1000 * share)), 1000,
                   fmt::format("round {}, noise {:.1f}, model {:.2f} MB", state.rounds, budget.Sigma(),
                               static_cast<double>(state.model->tree().cells()) * 8e-6)});
}

std::int64_t CellsAllowed(const AimOptions& options, const BudgetSchedule& schedule) {
  const double share = schedule.spent().ToDouble() / schedule.allowance().ToDouble();
  return static_cast<std::int64_t>(static_cast<double>(options.max_model_cells) *
                                   (options.model_grows_with_budget ? share : 1));
}

// Everything that can be refused is refused before the first debit.
absl::Status CheckBefore(const AimOptions& options, const Domain& domain, const BudgetSchedule& schedule,
                         const Ledger& ledger, Parallel& parallel) {
  if (!(options.confidence > 0 && options.confidence < 1)) {
    return InvalidArgument("the confidence of the error bounds must lie between 0 and 1");
  }
  const EstimationProblem nothing_measured{domain, {}, options.zeros, 1, options.max_model_cells};
  RETURN_IF_ERROR(EstimateModel(nothing_measured, nullptr, {}, parallel).status());
  if (ledger.HasValue({options.run, 0, "one-ways"}) || schedule.allowance() <= ledger.left()) return absl::OkStatus();
  return BudgetRefused(
      "this run may cost rho {:.6g}, but of the {:.6g} that the ledger allows for '{}' only {:.6g} is left. Ask for a "
      "smaller --epsilon; a budget does not come back",
      schedule.allowance().ToDouble(), ledger.terms().total.ToDouble(), ledger.terms().data_name,
      ledger.left().ToDouble());
}

FitReport ReportOf(const AimOptions& options, const AimState& state) {
  FitReport report;
  report.algorithm = "aim";
  report.epsilon = options.budget.epsilon();
  report.delta = options.budget.delta();
  report.rho = state.schedule.allowance().ToDouble();
  report.rho_spent = state.schedule.spent().ToDouble();
  report.adjacency = "add or remove one record";
  report.noise = state.provenance;
  report.rounds = state.rounds;
  report.quality = state.quality;
  report.confidence = options.confidence;
  report.measurements = MergeMeasurements(state.measurements);
  return report;
}

}  // namespace

AimOptions PaperAimOptions(const PrivacyBudget& budget) {
  AimOptions options{.budget = budget};
  options.rounds = Annealed{.rounds_per_attribute = 16};
  options.max_model_cells = std::int64_t{10} << 20;
  options.model_grows_with_budget = true;
  options.noise_penalty = 1;
  options.improvement_threshold = 1;
  options.round_fit = {.method = EstimationMethod::kMirrorDescent, .max_iterations = 50, .relative_gap = 0};
  options.last_fit = {.method = EstimationMethod::kMirrorDescent, .max_iterations = 500, .relative_gap = 0};
  return options;
}

absl::StatusOr<FittedModel> RunAim(const AimOptions& options, const std::shared_ptr<PrivateRows>& source,
                                   const Workload& workload, const AimResources& resources) {
  const Domain& domain = source->domain();
  ASSIGN_OR_RETURN(const BudgetSchedule schedule,
                   BudgetSchedule::Create(RhoFor(options.budget), domain.size(), options.rounds));
  RETURN_IF_ERROR(CheckBefore(options, domain, schedule, resources.ledger, resources.parallel));
  ASSIGN_OR_RETURN(std::vector<WeightedQuery> candidates, WeightedCompletion(workload, options.weights));
  ASSIGN_OR_RETURN(CountedTable counts,
                   CountedTable::Create(source, CliquesOf(candidates), options.max_kept_cells, resources.parallel));
  AimState state(schedule, std::move(candidates));

  // Initialise: measure every one-way marginal.
  RETURN_IF_ERROR(MeasureOneWays(options, source, resources, state));
  RETURN_IF_ERROR(Refit(options, domain, options.round_fit, resources, state));

  LastRound last;
  while (const std::optional<RoundBudget> planned = state.schedule.Next()) {
    ++state.rounds;
    ASSIGN_OR_RETURN(const RoundBudget budget, WithinLedger(*planned, options, state.rounds, resources.ledger));
    // Filter: only what the model can take in within its share of the memory.
    const std::vector<std::size_t> affordable = AffordableCandidates(
        state.candidates, state.model->tree(), ModelCliques(options, state), CellsAllowed(options, state.schedule));

    // Select, then measure.
    ASSIGN_OR_RETURN(const std::size_t selected, Select(options, affordable, budget, counts, resources, state));
    RETURN_IF_ERROR(Measure(options, selected, budget, counts, resources, state));

    // Estimate, the last time with more patience, and anneal.
    RETURN_IF_ERROR(Refit(options, domain, budget.is_last ? options.last_fit : options.round_fit, resources, state));
    state.schedule.Observe(Improved(options, state, state.candidates[selected].clique, budget));
    ReportRound(state, budget, resources.progress);
    RETURN_IF_ERROR(StopIfAsked(resources.progress));
    if (budget.is_last) {
      ASSIGN_OR_RETURN(const std::int64_t sensitivity, SensitivityOf(state, affordable));
      last = {.affordable = affordable,
              .selected = selected,
              .noisy = state.measurements.back().values,
              .sigma = budget.Sigma(),
              .penalty_records_per_cell = options.noise_penalty * ExpectedNoise(budget.Sigma(), 1),
              .score_noise_records = 2.0 * static_cast<double>(sensitivity) / (kScoreScale * budget.epsilon.ToDouble()),
              .before = &*state.previous};
    }
  }

  FitReport report = ReportOf(options, state);
  report.bounds = BoundErrors(state.candidates, *state.model, state.measurements, last, options.confidence);
  return FittedModel{std::move(*state.model), std::move(report)};
}

}  // namespace flaim
