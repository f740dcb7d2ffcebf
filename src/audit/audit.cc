#include "audit/audit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "base/seeded_random_source.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr char kReach[] = "reach";
constexpr double kLikelihoodErrors = 6;
constexpr double kRunsForEachMoment = 20;
constexpr double kDivergenceErrors = 3;
// Of sums in doubles.
constexpr double kRoundingSlack = 1e-9;
// On each side of 0, in units of the claim's mu squared, around which ratios lie.
constexpr int kThresholdsEachSide = 16;

struct MeanEstimate {
  double mean = 0;
  double error = 0;  // standard error
};

template <typename Get>
MeanEstimate MeanOf(const std::vector<Evidence>& runs, const Get& get) {
  double sum = 0;
  double squares = 0;
  for (const Evidence& run : runs) sum += get(run);
  const double mean = sum / static_cast<double>(runs.size());
  for (const Evidence& run : runs) squares += std::pow(get(run) - mean, 2);
  const auto n = static_cast<double>(runs.size());
  return {mean, std::sqrt(squares / (n * std::max(1.0, n - 1)))};
}

AuditCheck CheckBooks(const Claim& claim, const std::vector<Evidence>& with, const std::vector<Evidence>& without) {
  AuditCheck check{"books"};
  double most_paid = 0;
  double most_owed = 0;
  for (const std::vector<Evidence>* runs : {&with, &without}) {
    for (const Evidence& run : *runs) {
      most_paid = std::max(most_paid, run.paid);
      most_owed = std::max(most_owed, run.price - run.paid);
    }
  }
  check.holds = most_paid <= claim.rho.ToDouble() + kRoundingSlack && most_owed <= kRoundingSlack;
  check.found = most_owed > kRoundingSlack ? fmt::format("a run drew for rho {:.4g} more than it paid", most_owed)
                                           : fmt::format("paid rho {:.4g} of {:.4g}", most_paid, claim.rho.ToDouble());
  return check;
}

AuditCheck CheckPromise(const Claim& claim) {
  return {.name = "promise",
          .holds = claim.delta <= claim.promised.delta(),
          .found = fmt::format("delta {:.4g} at epsilon {:g}, of {:g}", claim.delta, claim.promised.epsilon(),
                               claim.promised.delta())};
}

AuditCheck CheckLikelihood(const Claim& claim, const std::vector<Evidence>& with,
                           const std::vector<Evidence>& without) {
  AuditCheck check{"likelihood"};
  // By the claim, exp(-L) has a second moment of at most exp(2 rho), which few large values make up: while these are
  // missing, the mean looks too small and its error smaller still.
  const double needed = kRunsForEachMoment * std::exp(2 * claim.rho.ToDouble());
  if (static_cast<double>(std::min(with.size(), without.size())) < needed) {
    check.found = fmt::format("not judged: that takes {:.0f} runs", std::ceil(needed));
    return check;
  }
  double worst = -1;
  const auto judge = [&](const char* what, const std::vector<Evidence>& runs, const auto& log_ratio) {
    const MeanEstimate mean = MeanOf(runs, [&](const Evidence& run) { return std::exp(log_ratio(run)); });
    const double off = std::abs(mean.mean - 1);
    const double errors = off <= kRoundingSlack ? 0 : off / mean.error;
    check.holds = check.holds && errors <= kLikelihoodErrors;
    if (errors <= worst) return;
    worst = errors;
    check.found = fmt::format("E exp({}) = {:.4f}, {:.1f} standard errors from 1", what, mean.mean, errors);
  };
  judge("-L", with, [](const Evidence& run) { return -run.log_ratio(); });
  judge("-L of counts", with, [](const Evidence& run) { return -run.of_counts; });
  judge("-L of choices", with, [](const Evidence& run) { return -run.of_choices; });
  judge("L", without, [](const Evidence& run) { return run.log_ratio(); });
  judge("L of counts", without, [](const Evidence& run) { return run.of_counts; });
  judge("L of choices", without, [](const Evidence& run) { return run.of_choices; });
  return check;
}

