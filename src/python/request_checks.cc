#include "python/request_checks.h"

#include <vector>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim::python {
namespace {

absl::Status RefuseName(const std::string& name) {
  std::vector<std::string> names;
  for (const Choice& choice : AllChoices()) names.push_back(FieldName(choice));
  return InvalidArgument("a method has no choice {}; choices are {}", QuoteForMessage(name), fmt::join(names, ", "));
}

}  // namespace

absl::Status SetChoice(MethodChanges& changes, const std::string& name, const ChoiceValue& value) {
  const Choice* choice = FindField(name);
  if (choice == nullptr) return RefuseName(name);
  const std::string misfit = ExplainMisfit(*choice, value);
  if (!misfit.empty()) return InvalidArgument("{}: {}", name, misfit);
  changes.Set(choice->name, value);
  return absl::OkStatus();
}

absl::Status CheckRequest(const FederatedRequest& request) {
  const std::string unknown = ExplainUnknownMethod(request.method.preset);
  if (!unknown.empty()) return absl::InvalidArgumentError(unknown);
  if (request.participation && !(*request.participation >= 0 && *request.participation <= 1)) {
    return InvalidArgument("participation is {}; give a number from 0 to 1", *request.participation);
  }
  if (request.availability.empty()) return absl::OkStatus();
  const std::string problem = ExplainBadAvailability(request.availability);
  return problem.empty() ? absl::OkStatus() : absl::InvalidArgumentError(problem);
}

}  // namespace flaim::python
