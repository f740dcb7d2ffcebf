#include "algorithms/methods/presets.h"

namespace flaim {

// Algorithm 2 (McKenna et al. 2022), on one table, by the lines that the paper prints:
//
//   1-2   the budget, sigma_0 and epsilon_0 from it               spending/annealed.h, equal.h
//   3-4   the workload's completion, with weights                 marginal/completion.h
//   5-6   rounds, until the budget is spent                       loop/run.cc RunMethod
//   7-10  measure all one-way marginals                           loop/run.cc Initialise
//   12    filter: what the model can take in                      selection/candidates.cc AffordableCandidates
//   13    select what the model approximates worst                selection/score_of_counts.cc
//   14    measure it                                              loop/measuring.cc MeasureChosen
//   15    estimate the model                                      loop/state.cc Refit
//   16    take the round off the budget                           spending/annealed.cc Next; the ledger's Debit
//   17-18 anneal, where noise hid what there was to learn         loop/state.cc Improved, spending/annealed.cc Observe
//   19-20 the last round takes what is left                       spending/annealed.cc SpendAllThatIsLeft
//
// Ours differs in its constants, which together do as well or better on the tables tried: fewer and so less noisy
// rounds at first, and less allowance for noise (docs/METHODS.md, "The constants of AIM").
Method Aim() {
  Method method = AimOfPaper();
  method.name = "aim";
  method.title = "AIM (ours)";
  method.summary = "Algorithm 2: AIM on one table, as `flaim fit` runs it";
  method.rounds = Annealed{};
  method.noise_penalty = 0.6;
  method.improvement_threshold = 0.5;
  return method;
}

// The same with the paper's constants, and its fixed number of rounds in comparisons.
Method AimOfPaper() {
  Method method;
  method.name = "aim-paper";
  method.title = "AIM";
  method.summary = "Algorithm 2 with the paper's constants, and a fixed number of rounds";
  method.selection = Selection::kScoreOfSum;
  method.membership = Membership::kOneTable;
  method.weighting = Weighting::kSameRows;
  method.accounting = Accounting::kPaper;
  method.rounds = FixedRounds{};
  return method;
}

}  // namespace flaim
