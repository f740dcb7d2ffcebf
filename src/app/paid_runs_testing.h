#pragma once

#include <cstdint>

namespace flaim {

// What many runs of AIM came to, each of a random domain, workload, limit of the model and tiny table, and paid from a
// ledger of its own.
struct PaidRuns {
  int refused = 0;  // before anything was paid
  int ended = 0;
  int measurements = 0;
};

// Runs one for each seed from `first` on. A failure of the test for each run that paid and has no model, one beyond the
// limit, or one that leaves out what was measured.
//
// Half of the domains are such that a trap lies in them: some pair is covered by a node of the first tree, and yet a
// tree for the graph with that pair is larger, which the limit does not allow. Random domains have such pairs too
// rarely.
PaidRuns RunAndPay(std::uint64_t first, int runs);

}  // namespace flaim
