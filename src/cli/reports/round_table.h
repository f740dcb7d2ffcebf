#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/loop/run.h"
#include "cli/console.h"
#include "evaluation/workload_error.h"

namespace flaim {

// A round that is over, and how far its model was from the rows of everybody.
struct EvaluatedRound {
  RoundReport report;
  std::optional<WorkloadError> error;  // if that was asked for
};

// A line for each round on the console as soon as the round is over, and all of them for the report at the end.
class RoundTable final : public RoundSink {
 public:
  // `truth` may be null: then errors are not evaluated. Everything must outlive the table.
  RoundTable(const Domain& domain, WorkloadTruth* truth, Console& console);

  void Report(const RoundReport& report, const Model& model) override;

  const std::vector<EvaluatedRound>& rounds() const { return rounds_; }
  // Why an error could not be evaluated, if one could not.
  const absl::Status& status() const { return status_; }

 private:
  const Domain& domain_;
  WorkloadTruth* const truth_;
  Console& console_;
  std::vector<EvaluatedRound> rounds_;
  absl::Status status_;
};

// The names of the marginals, as many as fit into `width` and at least one, and how many more there are.
std::string ShortenedList(const Domain& domain, const std::vector<Clique>& cliques, std::size_t width);

}  // namespace flaim
