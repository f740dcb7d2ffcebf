#include "runtime/study/sum_terms.h"

#include "base/status.h"
#include "secagg/graph/committee.h"
#include "secagg/noise/noise_plan.h"

namespace flaim::runtime {
namespace {

struct Entry {
  Rational sigma_squared{0, 1};
  std::int64_t bound = 0;
};

// What is in one entry of the sum.
absl::StatusOr<Entry> EntryOf(const Study& study, const SumBody& body) {
  Entry entry;
  entry.bound = study.manifest.max_rows_per_site;
  if (const auto* counts = std::get_if<CountsRequest>(&body)) {
    ASSIGN_OR_RETURN(entry.sigma_squared, secagg::WithPriceOfSplitting(counts->sigma_squared));
  } else if (const auto* scores = std::get_if<ScoresRequest>(&body)) {
    ASSIGN_OR_RETURN(entry.sigma_squared, secagg::WithPriceOfSplitting(scores->sigma_squared));
    entry.bound *= 2 * kSummedScoreScale;  // no distance is above twice the rows
  } else {
    entry.bound = 1;
  }
  return entry;
}

}  // namespace

absl::StatusOr<secagg::SessionTerms> TermsOfSum(const Study& study, const secagg::Roster& roster,
                                                const SumRequest& request, const EncodedRequest& encoded, int invited) {
  if (invited < study.manifest.minimum_sites) {
    return absl::PermissionDeniedError(
        fmt::format("a sum of {} sites; the manifest promises {} or more", invited, study.manifest.minimum_sites));
  }
  ASSIGN_OR_RETURN(const Entry entry, EntryOf(study, request.body));
  secagg::SessionTerms terms;
  terms.roster = roster.digest();
  terms.model = encoded.ModelDigest();
  terms.workload = encoded.RequestDigest();
  for (const std::uint32_t entries : EntriesOf(request.body, study.domain())) {
    terms.blocks.push_back({.entries = entries, .sigma_squared = entry.sigma_squared});
  }
  terms.entry_bound = entry.bound;
  terms.bounds = study.manifest.bounds.Of(invited);
  ASSIGN_OR_RETURN(terms.graph, secagg::ChooseGraph(terms.bounds));
  ASSIGN_OR_RETURN(terms.committee, secagg::ChooseCommittee(terms.bounds));
  ASSIGN_OR_RETURN(terms.ring_bits, secagg::LeastRingBits(terms));
  RETURN_IF_ERROR(secagg::ValidateTerms(terms));
  return terms;
}

double VarianceOfSum(const secagg::SessionTerms& terms, int contributors) {
  const Rational& sigma_squared = terms.blocks.front().sigma_squared;
  if (sigma_squared.numerator() == 0) return 0;
  return secagg::NoisePlan::Make(sigma_squared, terms.bounds).value().VarianceOfCounts(contributors);
}

}  // namespace flaim::runtime
