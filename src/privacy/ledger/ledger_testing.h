#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "base/clock.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger.h"

namespace flaim::testing_support {

// A path that no other test uses, without a file, and without one when the test is over.
class ScratchPath {
 public:
  explicit ScratchPath(const std::string& name)
      : path_(fmt::format("{}flaim-{}-{}.ledger", testing::TempDir(), name, ::getpid())) {
    Remove();
  }
  ~ScratchPath() { Remove(); }
  ScratchPath(const ScratchPath&) = delete;
  ScratchPath& operator=(const ScratchPath&) = delete;

  operator const std::string&() const { return path_; }
  const std::string& string() const { return path_; }
  void Remove() const {
    std::remove(path_.c_str());
    std::remove((path_ + "-journal").c_str());
  }

 private:
  std::string path_;
};

inline const Clock& NoonClock() {
  static const ManualClock clock(std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000)));
  return clock;
}

// Of a promise that affords any total up to a rho of 70.
inline LedgerTerms TermsAllowing(Rho total, const std::string& data_name = "census") {
  return {.data_name = data_name, .budget = *PrivacyBudget::Create(100, 0.1), .total = total};
}

// Costs exactly 1/64 of a rho.
inline const GaussianMechanism kGaussian64{.sigma_squared = Rational(32, 1)};
// Costs exactly 1/32 of a rho.
inline const ExponentialMechanism kExponential32{.epsilon = Rational(1, 2)};

inline Rho Fraction64(std::int64_t count) { return Rho::FromUnits(count << (Rho::kUnitBits - 6)); }

}  // namespace flaim::testing_support