AuditCheck CheckDivergence(const Claim& claim, const std::vector<Evidence>& with,
                           const std::vector<Evidence>& without) {
  AuditCheck check{"divergence"};
  const MeanEstimate forth = MeanOf(with, [](const Evidence& run) { return run.log_ratio(); });
  const MeanEstimate back = MeanOf(without, [](const Evidence& run) { return -run.log_ratio(); });
  for (const MeanEstimate& kl : {forth, back}) {
    check.holds = check.holds && kl.mean <= claim.rho.ToDouble() + kDivergenceErrors * kl.error + kRoundingSlack;
  }
  check.found = fmt::format("{:.4g} ± {:.2g} and {:.4g} ± {:.2g}, of rho {:.4g}", forth.mean, forth.error, back.mean,
                            back.error, claim.rho.ToDouble());
  return check;
}

AuditCheck CheckReach(const AuditResult& result) {
  return {.name = kReach,
          .holds = result.share() >= kLeastShare * result.claim.attained,
          .found = fmt::format("{:.3f} of the claim", result.share())};
}

// Beforehand: around 0, as far as a Gaussian of the claim's price has its ratios.
std::vector<double> ThresholdsFor(double mu) {
  std::vector<double> thresholds;
  for (int i = -kThresholdsEachSide; i <= kThresholdsEachSide; ++i) {
    thresholds.push_back(i * (mu * mu / 2 + 3 * mu) / kThresholdsEachSide);
  }
  return thresholds;
}

std::vector<double> LogRatios(const std::vector<Evidence>& runs) {
  std::vector<double> ratios;
  for (const Evidence& run : runs) ratios.push_back(run.log_ratio());
  return ratios;
}

std::int64_t CountAbove(const std::vector<double>& scores, double threshold) {
  return std::count_if(scores.begin(), scores.end(), [&](double score) { return score > threshold; });
}

std::int64_t ErrorsAt(const std::vector<double>& with, const std::vector<double>& without, double threshold) {
  return CountAbove(without, threshold) + std::ssize(with) - CountAbove(with, threshold);
}

ThresholdTest TestAt(const std::vector<double>& with, const std::vector<double>& without, double threshold,
                     double alpha) {
  const std::int64_t false_positives = CountAbove(without, threshold);
  const std::int64_t false_negatives = std::ssize(with) - CountAbove(with, threshold);
  const Interval positive = ClopperPearson(false_positives, std::ssize(without), alpha);
  const Interval negative = ClopperPearson(false_negatives, std::ssize(with), alpha);
  const auto share = [](std::int64_t hits, std::size_t of) {
    return static_cast<double>(hits) / static_cast<double>(of);
  };
  return {.counted = {share(false_positives, without.size()), share(false_negatives, with.size())},
          .least = {positive.low, negative.low},
          .most = {positive.high, negative.high}};
}

// No two subjects draw the same noise.
std::uint64_t FirstSeedOf(const Subject& subject, std::uint64_t seed) {
  return SeededRandomSource(seed, fmt::format("{}, {}, {}", subject.method, subject.canary, subject.attacker))
      .NextU64();
}

}  // namespace

bool AuditResult::Passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const AuditCheck& check) { return check.holds; });
}

bool AuditResult::IsKept() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const AuditCheck& check) { return check.holds || check.name == kReach; });
}

std::vector<ThresholdTest> TestThresholds(const std::vector<double>& with, const std::vector<double>& without,
                                          const std::vector<double>& thresholds) {
  std::vector<ThresholdTest> tests;
  // Two rates at each, of which only the upper ends are used to call something broken.
  const double alpha = kAlphaOfBreach / (2.0 * static_cast<double>(thresholds.size()));
  for (const double threshold : thresholds) tests.push_back(TestAt(with, without, threshold, alpha));
  return tests;
}

