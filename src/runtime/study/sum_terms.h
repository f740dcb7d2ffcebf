#pragma once

#include "absl/status/statusor.h"
#include "runtime/messages/request_codec.h"
#include "runtime/study/study.h"
#include "secagg/messages/roster.h"
#include "secagg/messages/terms.h"

namespace flaim::runtime {

// The terms of the secure sum that answers a request, when so many are invited. Coordinator and site work them out
// alike, from the manifest and the request; each refuses the other's if they differ.
//
// Counts and scores get noise, a hair above what is paid for (WithPriceOfSplitting). Choices were released by the
// exponential mechanism before, each by its own site, so how many made each is summed exactly.
// PermissionDenied if fewer are invited than the manifest promises.
absl::StatusOr<secagg::SessionTerms> TermsOfSum(const Study& study, const secagg::Roster& roster,
                                                const SumRequest& request, const EncodedRequest& encoded, int invited);

// The variance of each entry of such a sum once it is made: everybody in it has added the share of noise that makes the
// promise hold without those who may drop out or collude, so there is more than the promise. A site that adds more than
// its share, as it may, is not known of.
double VarianceOfSum(const secagg::SessionTerms& terms, int contributors);

}  // namespace flaim::runtime
