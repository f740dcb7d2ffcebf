#pragma once

#include <cstdint>

#include "federation/federation.h"

namespace flaim {

// A decorator of the port over one client: adds the rows of many others to its sums, spread evenly over the values of
// every column. Nobody needs to keep them secret from an attacker who knows them, so what they tell is no noise of
// theirs, and they choose marginals of their own, which does not matter to the one client's.
//
// So that a client's rows can be unlike everybody's while the attacker still sees each answer of that client: put a
// WatchedFederation between the two.
class AmongOthers final : public Federation {
 public:
  // The federation must outlive the object.
  explicit AmongOthers(Federation& one) : one_(one) {}

  const Domain& domain() const override { return one_.domain(); }
  std::int64_t clients() const override { return one_.clients(); }

  absl::StatusOr<Group> Gather(const GroupRequest& request) override { return one_.Gather(request); }
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override;
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override { return one_.SumScores(request); }
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override { return one_.ChooseBySum(request); }
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override {
    return one_.ChooseLocally(request);
  }
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override {
    return one_.ChooseAtRandom(request);
  }

 private:
  Federation& one_;
};

}  // namespace flaim
