#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random_source.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/ledger/release_value.h"
#include "privacy/release/release.h"

namespace flaim::testing_support {

// A value that has left the process, and the debit that it was sent under.
struct SentValue {
  ReleaseName name;
  std::int64_t debit = 0;
  std::vector<std::byte> bytes;
};

// A run as an algorithm makes it: in each round one selection, then one measurement. Repeating it resumes it.
// Two draws of a measurement practically never agree, two draws of a selection once in a thousand times.
struct LedgerScript {
  static constexpr std::int64_t kRounds = 3;
  static constexpr std::int64_t kMeasurementUnits = 1'407'374'883'554;  // ceil(2^50 / (2 * 400))
  static constexpr std::int64_t kSelectionUnits = 1'407'374'883'554;    // ceil(2^50 / 800)
  static constexpr std::int64_t kUnits = kRounds * (kMeasurementUnits + kSelectionUnits);

  std::string path;
  Rho total = Rho::FromUnits(3 * kUnits);

  absl::Status Run(RandomSource& noise, const std::function<void(const SentValue&)>& send) const {
    ASSIGN_OR_RETURN(Ledger ledger, Ledger::OpenOrCreate(path, TermsAllowing(total), NoonClock()));
    const std::vector<std::int64_t> scores(1000, 0);
    const std::vector<std::int64_t> counts = {10, 0, 7, 3, 99, 0, 0, 1, 2, 4, 8, 16};
    for (std::int64_t round = 0; round < kRounds; ++round) {
      const ReleaseName select{"run", round, "select"};
      ASSIGN_OR_RETURN(auto select_spend, ledger.Debit(select, ExponentialMechanism{.epsilon = Rational(1, 10)}));
      const std::int64_t select_debit = select_spend.debit();
      ASSIGN_OR_RETURN(const NoisyChoice choice, ReleaseExponential(std::move(select_spend), scores, noise));
      send({select, select_debit, EncodeChoice(choice.index, scores.size())});

      const ReleaseName measure{"run", round, "measure"};
      ASSIGN_OR_RETURN(auto measure_spend, ledger.Debit(measure, GaussianMechanism{.sigma_squared = Rational(400, 1)}));
      const std::int64_t measure_debit = measure_spend.debit();
      ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(measure_spend), counts, noise));
      send({measure, measure_debit, EncodeCounts(noisy.values)});
    }
    return absl::OkStatus();
  }
};

// Remembers all that was ever sent, and holds the ledger to it.
class Witness {
 public:
  void Saw(const SentValue& sent) {
    InsertIfNew(values_of_name_[sent.name], sent.bytes);
    InsertIfNew(values_of_debit_[sent.debit], sent.bytes);
    names_.emplace(sent.debit, sent.name);
  }

  void Check(const std::string& path, Rho total) const {
    for (const auto& [debit, values] : values_of_debit_) {
      ASSERT_EQ(values.size(), 1U) << "two values went out for the debit of row " << debit;
    }
    for (const auto& [name, values] : values_of_name_) {
      ASSERT_EQ(values.size(), 1U) << "the resumed run did not resend " << name.ToString();
    }
    const absl::StatusOr<LedgerReport> report = ReadLedger(path);
    if (absl::IsNotFound(report.status()) && values_of_debit_.empty()) return;
    ASSERT_TRUE(report.ok()) << report.status();
    std::int64_t sent_units = 0;
    for (const auto& [debit, values] : values_of_debit_) {
      ASSERT_LT(debit, static_cast<std::int64_t>(report->rows.size())) << "a sent value was never paid for";
      const auto* paid = std::get_if<DebitEntry>(&report->rows[static_cast<std::size_t>(debit)].entry);
      ASSERT_NE(paid, nullptr);
      ASSERT_EQ(NameOf(paid->charge), names_.at(debit));
      ASSERT_TRUE(HasRelease(*report, debit, values.front()))
          << "what was sent for row " << debit << " is not recorded";
      const bool selects = std::holds_alternative<ExponentialMechanism>(paid->charge.mechanism);
      sent_units += selects ? LedgerScript::kSelectionUnits : LedgerScript::kMeasurementUnits;
    }
    ASSERT_GE(report->summary.spent.units(), sent_units);
    ASSERT_LE(report->summary.spent, total);
  }

  std::size_t sent() const { return values_of_name_.size(); }

 private:
  using Value = std::vector<std::byte>;

  static void InsertIfNew(std::vector<Value>& values, const Value& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }

  static bool HasRelease(const LedgerReport& report, std::int64_t debit, const std::vector<std::byte>& bytes) {
    for (const LedgerRow& row : report.rows) {
      const auto* release = std::get_if<ReleaseEntry>(&row.entry);
      if (release != nullptr && release->debit == debit) return release->value == bytes && row.sequence > debit;
    }
    return false;
  }

  std::map<ReleaseName, std::vector<Value>> values_of_name_;
  std::map<std::int64_t, std::vector<Value>> values_of_debit_;
  std::map<std::int64_t, ReleaseName> names_;
};

}  // namespace flaim::testing_support
