#include <map>

#include "base/int128.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_disk_testing.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/release/release.h"

// What docs/LEDGER.md promises of the account: replay equals an independent accountant; no release without a prior
// debit; the spend stays within the total for every combination of parameters.

namespace flaim {
namespace {

using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::SimulatedDisk;
using testing_support::TermsAllowing;

// Costs from first principles, in units of 2^-50, rounded up. Terms are small enough here for 128 bits.
std::int64_t UnitsOf(const GaussianMechanism& gaussian) {
  const Int128 dividend = (static_cast<Int128>(gaussian.sensitivity_squared) * gaussian.sigma_squared.denominator())
                          << 50;
  const Int128 divisor = static_cast<Int128>(2) * gaussian.sigma_squared.numerator();
  return static_cast<std::int64_t>((dividend + divisor - 1) / divisor);
}

std::int64_t UnitsOf(const ExponentialMechanism& exponential) {
  const Int128 dividend = (static_cast<Int128>(exponential.epsilon.numerator()) * exponential.epsilon.numerator())
                          << 50;
  const Int128 divisor = static_cast<Int128>(8) * exponential.epsilon.denominator() * exponential.epsilon.denominator();
  return static_cast<std::int64_t>((dividend + divisor - 1) / divisor);
}

// What the ledger should do, kept by somebody who does not read it.
class IndependentAccountant {
 public:
  explicit IndependentAccountant(std::int64_t total_units) : total_(total_units) {}

  bool CanPay(std::int64_t units) const { return units <= total_ - spent_; }
  void Pay(std::int64_t units) { spent_ += units; }
  std::int64_t spent() const { return spent_; }

 private:
  std::int64_t total_;
  std::int64_t spent_ = 0;
};

class RandomRun {
 public:
  RandomRun(const std::string& path, std::uint64_t seed)
      : path_(path),
        random_(seed, "run"),
        noise_(seed, "noise"),
        total_(static_cast<std::int64_t>(1 + random_.NextBelow(std::uint64_t{1} << (30 + random_.NextBelow(24))))),
        accountant_(total_) {}

  void Go(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFatalFailure(); ++step) {
      absl::StatusOr<Ledger> ledger = Ledger::OpenOrCreate(path_, TermsAllowing(Rho::FromUnits(total_)), NoonClock());
      ASSERT_TRUE(ledger.ok()) << ledger.status();
      for (std::uint64_t charges = random_.NextBelow(6); charges > 0; --charges) OneCharge(*ledger);
      ASSERT_EQ(ledger->spent().units(), accountant_.spent());
    }
    const absl::StatusOr<LedgerReport> report = ReadLedger(path_);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->summary.spent.units(), accountant_.spent());
    EXPECT_LE(report->summary.spent.units(), total_);
    EXPECT_EQ(report->summary.debits, debits_);
    EXPECT_EQ(report->summary.releases, static_cast<std::int64_t>(released_.size()));
    CheckThatReleasesWerePaid(*report);
  }

  std::int64_t refused() const { return refused_; }
  std::int64_t debits() const { return debits_; }
  std::int64_t resent() const { return resent_; }

 private:
  Rational RandomFraction() {
    return {static_cast<std::int64_t>(1 + random_.NextBelow(std::uint64_t{1} << random_.NextBelow(24))),
            static_cast<std::int64_t>(1 + random_.NextBelow(std::uint64_t{1} << random_.NextBelow(10)))};
  }

  void OneCharge(Ledger& ledger) {
    const ReleaseName name{fmt::format("run {}", random_.NextBelow(2)), static_cast<std::int64_t>(random_.NextBelow(5)),
                           random_.NextBelow(2) == 0 ? "age" : "age,sex"};
    if (random_.NextBelow(2) == 0) {
      Attempt(ledger, name, GaussianMechanism{RandomFraction(), static_cast<std::int64_t>(1 + random_.NextBelow(20))});
    } else {
      Attempt(ledger, name, ExponentialMechanism{Rational(1, RandomFraction().numerator()), 1});
    }
  }

