#include "cli/simulation_settings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "cli/choice_names.h"
#include "cli/number_range.h"
#include "data/byte_source.h"
#include "data/message_text.h"
#include "data/types/number_text.h"
#include "privacy/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr double kDefaultParticipation = 0.1;
constexpr std::string_view kTrace = "trace:";
constexpr std::size_t kMaxTraceBytes = std::size_t{1} << 30;
// Of the published code: 80 MB of doubles.
constexpr std::int64_t kPaperModelCells = std::int64_t{10} << 20;
// What a model of that size takes, by the reckoning of memory_limit.h.
constexpr const char* kPaperMemory = "4G";

std::string ExplainBadRate(const std::string& text) {
  const std::optional<double> rate = ParseReal(text);
  if (rate && *rate > 0 && *rate <= 1) return "";
  if (rate && *rate == 0) return "with a rate of 0 nobody would ever take part: give more than 0, and at most 1";
  return fmt::format("{} is not a rate: give more than 0, and at most 1", text);
}

std::string ExplainBadAvailability(const std::string& text) {
  if (text == "poisson" || text == "turns" || text == "all" || text.starts_with(kTrace)) return "";
  static constexpr std::string_view kKinds[] = {"poisson", "turns", "all", "trace"};
  return fmt::format("{} is none of poisson, turns, all and trace:FILE.{}", QuoteForMessage(text),
                     SuggestNearest(text, kKinds));
}

absl::StatusOr<Trace> ReadTrace(const std::string& path) {
  if (path.empty()) return InvalidArgument("--availability trace: names no file; write, e.g., trace:rounds.txt");
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxTraceBytes));
  return ParseTrace(text, path);
}

// Without a word on it: in turns where a client must not be asked too often, otherwise as in the paper.
std::string KindOfAvailability(const SimulationFlags& flags, const Method& method) {
  if (method.is_central) return "all";
  if (!flags.availability.empty()) return flags.availability;
  if (flags.participation == 1.0) return "all";
  return method.accounting == Accounting::kPaper ? "poisson" : "turns";
}

absl::Status ReadAvailability(const SimulationFlags& flags, SimulationSettings& settings) {
  const std::string kind = KindOfAvailability(flags, settings.method);
  const double rate = flags.participation.value_or(kDefaultParticipation);
  const bool is_trace = kind.starts_with(kTrace);
  if (flags.participation && !settings.method.is_central && (is_trace || (kind == "all" && rate < 1))) {
    return InvalidArgument("--participation {} contradicts --availability {}, which says itself who is there", rate,
                           kind);
  }
  if (is_trace) {
    settings.availability_text = kind;
    settings.trace_path = kind.substr(kTrace.size());
    ASSIGN_OR_RETURN(settings.availability, ReadTrace(settings.trace_path));
  } else if (kind == "all") {
    settings.availability = Everybody{};
    settings.availability_text = "everybody in every round";
  } else if (kind == "poisson") {
    settings.availability = Poisson{rate};
    settings.availability_text = fmt::format("each client with probability {:g} in a round", rate);
  } else {
    settings.availability = TakingTurns{rate};
    settings.availability_text = fmt::format("a share of {:g} in a round, in turns", rate);
  }
  return absl::OkStatus();
}

// Clients that take turns and serve once are all used up after 1/p rounds: that many are planned for.
void PlanRoundsFor(const SimulationFlags& flags, Method& method) {
  auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
  if (once == nullptr || flags.method.rounds || method.membership == Membership::kPool) return;
  const double rate = flags.participation.value_or(kDefaultParticipation);
  if (!(rate > 0) || flags.availability.starts_with(kTrace)) return;
  const double rounds = (flags.availability == "all" ? 1 : 1 / rate) * method.participation_cap;
  const ChooseThenMeasure suited = ChooseThenMeasure::For(static_cast<int>(std::lround(std::clamp(rounds, 1.0, 1e4))));
  once->rounds = suited.rounds;
  if (!flags.method.choosing_rounds) once->choosing_rounds = suited.choosing_rounds;
  if (!flags.method.marginals) once->marginals = suited.marginals;
}

// Rounds that nobody is left for.
absl::Status CheckRoundsAreServed(const SimulationSettings& settings) {
  const auto* once = std::get_if<ChooseThenMeasure>(&settings.method.rounds);
  if (once == nullptr || settings.method.membership == Membership::kPool) return absl::OkStatus();
  if (once->choosing_rounds > once->rounds) {
    return InvalidArgument("{} choosing rounds do not fit into {} rounds: raise --rounds", once->choosing_rounds,
                           once->rounds);
  }
  const auto* turns = std::get_if<TakingTurns>(&settings.availability);
  if (turns == nullptr && !std::holds_alternative<Everybody>(settings.availability)) return absl::OkStatus();
  const double served = settings.method.participation_cap / (turns == nullptr ? 1.0 : turns->rate);
  if (once->rounds <= served + 1) return absl::OkStatus();
  return InvalidArgument(
      "a client serves in at most {} of the {} rounds, so nobody is left after {:.0f}: give --rounds {:.0f}, a smaller "
      "--participation, or a larger --cap with --accounting cap",
      settings.method.participation_cap, once->rounds, served, std::max(1.0, std::floor(served)));
}

