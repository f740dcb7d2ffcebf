#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/random_source.h"
#include "federation/availability.h"
#include "federation/requests.h"
#include "marginal/private_rows.h"
#include "privacy/ledger/spend.h"

namespace flaim {

// What research with seeded noise calls the stream of one client's share in a release: the same in a simulation and
// over the network, so that both draw alike.
std::string SeedLabel(const ReleaseName& name, ClientIndex client);

// What the model of a request says: m_q in the scores. Public, and of no rows, so that many clients can share it.
struct ModelShares {
  std::vector<PublicShares> of_candidates;
  std::vector<PublicShares> of_attributes;  // by themselves; for the proxy only
};
// Cancelled if the team is to stop; that is the only error.
absl::StatusOr<ModelShares> SharesFor(const ScoresRequest& request, Parallel& parallel);
absl::StatusOr<ModelShares> SharesFor(const LocalSelection& request, Parallel& parallel);

// What a client works out from its own rows to answer a request: the same code at a simulated client and at a site.

// Its addend to the sum of a ScoresRequest: one score for each candidate. Private, until noise is added to the sum.
absl::StatusOr<std::vector<std::int64_t>> SummedScores(PrivateRows& rows, const ScoresRequest& request,
                                                       const ModelShares& shares);

// The client's payments for a LocalSelection: one selection for each step, and with a LocalRefit one measurement for
// each step but the last.
struct LocalPayments {
  std::vector<Spend<ExponentialMechanism>> selections;
  std::vector<Spend<GaussianMechanism>> measurements;
};

struct LocalChoice {
  std::vector<std::size_t> candidates;  // in the order of the steps
  std::string provenance;
};

// How unlike everybody the client's rows are, for each candidate, as far as the request asks: tau in Algorithm 1.
absl::StatusOr<std::vector<ScaledDistance>> HeterogeneityOf(PrivateRows& rows, const LocalSelection& request,
                                                            const ModelShares& shares);

// The client's choices. REQUIRES: the payments that the request asks for, and a heterogeneity for each candidate.
absl::StatusOr<LocalChoice> ChooseForClient(PrivateRows& rows, const LocalSelection& request, const ModelShares& shares,
                                            std::span<const ScaledDistance> heterogeneity, LocalPayments payments,
                                            RandomSource& noise);

// The choices of a RandomSelection, in the order of the steps.
std::vector<std::size_t> ChooseAtRandomForClient(const RandomSelection& request, RandomSource& random);

}  // namespace flaim
