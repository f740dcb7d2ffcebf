#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "privacy/ledger/release_name.h"

namespace flaim {

// What a run gave away about one record, in the eyes of somebody who sees everything that was released and knows all
// other rows.
struct Evidence {
  double of_counts = 0;   // log-likelihood ratio of all noisy counts
  double of_choices = 0;  // of all choices
  double price = 0;       // in zCDP, of all that was drawn, for this record
  double paid = 0;        // in zCDP, by whoever has the record

  double log_ratio() const { return of_counts + of_choices; }
};

// All values that were handed out, of one run and of its repetitions after crashes.
class RunTranscript {
 public:
  // Whether the value is new under this name. One that is told again says nothing more; another one does.
  bool IsNews(const ReleaseName& name, const std::vector<std::int64_t>& value) {
    ++answers_;
    return seen_[name].insert(value).second;
  }
  // How many were handed out, repeats counted.
  int answers() const { return answers_; }

  Evidence evidence;

 private:
  std::map<ReleaseName, std::set<std::vector<std::int64_t>>> seen_;
  int answers_ = 0;
};

}  // namespace flaim
