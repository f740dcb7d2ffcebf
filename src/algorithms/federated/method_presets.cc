#include <algorithm>

#include "algorithms/federated/method.h"
#include "base/status.h"

namespace flaim {
namespace {

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
  method.heterogeneity = Heterogeneity::kOracle;
  method.weighting = Weighting::kTrueSizes;
  return method;
}

Method AugFlaimPrivate() {
  Method method = NaiveFlaim();
  method.name = "augflaim-private";
  method.title = "AugFLAIM (Private)";
  method.summary = "Algorithm 1, Private: one-ways in every round tell a client how unlike everybody it is";
  method.heterogeneity = Heterogeneity::kProxy;
  method.one_ways = OneWays::kEveryRound;
  method.one_way_candidates = false;
  method.weighting = Weighting::kNoisySizes;
  return method;
}

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

Method CentralAim() {
  Method method = DistAim();
  method.name = "aim";
  method.title = "AIM";
  method.summary = "Algorithm 2: AIM on the union of all tables, which somebody must hold";
  method.is_central = true;
  return method;
}

Method FlaimOnce() {
  Method method;
  method.name = "flaim-once";
  method.title = "FLAIM-Once";
  method.summary =
      "Every client serves once, in secure sums only: first groups show which marginals all others measure";
  method.selection = Selection::kNoisySums;
  method.one_ways = OneWays::kEveryRound;
  method.one_way_candidates = false;
  method.weighting = Weighting::kHeterogeneity;
  method.rounds = ChooseThenMeasure::For(10);
  method.accounting = Accounting::kExact;
  method.noise_penalty = 0.5;
  return method;
}

Method FlaimOnceJoint() {
  Method method = FlaimOnce();
  method.name = "flaim-once-joint";
  method.title = "FLAIM-Once (joint)";
  method.summary = "FLAIM-Once with marginals chosen by the score of the summed counts";
  method.selection = Selection::kScoreOfSum;
  method.rounds = ChooseThenMeasure{.one_way_share = 0.5};
  method.noise_penalty = 0.6;
  return method;
}

Method DistAimOnce() {
  Method method = FlaimOnceJoint();
  method.name = "dist-aim-once";
  method.title = "DistAIM-Once";
  method.summary = "Shares are kept until all clients have uploaded; then AIM on them, with one noise";
  method.membership = Membership::kPool;
  method.pool_share_at_start = 1;
  method.rounds = ChooseThenMeasure{.rounds = 1, .choosing_rounds = 1, .marginals = 20};
  method.noise_penalty = 0.4;
  return method;
}

}  // namespace

const std::vector<Method>& AllMethods() {
  static const auto& methods =
      *new std::vector<Method>{CentralAim(),  DistAim(),       NaiveFlaim(), AugFlaimOracle(), AugFlaimPrivate(),
                               FlaimRandom(), FedNaiveBayes(), FlaimOnce(),  FlaimOnceJoint(), DistAimOnce()};
  return methods;
}

absl::StatusOr<Method> FindMethod(std::string_view name) {
  std::string names;
  for (const Method& method : AllMethods()) {
    if (method.name == name) return method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  }
  return absl::NotFoundError(fmt::format("there is no method '{}'; there are {}", std::string(name), names));
}

}  // namespace flaim
