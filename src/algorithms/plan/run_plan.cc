#include "algorithms/plan/run_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/choices/method_words.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr std::string_view kTrace = "trace:";

absl::Status CheckAttendance(const RunRequest& request) {
  if (request.participation && !(*request.participation > 0 && *request.participation <= 1)) {
    return InvalidArgument("participation {} is not a rate: give more than 0, and at most 1", *request.participation);
  }
  const std::string wrong = request.availability.empty() ? "" : ExplainBadAvailability(request.availability);
  return wrong.empty() ? absl::OkStatus() : InvalidArgument("availability: {}", wrong);
}

// Without a word on it: in turns where a client must not be asked too often, otherwise as in the paper.
std::string KindOfAvailability(const RunRequest& request, const Method& method) {
  if (method.IsOneTable()) return "all";
  if (!request.availability.empty()) return request.availability;
  if (request.participation == 1.0) return "all";
  return method.accounting == Accounting::kPaper ? "poisson" : "turns";
}

absl::Status ReadAvailability(const RunRequest& request, RunPlan& plan) {
  const std::string kind = KindOfAvailability(request, plan.method);
  const double rate = request.participation.value_or(kDefaultParticipation);
  const bool is_trace = kind.starts_with(kTrace);
  if (request.participation && !plan.method.IsOneTable() && (is_trace || (kind == "all" && rate < 1))) {
    return InvalidArgument("participation {} contradicts availability {}, which says itself who is there", rate, kind);
  }
  if (is_trace) {
    plan.availability_text = kind;
    plan.trace_path = kind.substr(kTrace.size());
    if (plan.trace_path.empty()) {
      return InvalidArgument("availability trace: names no file; write, e.g., trace:rounds.txt");
    }
    plan.availability = Trace{};
  } else if (kind == "all") {
    plan.availability = Everybody{};
    plan.availability_text = "everybody in every round";
  } else if (kind == "poisson") {
    plan.availability = Poisson{rate};
    plan.availability_text = fmt::format("each client with probability {:g} in a round", rate);
  } else {
    plan.availability = TakingTurns{rate};
    plan.availability_text = fmt::format("a share of {:g} in a round, in turns", rate);
  }
  return absl::OkStatus();
}

// Clients that take turns and serve once are all used up after 1/p rounds: that many are planned for.
void PlanRoundsFor(const RunRequest& request, Method& method) {
  auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
  if (once == nullptr || request.method.Find("rounds") != nullptr || method.membership == Membership::kPool) return;
  const double rate = request.participation.value_or(kDefaultParticipation);
  if (request.availability.starts_with(kTrace)) return;
  const double rounds = (request.availability == "all" ? 1 : 1 / rate) * method.participation_cap;
  const ChooseThenMeasure suited = ChooseThenMeasure::For(static_cast<int>(std::lround(std::clamp(rounds, 1.0, 1e4))));
  once->rounds = suited.rounds;
  if (request.method.Find("choosing-rounds") == nullptr) once->choosing_rounds = suited.choosing_rounds;
  if (request.method.Find("marginals") == nullptr) once->marginals = suited.marginals;
}

// Rounds that nobody is left for.
absl::Status CheckRoundsAreServed(const RunPlan& plan) {
  const auto* once = std::get_if<ChooseThenMeasure>(&plan.method.rounds);
  if (once == nullptr || plan.method.membership == Membership::kPool) return absl::OkStatus();
  if (once->choosing_rounds > once->rounds) {
    return InvalidArgument("{} choosing rounds do not fit into {} rounds: raise rounds", once->choosing_rounds,
                           once->rounds);
  }
  const auto* turns = std::get_if<TakingTurns>(&plan.availability);
  if (turns == nullptr && !std::holds_alternative<Everybody>(plan.availability)) return absl::OkStatus();
  const double served = plan.method.participation_cap / (turns == nullptr ? 1.0 : turns->rate);
  if (once->rounds <= served + 1) return absl::OkStatus();
  return InvalidArgument(
      "a client serves in at most {} of the {} rounds, so nobody is left after {:.0f}: give rounds {:.0f}, a smaller "
      "participation, or a larger cap with accounting cap",
      plan.method.participation_cap, once->rounds, served, std::max(1.0, std::floor(served)));
}

RunOptions FittedAsPublished(RunOptions options) {
  options.round_fit = {
      .method = EstimationMethod::kMirrorDescent, .max_iterations = kPaperRoundSteps, .relative_gap = 0};
  options.last_fit = {.method = EstimationMethod::kMirrorDescent, .max_iterations = kPaperLastSteps, .relative_gap = 0};
  options.model_grows_with_budget = true;
  return options;
}

}  // namespace

std::string ExplainBadAvailability(const std::string& text) {
  if (text == "poisson" || text == "turns" || text == "all" || text.starts_with(kTrace)) return "";
  static constexpr std::string_view kKinds[] = {"poisson", "turns", "all", "trace"};
  return fmt::format("{} is none of poisson, turns, all and trace:FILE.{}", QuoteForMessage(text),
                     SuggestNearest(text, kKinds));
}

absl::StatusOr<RunPlan> DraftRunPlan(const RunRequest& request, const RunOptions& options) {
  RETURN_IF_ERROR(CheckAttendance(request));
  ASSIGN_OR_RETURN(Method method, MakeMethod(request.method));
  PlanRoundsFor(request, method);
  const std::string changes = ChangesFromPreset(method);
  RunPlan plan{.method = method,
               .title = changes.empty() ? method.name : fmt::format("{} ({})", method.name, changes),
               .availability = Everybody{},
               .availability_text = "",
               .trace_path = "",
               .spending = nullptr,
               .options = request.paper_fit ? FittedAsPublished(options) : options};
  RETURN_IF_ERROR(ReadAvailability(request, plan));
  RETURN_IF_ERROR(CheckRoundsAreServed(plan));
  return plan;
}

absl::StatusOr<RunPlan> MakeRunPlan(const RunRequest& request, const RunOptions& options, int attributes) {
  ASSIGN_OR_RETURN(RunPlan plan, DraftRunPlan(request, options));
  ASSIGN_OR_RETURN(plan.spending, MakeSpendingPlan(plan.method, options.budget, attributes, request.sum_noise));
  return plan;
}

}  // namespace flaim
