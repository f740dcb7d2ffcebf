#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/spending/participation_check.h"
#include "federation/client_answer.h"
#include "privacy/ledger/ledger.h"
#include "privacy/release/sum_permit.h"
#include "runtime/site/site_records.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

// The site's own say in what it gives: its ledger, its cap on rounds, and the plan it agreed to, whatever the
// coordinator asks. Nothing leaves the site that was not paid for here before. Not thread-safe.
class SiteAccount {
 public:
  // All must outlive it.
  SiteAccount(const Study& study, Ledger& ledger, SiteRecords& records)
      : study_(study), ledger_(ledger), records_(records), round_check_(study.RoundCheck()) {}

  // Whether the request is one that the site has agreed to and can pay, without paying: PermissionDenied for what is
  // not in the manifest (another method, marginals that its workload does not ask for), ResourceExhausted if the budget
  // is short, OutOfRange if the site has served often enough.
  absl::Status Check(const SumRequest& request) const;

  // Whether ledger and records tell the same story, to be asked when both were opened: DataLoss if the site gave
  // something that this ledger did not pay for, or the ledger paid for something that the records do not know. Either
  // could be a second budget. Only what was served last may lack its payment, if the site was killed in between; that
  // is put on record.
  absl::Status CheckBooks();

  // Pays for adding counts (scores) to a sum, and puts on record that it goes there. Checks again.
  absl::StatusOr<SumPermit> Pay(const SumRequest& request, const std::string& encoded, const secagg::SessionId& session,
                                const std::string& provenance);
  // Pays for all steps of a choice; free where the choice was made before and only told again.
  absl::StatusOr<LocalPayments> PayForChoice(const SumRequest& request, const std::string& encoded,
                                             const secagg::SessionId& session);
  // A choice at random costs nothing, and counts as a round all the same.
  absl::Status ServeForFree(const SumRequest& request, const std::string& encoded, const secagg::SessionId& session);

  Rho spent() const { return ledger_.spent(); }
  Rho left() const { return ledger_.left(); }

 private:
  // What a request costs, under which names.
  struct Price {
    ReleaseName name;
    Rho cost;
  };
  absl::StatusOr<std::vector<Price>> PricesOf(const SumRequest& request) const;

  // What was put on record as served is not paid for, and not given.
  absl::Status GiveUp(const absl::Status& why);
  absl::Status CheckMethod(const SumRequest& request) const;
  absl::Status CheckMarginals(const SumRequest& request) const;
  absl::Status CheckRound(const SumRequest& request) const;
  absl::Status CheckBudget(const SumRequest& request) const;

  const Study& study_;
  Ledger& ledger_;
  SiteRecords& records_;
  std::optional<ParticipationCheck> round_check_;
};

}  // namespace flaim::runtime