  template <typename MechanismType>
  void Attempt(Ledger& ledger, const ReleaseName& name, const MechanismType& new_mechanism) {
    const auto earlier = released_.find(name);
    MechanismType mechanism = new_mechanism;
    if (earlier != released_.end() && std::holds_alternative<MechanismType>(earlier->second.mechanism)) {
      mechanism = std::get<MechanismType>(earlier->second.mechanism);
    }
    auto spend = ledger.Debit(name, mechanism);
    if (earlier != released_.end()) {
      ASSERT_EQ(spend.ok(), earlier->second.mechanism == Mechanism(mechanism));
      if (!spend.ok()) return;
      ++resent_;
      ASSERT_EQ(Release(*std::move(spend)), earlier->second.value);
      return;
    }
    ASSERT_EQ(spend.ok(), accountant_.CanPay(UnitsOf(mechanism))) << spend.status();
    if (!spend.ok()) {
      ASSERT_TRUE(absl::IsResourceExhausted(spend.status()));
      ++refused_;
      return;
    }
    accountant_.Pay(UnitsOf(mechanism));
    ++debits_;
    if (random_.NextBelow(4) > 0) released_.emplace(name, Released{mechanism, Release(*std::move(spend))});
  }

  std::vector<std::int64_t> Release(Spend<GaussianMechanism> spend) {
    const std::vector<std::int64_t> counts = {5, 6, 7};
    return ReleaseGaussian(std::move(spend), counts, noise_)->values;
  }
  std::vector<std::int64_t> Release(Spend<ExponentialMechanism> spend) {
    const std::vector<std::int64_t> scores(100, 0);
    return {static_cast<std::int64_t>(ReleaseExponential(std::move(spend), scores, noise_)->index)};
  }

  static void CheckThatReleasesWerePaid(const LedgerReport& report) {
    std::map<std::int64_t, int> releases_of;
    for (const LedgerRow& row : report.rows) {
      const auto* release = std::get_if<ReleaseEntry>(&row.entry);
      if (release == nullptr) continue;
      ASSERT_LT(release->debit, row.sequence);
      ASSERT_TRUE(std::holds_alternative<DebitEntry>(report.rows[static_cast<std::size_t>(release->debit)].entry));
      ASSERT_EQ(++releases_of[release->debit], 1);
    }
  }

  struct Released {
    Mechanism mechanism;
    std::vector<std::int64_t> value;
  };

  std::string path_;
  SeededRandomSource random_;
  SeededRandomSource noise_;
  std::int64_t total_;
  IndependentAccountant accountant_;
  std::map<ReleaseName, Released> released_;
  std::int64_t debits_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t resent_ = 0;
};

TEST(LedgerProperty, AgreesWithAnIndependentAccountantOverRandomRuns) {
  const ScratchPath path("property");
  std::int64_t refused = 0;
  std::int64_t debits = 0;
  std::int64_t resent = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SimulatedDisk disk;
    RandomRun run(path, seed);
    run.Go(8);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    refused += run.refused();
    debits += run.debits();
    resent += run.resent();
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(debits, 200);
  EXPECT_GT(resent, 50);
}

// T rounds of s selections and measurements after d one-way measurements at the start, for all small T, s, d, also T <
// d: a plan that costs exactly the total is paid in full, and one unit less refuses its last debit.
TEST(LedgerProperty, AffordsAPlanExactlyAndNotWithOneUnitLess) {
  const ScratchPath path("plan");
  const GaussianMechanism gaussian{.sigma_squared = Rational(3001, 7)};
  const ExponentialMechanism exponential{.epsilon = Rational(1, 13)};
  for (const std::int64_t rounds : {0, 1, 3}) {
    for (const std::int64_t steps : {1, 2}) {
      for (const std::int64_t columns : {1, 5}) {
        const std::int64_t cost =
            columns * UnitsOf(gaussian) + rounds * steps * (UnitsOf(gaussian) + UnitsOf(exponential));
        for (const std::int64_t missing : {0, 1}) {
          SimulatedDisk disk;
          Ledger ledger = *Ledger::Create(path, TermsAllowing(Rho::FromUnits(cost - missing)), NoonClock());
          std::int64_t refused = 0;
          for (std::int64_t round = 0; round < rounds; ++round) {
            for (std::int64_t step = 0; step < steps; ++step) {
              refused += ledger.Debit({"run", round, fmt::format("select {}", step)}, exponential).ok() ? 0 : 1;
              refused += ledger.Debit({"run", round, fmt::format("measure {}", step)}, gaussian).ok() ? 0 : 1;
            }
          }
          for (std::int64_t column = 0; column < columns; ++column) {
            refused += ledger.Debit({"start", 0, fmt::format("column {}", column)}, gaussian).ok() ? 0 : 1;
          }
          EXPECT_EQ(refused, missing) << rounds << " rounds, " << steps << " steps, " << columns << " columns";
          EXPECT_LE(VerifyLedger(path)->spent.units(), cost - missing);
        }
      }
    }
  }
}

}  // namespace
}  // namespace flaim