// If no test does better than with mu, the two rates add up to at least 2 Phi(-mu/2); and all errors together are then
// no likelier to be few than a binomial of that mean (Hoeffding 1956). So one bound on one rate is enough.
double MuReached(const std::vector<double>& with, const std::vector<double>& without, double threshold) {
  const std::int64_t errors = ErrorsAt(with, without, threshold);
  const double rate = ClopperPearson(errors, std::ssize(with) + std::ssize(without), kAlphaOfReach).high;
  return std::max(0.0, MuOf(ErrorRates{rate, rate}));
}

double MuProven(const std::vector<ThresholdTest>& tests) {
  double most = 0;
  for (const ThresholdTest& test : tests) most = std::max(most, MuOf(test.most));
  return most;
}

double BestThreshold(const std::vector<double>& with, const std::vector<double>& without,
                     const std::vector<double>& thresholds) {
  return *std::min_element(thresholds.begin(), thresholds.end(), [&](double one, double other) {
    return ErrorsAt(with, without, one) < ErrorsAt(with, without, other);
  });
}

AuditCheck CheckTradeOff(const TradeOff& claimed, const std::vector<ThresholdTest>& tests) {
  AuditCheck check{.name = "trade-off", .holds = true, .found = "within the claimed curve"};
  for (const ThresholdTest& test : tests) {
    if (claimed.Allows(test.most)) continue;
    check.holds = false;
    check.found = fmt::format("{:.3g} false positives with {:.3g} false negatives: the claim rules that out",
                              test.counted.false_positive, test.counted.false_negative);
  }
  return check;
}

AuditResult Judge(const Subject& subject, const std::vector<Evidence>& with, const std::vector<Evidence>& without) {
  AuditResult result{.method = subject.method,
                     .canary = subject.canary,
                     .attacker = subject.attacker,
                     .runs = static_cast<int>(with.size()),
                     .claim = subject.claim};
  const std::vector<double> ratios_with = LogRatios(with);
  const std::vector<double> ratios_without = LogRatios(without);
  result.kl = MeanOf(with, [](const Evidence& run) { return run.log_ratio(); }).mean;
  result.mu_claimed = std::sqrt(2 * subject.claim.rho.ToDouble());
  result.mu_reached = MuReached(ratios_with, ratios_without, 0);
  result.tests = TestThresholds(ratios_with, ratios_without, ThresholdsFor(result.mu_claimed));
  result.mu_proven = MuProven(result.tests);
  result.checks = {CheckBooks(subject.claim, with, without),         CheckPromise(subject.claim),
                   CheckLikelihood(subject.claim, with, without),    CheckDivergence(subject.claim, with, without),
                   CheckTradeOff(subject.claim.curve, result.tests), CheckReach(result)};
  return result;
}

absl::StatusOr<AuditResult> RunAudit(const Subject& subject, const AuditSettings& settings, Parallel& parallel,
                                     ProgressSink& progress) {
  const auto runs = static_cast<std::size_t>(settings.runs);
  std::vector<Evidence> evidence(2 * runs);  // first those with the record
  const std::uint64_t first_seed = FirstSeedOf(subject, settings.seed);
  std::mutex mutex;
  absl::Status status;
  std::uint64_t done = 0;
  parallel.For(evidence.size(), [&](std::size_t index, int) {
    {
      const std::lock_guard lock(mutex);
      if (!status.ok()) return;
      status = StopIfAsked(progress);
      if (!status.ok()) return;
    }
    absl::StatusOr<Evidence> run = subject.run(index < runs, first_seed + index);
    const std::lock_guard lock(mutex);
    if (run.ok()) {
      evidence[index] = *run;
    } else if (status.ok()) {
      status = run.status();
    }
    progress.Report(
        {.step = "runs", .done = ++done, .total = evidence.size(), .detail = subject.method + ", " + subject.canary});
  });
  RETURN_IF_ERROR(status);
  const auto middle = evidence.begin() + static_cast<std::ptrdiff_t>(runs);
  return Judge(subject, {evidence.begin(), middle}, {middle, evidence.end()});
}

}  // namespace flaim
