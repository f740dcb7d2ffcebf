#include "app/aim_testing.h"

#include <utility>

#include "base/seeded_random_source.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {

Table MakeCorrelatedTable(std::uint64_t seed, std::size_t rows) {
  SeededRandomSource random(seed, "correlated table");
  TableBuilder builder(Domain::Create({{"a", 3}, {"b", 2}, {"c", 4}, {"d", 2}, {"e", 3}}).value());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto a = static_cast<std::uint32_t>(random.NextBelow(6) < 3 ? 0 : 1 + random.NextBelow(2));
    const auto c = static_cast<std::uint32_t>(random.NextBelow(4));
    const auto b = static_cast<std::uint32_t>(random.NextBelow(10) == 0 ? random.NextBelow(2) : a > 0);
    const auto d = static_cast<std::uint32_t>(random.NextBelow(10) == 0 ? random.NextBelow(2) : c > 1);
    builder.AddRow(std::vector<std::uint32_t>{a, b, c, d, static_cast<std::uint32_t>(random.NextBelow(3))});
  }
  return std::move(builder).Build();
}

Workload AllPairs(const Domain& domain) { return AllKWay(domain, domain.size() > 1 ? 2 : 1).value(); }

AimBench::AimBench(const std::string& name, Rho total)
    : path_(name), terms_(testing_support::TermsAllowing(total, "made-up rows")) {}

AimBench::AimBench(const std::string& name, const AimOptions& options) : AimBench(name, RhoFor(options.budget)) {}

absl::StatusOr<FittedModel> AimBench::Run(const AimOptions& options, const Table& table, NoiseSource& noise,
                                          RoundSink& rounds, int threads) {
  return Run(options, std::make_shared<TableRows>(table), noise, rounds, threads);
}

absl::StatusOr<FittedModel> AimBench::Run(const AimOptions& options, const std::shared_ptr<PrivateRows>& source,
                                          NoiseSource& noise, RoundSink& rounds, int threads) {
  return Run(options, AllPairs(source->domain()), source, noise, rounds, threads);
}

absl::StatusOr<FittedModel> AimBench::Run(const AimOptions& options, const Workload& workload,
                                          const std::shared_ptr<PrivateRows>& source, NoiseSource& noise,
                                          RoundSink& rounds, int threads) {
  auto ledger = Ledger::OpenOrCreate(path_, terms_, testing_support::NoonClock());
  if (!ledger.ok()) return ledger.status();
  Parallel parallel(threads);
  const auto spending = MakeSpendingPlan(options.method, options.budget, source->domain().size());
  if (!spending.ok()) return spending.status();
  return RunOnOneTable(options.method, options, **spending, workload,
                       {source, options.max_kept_cells, *ledger, noise, parallel}, rounds);
}

absl::StatusOr<FittedModel> AimBench::Run(const AimOptions& options, const Table& table, NoiseSource& noise) {
  RoundObserver rounds;
  return Run(options, table, noise, rounds);
}

std::vector<DebitEntry> AimBench::Debits() const {
  std::vector<DebitEntry> debits;
  for (const LedgerRow& row : Read().rows) {
    if (const auto* debit = std::get_if<DebitEntry>(&row.entry)) debits.push_back(*debit);
  }
  return debits;
}

std::vector<ReleaseEntry> AimBench::Releases() const {
  std::vector<ReleaseEntry> releases;
  for (const LedgerRow& row : Read().rows) {
    if (const auto* release = std::get_if<ReleaseEntry>(&row.entry)) releases.push_back(*release);
  }
  return releases;
}

AimOptions OptionsFor(double epsilon, const Rounds& rounds) {
  AimOptions options{{.budget = PrivacyBudget::Create(epsilon, 1e-6).value()}};
  options.method.rounds = rounds;
  options.round_fit.max_iterations = 200;
  options.last_fit.max_iterations = 200;
  return options;
}

}  // namespace flaim
