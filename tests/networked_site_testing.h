#pragma once

#include <memory>

#include "marginal/private_rows.h"
#include "runtime/site/site_ledger.h"
#include "tests/networked_testing.h"

// A site of networked_testing.h.
namespace flaim::runtime {

// Thrown where a site is killed: whatever it had in memory is gone on the way up.
struct SiteKilled {};

// Rows whose site can be killed while it reads them.
class MortalRows final : public PrivateRows {
 public:
  MortalRows(const Table& table, const bool& is_dying) : rows_(table), is_dying_(is_dying) {}

  const Domain& domain() const override { return rows_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override {
    if (is_dying_) throw SiteKilled();
    return rows_.Count(cliques, parallel);
  }
  absl::StatusOr<ShareDistance> Distance(const Clique& clique, const PublicShares& shares) override {
    if (is_dying_) throw SiteKilled();
    return rows_.Distance(clique, shares);
  }

 private:
  TableRows rows_;
  const bool& is_dying_;
};

// One site: what is lost when it is killed.
struct NetworkedStudyForTest::Site {
  Site(NetworkedStudyForTest& test, int index)
      : rows(test.tables_[static_cast<std::size_t>(index)], test.is_site_dying_),
        ledger(Ledger::OpenOrCreate(test.LedgerPath(index),
                                    SiteLedgerTerms(*test.study_, fmt::format("site {}", index)), test.clock_,
                                    FollowingPlanOf(*test.study_))
                   .value()),
        records(SiteRecords::Open(fmt::format("{}/site-{}.log", test.folder_, index), test.study_->domain()).value()),
        agent({.name = test.roster_.sites[static_cast<std::size_t>(index)],
               .software = "test",
               .study = *test.study_,
               .consent = {.roster = std::nullopt, .is_any = true, .known = std::nullopt},
               .signing_key = test.site_keys_[static_cast<std::size_t>(index)],
               .rows = rows,
               .ledger = ledger,
               .records = records,
               .clock = test.clock_,
               .noise = [seed = *test.study_->manifest.research_seed](
                            const std::string& label) { return std::make_unique<SeededRandomSource>(seed, label); },
               .log = test.log_,
               .parallel = test.parallel_}) {}

  MortalRows rows;
  Ledger ledger;
  SiteRecords records;
  SiteAgent agent;
};

}  // namespace flaim::runtime
