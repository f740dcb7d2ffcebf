#pragma once

#include "absl/status/status.h"
#include "privacy/ledger/ledger_row.h"

namespace flaim {

// Where the values that were paid for are put on record before anybody sees them.
class ReleaseJournal {
 public:
  virtual ~ReleaseJournal() = default;

  // An error means that the value must not be handed out.
  virtual absl::Status Record(ReleaseEntry release) = 0;
};

}  // namespace flaim