FederatedOptions OptionsOf(const FitSettings& fit, bool paper_fit) {
  FederatedOptions options{.budget = fit.budget};
  options.max_model_cells = fit.max_model_cells;
  if (paper_fit) {
    options.round_fit = {.method = EstimationMethod::kMirrorDescent, .max_iterations = 50, .relative_gap = 0};
    options.last_fit = {.method = EstimationMethod::kMirrorDescent, .max_iterations = 500, .relative_gap = 0};
    options.model_grows_with_budget = true;
  }
  return options;
}

std::uint64_t FreshSeed() {
  SecureRandomSource random;
  return random.NextBelow(std::uint64_t{1} << 32);  // short enough to be typed again
}

}  // namespace

void AddSimulationFlags(CLI::App& command, SimulationFlags& flags) {
  command
      .add_option("--partition", flags.partition,
                  "Who holds which row: column:NAME (a column of the data with whole numbers), or iid:CLIENTS")
      ->required();
  AddMethodFlags(command, flags.method);
  command
      .add_option("--participation", flags.participation,
                  fmt::format("The share of the clients that is there in a round [{}]", kDefaultParticipation))
      ->check(CLI::Validator(ExplainBadRate, "0 to 1"));
  command
      .add_option("--availability", flags.availability,
                  "Who is there: poisson (each client by chance), turns (in a random order), all, or trace:FILE (a "
                  "line of clients for each round) [turns; poisson with --accounting paper; all with "
                  "--participation 1]")
      ->check(CLI::Validator(ExplainBadAvailability, "poisson|turns|all|trace:FILE"));
  AddModelFlags(command, flags.fit);
  command.add_flag("--paper-fit", flags.paper_fit,
                   "Fit as the paper does: mirror descent, 50 iterations a round and 500 at the end, a model of up to "
                   "10 Mi cells that grows with the budget spent");
  command.add_option("--seed", flags.seed,
                     "Of partition, availability, noise and rows [a fresh one, which is printed]");
  command.parse_complete_callback([&command, &flags] {
    if (flags.paper_fit && command.count("--memory") == 0) flags.fit.memory = kPaperMemory;
  });
}

absl::StatusOr<SimulationSettings> MakeSimulationSettings(const SimulationFlags& flags) {
  ASSIGN_OR_RETURN(Method method, MakeMethod(flags.method));
  PlanRoundsFor(flags, method);
  ASSIGN_OR_RETURN(const PartitionSpec partition, ParsePartitionSpec(flags.partition));
  FitFlags fit_flags = flags.fit;
  if (flags.paper_fit && !fit_flags.model_cells) fit_flags.model_cells = kPaperModelCells;
  ASSIGN_OR_RETURN(FitSettings fit, MakeFitSettings(fit_flags));
  ASSIGN_OR_RETURN(const std::unique_ptr<SpendingPlan> plan,
                   MakeSpendingPlan(method, fit.budget, fit.schema.domain().size()));
  const std::string changes = ChangesFromPreset(method);
  FederatedOptions options = OptionsOf(fit, flags.paper_fit);
  SimulationSettings settings{.fit = std::move(fit),
                              .method = method,
                              .title = changes.empty() ? method.name : fmt::format("{} ({})", method.name, changes),
                              .partition = partition,
                              .availability = Everybody{},
                              .availability_text = "",
                              .trace_path = "",
                              .terms = plan->client_terms(),
                              .options = std::move(options),
                              .seed = flags.seed.has_value() ? *flags.seed : FreshSeed()};
  RETURN_IF_ERROR(ReadAvailability(flags, settings));
  RETURN_IF_ERROR(CheckRoundsAreServed(settings));
  return settings;
}

void ExplainSimulation(const SimulationSettings& settings, Console& console) {
  ExplainSettings(settings.fit, console);
  console.Note(fmt::format("method {}: {}", settings.title, settings.method.summary));
  console.Note(settings.method.is_central
                   ? "  it holds everybody's rows in one place: who takes part in a round plays no role"
                   : fmt::format("  who takes part: {}", settings.availability_text));
  for (const std::string& reason : ReasonsNotPrivate(settings.method)) {
    console.Warn(fmt::format("WARNING: this method is NOT private, with secure noise neither: {}.", reason));
  }
  if (settings.method.as_published) {
    const PrivacyBudget& budget = settings.fit.budget;
    console.Warn(fmt::format("WARNING: it claims epsilon {:g}, and costs a client up to epsilon {:.3g} (delta {:g}).",
                             budget.epsilon(), EpsilonOf(settings.terms.allowance, budget.delta()), budget.delta()));
  }
}

}  // namespace flaim
