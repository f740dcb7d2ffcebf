#pragma once

#include <string>
#include <vector>

#include "app/simulation.h"
#include "cli/console.h"

namespace flaim {

// A line for each round on the console as soon as the round is over, and all of them for the report at the end.
class RoundTable final : public EvaluatedRoundSink {
 public:
  // Everything must outlive the table.
  RoundTable(const Domain& domain, Console& console) : domain_(domain), console_(console) {}

  void Report(const EvaluatedRound& round) override;

  const std::vector<EvaluatedRound>& rounds() const { return rounds_; }

 private:
  const Domain& domain_;
  Console& console_;
  std::vector<EvaluatedRound> rounds_;
};

// The names of the marginals, as many as fit into `width` and at least one, and how many more there are.
std::string ShortenedList(const Domain& domain, const std::vector<Clique>& cliques, std::size_t width);

}  // namespace flaim
