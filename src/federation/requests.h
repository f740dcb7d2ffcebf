#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "federation/model_view.h"
#include "marginal/workload.h"
#include "model/estimation/estimation.h"
#include "privacy/budget/charge.h"
#include "privacy/ledger/release_name.h"

namespace flaim {

// What a group of clients can be asked for. Requests are public values. What answering one costs a client follows from
// the request alone (MechanismOf), so that a client can work it out for itself and need not believe whoever asks.

enum class Contributors : std::uint8_t {
  kEverybody,
  kChoosers,  // each client adds to the marginals that it chose in this round, and zeros to the others
};

// The sum of the clients' counts, with Gaussian noise inside the sum: d marginals, or those that were chosen locally.
struct CountsRequest {
  ReleaseName name;
  std::vector<Clique> cliques;
  Rational sigma_squared{0, 1};
  Contributors contributors = Contributors::kEverybody;
  int choices_per_client = 1;  // for kChoosers
  // How many marginals the round measures beside the one-ways, where that is planned: what its noise is meant for.
  int round_marginals = 0;
};

// The sum of what the clients find wrong with the model, with Gaussian noise inside the sum: for each candidate, the
// distance of public_shares.h in units of 1/kSummedScoreScale record.
struct ScoresRequest {
  ReleaseName name;
  std::vector<Clique> candidates;
  Rational sigma_squared{0, 1};
  ModelView model;
};

// One choice by the exponential mechanism, on scores of the *sum* of the clients' counts, which nobody sees:
// w_q (|sum M_q - m_q|_1 - penalty).
struct SumSelection {
  ReleaseName name;
  std::vector<WeightedQuery> candidates;
  std::function<std::vector<double>(std::size_t)> expected;  // counts, of a candidate; lent for the call
  std::vector<double> penalty_records;                       // for each candidate
  Rational epsilon{0, 1};
  bool may_choose_none = false;  // as if there were one more candidate, of score 0
};

// What a client holds against a query that its own rows are unlike everybody's: tau in Algorithm 1.
enum class Heterogeneity : std::uint8_t {
  kIgnored,
  kProxy,  // the mean distance of the query's one-way marginals from the model's
};

// Algorithm 1 as printed: between two local steps the client measures what it chose with noise, and fits a model of
// its own. Only the simulation takes it; no manifest may ask for it. The measurement steers later choices, which are
// released, so it is paid for although it stays at home.
struct LocalRefit {
  Rational sigma_squared{0, 1};
  EstimationProblem known;  // what everybody has measured so far
  EstimationOptions fit;
};

// Every client chooses for itself, by the exponential mechanism on its own scores
// w_q (|M_q - n m_q|_1 - penalty - heterogeneity), and releases its choices.
struct LocalSelection {
  ReleaseName name;
  std::vector<WeightedQuery> candidates;
  std::vector<double> penalty_records;
  Heterogeneity heterogeneity = Heterogeneity::kIgnored;
  int steps = 1;                    // choices per client, without replacement
  Rational epsilon{0, 1};           // of each
  std::optional<LocalRefit> refit;  // between steps; otherwise the scores stay the same
  ModelView model;
};

// Every client chooses at random: free, because nothing of its rows is in it.
struct RandomSelection {
  ReleaseName name;
  std::vector<WeightedQuery> candidates;
  int steps = 1;
};

// What a contributor of the sum pays.
GaussianMechanism MechanismOf(const CountsRequest& request);
GaussianMechanism MechanismOf(const ScoresRequest& request);
// What each whose counts are in the sum pays. An error for weights that no score can have.
absl::StatusOr<ExponentialMechanism> MechanismOf(const SumSelection& request);
// What a client pays for each step.
absl::StatusOr<ExponentialMechanism> MechanismOf(const LocalSelection& request);

}  // namespace flaim
