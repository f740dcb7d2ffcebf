#include "python/request_checks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/federated/choice_names.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim::python {
namespace {

constexpr double kMost = 100'000;
constexpr double kMostLocalSteps = 100;
constexpr double kMostNoisePenalty = 1'000;

template <typename Value>
absl::Status CheckChoice(std::string_view name, const std::string& value) {
  const std::vector<std::string> names = NamesOf<Value>();
  if (value.empty() || std::find(names.begin(), names.end(), value) != names.end()) return absl::OkStatus();
  return InvalidArgument("{} is {}; choose one of {}", name, QuoteForMessage(value), QuoteListForMessage(names));
}

template <typename Number>
absl::Status CheckNumber(std::string_view name, const std::optional<Number>& value, double least, double most) {
  if (!value || (*value >= least && *value <= most)) return absl::OkStatus();
  return InvalidArgument("{} is {}; give a number from {} to {}", name, *value, least, most);
}

absl::Status CheckNumbers(const MethodChanges& changes) {
  RETURN_IF_ERROR(CheckNumber("rounds", changes.rounds, 1, kMost));
  RETURN_IF_ERROR(CheckNumber("choosing_rounds", changes.choosing_rounds, 1, kMost));
  RETURN_IF_ERROR(CheckNumber("marginals", changes.marginals, 1, kMost));
  RETURN_IF_ERROR(CheckNumber("choices_at_once", changes.choices_at_once, 0, kMost));
  RETURN_IF_ERROR(CheckNumber("cap", changes.cap, 1, kMost));
  RETURN_IF_ERROR(CheckNumber("local_steps", changes.local_steps, 1, kMostLocalSteps));
  RETURN_IF_ERROR(CheckNumber("noise_penalty", changes.noise_penalty, 0, kMostNoisePenalty));
  RETURN_IF_ERROR(CheckNumber("wait_for", changes.wait_for, 0, 1));
  RETURN_IF_ERROR(CheckNumber("one_way_share", changes.one_way_share, 0, 1));
  return CheckNumber("selection_share", changes.selection_share, 0, 1);
}

absl::Status CheckChoices(const MethodChanges& changes) {
  RETURN_IF_ERROR(CheckChoice<Selection>("selection", changes.selection));
  RETURN_IF_ERROR(CheckChoice<Heterogeneity>("penalty", changes.penalty));
  RETURN_IF_ERROR(CheckChoice<OneWays>("one_ways", changes.one_ways));
  RETURN_IF_ERROR(CheckChoice<OneWayCandidates>("one_way_candidates", changes.one_way_candidates));
  RETURN_IF_ERROR(CheckChoice<Weighting>("weighting", changes.weighting));
  RETURN_IF_ERROR(CheckChoice<Membership>("membership", changes.membership));
  RETURN_IF_ERROR(CheckChoice<Accounting>("accounting", changes.accounting));
  return CheckChoice<LocalStepping>("local_stepping", changes.local_stepping);
}

}  // namespace

absl::Status CheckRequest(const FederatedRequest& request) {
  const std::string unknown = ExplainUnknownMethod(request.method.method);
  if (!unknown.empty()) return absl::InvalidArgumentError(unknown);
  RETURN_IF_ERROR(CheckChoices(request.method));
  RETURN_IF_ERROR(CheckNumbers(request.method));
  RETURN_IF_ERROR(CheckNumber("participation", request.participation, 0, 1));
  if (request.availability.empty()) return absl::OkStatus();
  const std::string problem = ExplainBadAvailability(request.availability);
  return problem.empty() ? absl::OkStatus() : absl::InvalidArgumentError(problem);
}

}  // namespace flaim::python
