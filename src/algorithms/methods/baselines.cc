#include "algorithms/methods/presets.h"

namespace flaim {

Method FlaimRandom() {
  Method method = NaiveFlaim();
  method.name = "flaim-random";
  method.title = "FLAIM (Random)";
  method.summary = "Algorithm 1 with random choices: no budget is spent on choosing";
  method.selection = Selection::kRandom;
  return method;
}

Method FedNaiveBayes() {
  Method method = NaiveFlaim();
  method.name = "fed-naive-bayes";
  method.title = "FedNaiveBayes";
  method.summary = "One-way marginals only, all attributes independent";
  method.selection = Selection::kNone;
  return method;
}

}  // namespace flaim
