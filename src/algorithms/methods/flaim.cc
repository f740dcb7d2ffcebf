#include "algorithms/methods/presets.h"

namespace flaim {

// Algorithm 1, a global round, by the lines that the paper prints; what its three cases choose stands in the functions
// below:
//
//   2     sample the participants                                 federation's Gather
//   5     filter one-way queries from the workload (Private)      one_way_candidates; selection/candidates.cc
//   6     tau: how unlike everybody a client is                   penalty; client_answer.cc HeterogeneityOf
//   7     select by the exponential mechanism                     selection/local.cc; federation/client_answer.cc
//   8-9   measure and estimate at home, between local steps       stepping; client_answer.cc RefitLocally
//   10    share one-way marginals (Private)                       one_ways; loop/measuring.cc MeasureOneWays
//   11-14 sum the chosen marginals, with noise inside the sum     loop/measuring.cc MeasureChosen
//   15    alpha: how much each counts                             weighting; loop/released_marginals.cc Weighted
//   16    update the global model                                 loop/state.cc Refit
//
// sigma and epsilon follow from Lemma 4.1: spending/equal.h.

Method NaiveFlaim() {
  Method method;
  method.accounting = Accounting::kPaper;
  method.name = "naive-flaim";
  method.title = "NaiveFLAIM";
  method.summary = "Algorithm 1, Naive: clients choose from their own rows, nothing corrects for their differences";
  return method;
}

Method AugFlaimOracle() {
  Method method = NaiveFlaim();
  method.name = "augflaim-oracle";
  method.title = "AugFLAIM (Oracle)";
  method.summary = "Algorithm 1, Oracle: clients know how unlike everybody they are (NOT private)";
  method.penalty = Penalty::kOracle;
  method.weighting = Weighting::kTrueSizes;
  return method;
}

Method AugFlaimPrivate() {
  Method method = NaiveFlaim();
  method.name = "augflaim-private";
  method.title = "AugFLAIM (Private)";
  method.summary = "Algorithm 1, Private: one-ways in every round tell a client how unlike everybody it is";
  method.penalty = Penalty::kProxy;
  method.one_ways = OneWays::kEveryRound;
  method.one_way_candidates = false;
  method.weighting = Weighting::kNoisySizes;
  return method;
}

}  // namespace flaim
