#include "algorithms/methods/presets.h"

namespace flaim {

// Algorithm 3, by the lines that the paper prints:
//
//   1     the parameters of AIM                                   spending/equal.h
//   3     sample participants that have not been there            federation's Gather, Membership::kPool
//   4     they secret-share the answers of the workload           GroupRequest::upload_cells; the federation's affair
//   5     aggregate with the shares received before               the pool
//   6     select by one exponential mechanism on the shares       selection/score_of_counts.cc
//   7     measure with noise inside the sum                       loop/measuring.cc MeasureChosen
//   8     estimate the model                                      loop/state.cc Refit
Method DistAim() {
  Method method;
  method.accounting = Accounting::kPaper;
  method.name = "dist-aim";
  method.title = "DistAIM";
  method.summary = "Algorithm 3: AIM on secret shares of the counts of all clients seen so far";
  method.selection = Selection::kScoreOfSum;
  method.membership = Membership::kPool;
  return method;
}

}  // namespace flaim
