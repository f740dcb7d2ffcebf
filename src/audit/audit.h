#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "audit/claim.h"
#include "audit/run_transcript.h"
#include "audit/trade_off.h"
#include "base/parallel.h"
#include "base/progress.h"

namespace flaim {

// Something that is run with a record and without it, again and again.
struct Subject {
  std::string method;
  std::string canary;
  std::string attacker;  // what is known besides all other rows; may be empty
  Claim claim;
  // One run, with noise from this seed. Called from several threads.
  std::function<absl::StatusOr<Evidence>(bool has_record, std::uint64_t seed)> run;
};

// Alphas of the audit: that it calls something broken which is not, and that it overstates what was reached.
inline constexpr double kAlphaOfBreach = 1e-6;
inline constexpr double kAlphaOfReach = 0.025;
// Of what is attained of a claim: how much must be reached.
inline constexpr double kLeastShare = 0.9;

// One condition that must hold, and what was found.
struct AuditCheck {
  std::string name;
  bool holds = true;
  std::string found = {};
};

// A threshold test of the log-likelihood ratio: what was counted, and where the true rates lie, all thresholds
// together wrong with probability at most kAlphaOfBreach.
struct ThresholdTest {
  ErrorRates counted;
  ErrorRates least;
  ErrorRates most;
};

struct AuditResult {
  std::string method;
  std::string canary;
  std::string attacker;
  int runs = 0;  // with the record, and as many without
  Claim claim;
  double kl = 0;          // mean log-likelihood ratio with the record
  double mu_claimed = 0;  // of Gaussian noise that costs as much
  double mu_reached = 0;  // by one test, fixed in advance: at least this, at kAlphaOfReach
  double mu_proven = 0;   // the most of all tests, at kAlphaOfBreach
  std::vector<ThresholdTest> tests = {};
  std::vector<AuditCheck> checks = {};

  double share() const { return mu_claimed > 0 ? mu_reached / mu_claimed : 0; }
  bool Passed() const;
  // All but "reach": with too few runs, an audit comes near nothing and says little.
  bool IsKept() const;
};

struct AuditSettings {
  int runs = 4000;
  std::uint64_t seed = 1;
};

// Runs the subject `runs` times with the record and as often without, and judges what was found:
//   books        each run was paid for, at the price of all that was drawn for it, and not above the claim
//   promise      the claim's delta at the promised epsilon is no more than the promised one
//   likelihood   E exp(-L) = 1 with the record and E exp(L) = 1 without, for counts, choices and both: within 6 of its
//                standard errors. A noise that is not what it is said to be shows here. Not judged with fewer than
//                20 exp(2 rho) runs.
//   divergence   E L <= rho with the record and E -L <= rho without: within 3 standard errors of that mean, which have
//                its unit and are no share of rho
//   trade-off    no threshold test has errors that the claim rules out
//   reach        of what is attained of the claim, at least kLeastShare was reached
// Cancelled when the observer asks for it.
absl::StatusOr<AuditResult> RunAudit(const Subject& subject, const AuditSettings& settings, Parallel& parallel,
                                     ProgressSink& progress);

// The same from evidence that is there.
AuditResult Judge(const Subject& subject, const std::vector<Evidence>& with, const std::vector<Evidence>& without);

// Threshold tests of any score, at thresholds that do not come from these scores. The larger, the likelier the record.
std::vector<ThresholdTest> TestThresholds(const std::vector<double>& with, const std::vector<double>& without,
                                          const std::vector<double>& thresholds);
// By whoever says "it was there" above a threshold that does not come from these scores: with probability at most
// kAlphaOfReach the record is harder to find than this.
double MuReached(const std::vector<double>& with, const std::vector<double>& without, double threshold);
// The most of all tests, at kAlphaOfBreach.
double MuProven(const std::vector<ThresholdTest>& tests);
// The threshold with the fewest errors. REQUIRES: there is one.
double BestThreshold(const std::vector<double>& with, const std::vector<double>& without,
                     const std::vector<double>& thresholds);
// "trade-off": whether the claim allows all of them.
AuditCheck CheckTradeOff(const TradeOff& claimed, const std::vector<ThresholdTest>& tests);

}  // namespace flaim
