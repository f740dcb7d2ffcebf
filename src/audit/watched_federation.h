#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "audit/canary.h"
#include "audit/hidden_noise.h"
#include "audit/run_transcript.h"
#include "federation/availability.h"
#include "federation/federation.h"
#include "marginal/private_rows.h"
#include "secagg/graph/group_bounds.h"

namespace flaim {

// What somebody who watches knows of the noise in a sum.
struct OneDraw {};  // it is one discrete Gaussian, of which nothing is known
struct Shares {     // each contributor adds one; some tell
  secagg::GroupBounds bounds;
  std::uint64_t seed = 0;              // of the research noise, from which those that tell have theirs
  std::vector<ClientIndex> told = {};  // colluders
};
using NoiseKnowledge = std::variant<OneDraw, Shares>;

// A run that ends with its so-manieth answer, and what has become of that.
enum class Moment : std::uint8_t {
  kDrawn,     // paid for and drawn, and lost before it was on record
  kRecorded,  // on record, and lost on its way to whoever asked
  kSeen,
};
struct Death {
  int answer = 1;
  Moment moment = Moment::kSeen;
};

// A decorator of the port: asks the federation, hands on what it answers, and works out how likely that answer was with
// the canary's record and without it. Nothing of the algorithm or the federation is changed.
//
// Covers federations in which everybody is in every group; local choices of a federation of one client, one step each
// (what others chose, they tell). Other requests are Unimplemented: an audit must not leave anything out.
class WatchedFederation final : public Federation {
 public:
  // All references must outlive the object. Where the run dies, it ends as Cancelled.
  WatchedFederation(Federation& inner, const Canary& canary, NoiseKnowledge knowledge, RunTranscript& transcript,
                    std::optional<Death> death = std::nullopt);

  const Domain& domain() const override { return inner_.domain(); }
  std::int64_t clients() const override { return inner_.clients(); }

  absl::StatusOr<Group> Gather(const GroupRequest& request) override;
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override;
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override;
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override;

 private:
  absl::StatusOr<double> LogRatioOfSum(const CountsRequest& request, const std::vector<std::int64_t>& released,
                                       const std::vector<std::int64_t>& with, const std::vector<std::int64_t>& without);
  // Takes down what an answer says, which is added to one kind of evidence, and what it costs; or that the run dies.
  absl::Status Note(const ReleaseName& name, const std::vector<std::int64_t>& answer, double price, double log_ratio,
                    double& evidence);
  absl::Status NoteChoice(const ReleaseName& name, std::size_t chosen, const std::vector<std::int64_t>& with,
                          const std::vector<std::int64_t>& without, const ExponentialMechanism& mechanism);

  Federation& inner_;
  TableRows with_;
  TableRows without_;
  NoiseKnowledge knowledge_;
  RunTranscript& transcript_;
  std::optional<Death> death_;
};

}  // namespace flaim
