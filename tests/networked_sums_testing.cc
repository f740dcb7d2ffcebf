#include <algorithm>

#include "federation/client_answer.h"
#include "marginal/kernels/count.h"
#include "runtime/study/sum_terms.h"
#include "secagg/noise/noise_plan.h"
#include "tests/networked_site_testing.h"

// What the sums of a study must be.
namespace flaim::runtime {

std::vector<std::int64_t> NetworkedStudyForTest::AddendOf(const SumRequest& request, secagg::ParticipantId site) {
  if (sites_[site] == nullptr) StartSite(static_cast<int>(site));
  const SiteRecords& records = sites_[site]->records;
  const Table& table = tables_[site];
  std::vector<std::int64_t> addend;
  if (const auto* counts = std::get_if<CountsRequest>(&request.body)) {
    const std::set<Clique> chosen = records.ChosenIn(counts->name.round);
    for (const Clique& clique : counts->cliques) {
      const bool is_added = counts->contributors == Contributors::kEverybody || chosen.contains(clique);
      const Marginal marginal = CountMarginal(table, clique).value();
      for (const std::int64_t count : marginal.counts()) addend.push_back(is_added ? count : 0);
    }
    return addend;
  }
  if (const auto* scores = std::get_if<ScoresRequest>(&request.body)) {
    ShareDistanceMeter meter;
    TableRows rows(table, meter);
    Parallel alone(1);
    return SummedScores(rows, *scores, SharesFor(*scores, alone).value()).value();
  }
  const auto* local = std::get_if<LocalSelection>(&request.body);
  const std::vector<Clique> chosen = records.ChoiceOf(request.name()).value();
  for (const WeightedQuery& query :
       local != nullptr ? local->candidates : std::get<RandomSelection>(request.body).candidates) {
    addend.push_back(std::count(chosen.begin(), chosen.end(), query.clique));
  }
  return addend;
}

std::vector<std::int64_t> NetworkedStudyForTest::ExpectedSum(const SumRequest& request, int invited,
                                                             const std::vector<secagg::ParticipantId>& contributors) {
  const secagg::SessionTerms terms = TermsOfSum(*study_, *keys_, request, Encode(request), invited).value();
  const secagg::NoisePlan plan = secagg::NoiseOf(terms, 0);
  std::vector<std::int64_t> sum;
  for (const secagg::ParticipantId site : contributors) {
    std::vector<std::int64_t> addend = AddendOf(request, site);
    SeededRandomSource noise(options_.seed, SeedLabel(request.name(), site));
    plan.AddShare(noise, addend);
    sum.resize(addend.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += addend[i];
  }
  for (std::int64_t& value : sum) value = plan.ToCount(value);
  return sum;
}

std::vector<StudyJournal::Sum> NetworkedStudyForTest::SumsInJournal() const {
  std::vector<StudyJournal::Sum> done;
  const StudyJournal journal = StudyJournal::Open(JournalPath()).value();
  for (const auto& settled : journal.past()) {
    const auto* sum = std::get_if<StudyJournal::Sum>(&settled);
    if (sum != nullptr && sum->is_done) done.push_back(*sum);
  }
  return done;
}

}  // namespace flaim::runtime
