#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/methods/method.h"

namespace flaim {

// Which federated method to run, in the words of flags and experiment files: a preset, and what to change in it. A text
// that is empty, and a number that is absent, leave the preset's choice; a text that is given is one of the names in
// choice_names.h.
struct MethodChanges {
  std::string method;
  std::string selection;
  std::string penalty;
  std::string one_ways;
  std::string one_way_candidates;
  std::string weighting;
  std::string membership;
  std::optional<double> wait_for;
  std::string accounting;
  std::optional<int> cap;
  std::optional<int> rounds;
  std::string anneal;
  std::optional<int> choosing_rounds;
  std::optional<int> marginals;
  std::optional<int> choices_at_once;
  std::optional<double> one_way_share;
  std::optional<int> local_steps;
  std::string local_stepping;
  std::optional<double> noise_penalty;
  std::optional<double> selection_share;
  bool as_published = false;
};

// Of a text that names a preset: the closest name for one that does not exist; nothing is wrong if empty.
std::string ExplainUnknownMethod(const std::string& name);

// The method that is asked for. Refuses changes that contradict each other, that the method has no use for, and what
// CheckMethod refuses; messages call a change by its flag.
absl::StatusOr<Method> MakeMethod(const MethodChanges& changes);

}  // namespace flaim
