#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "io/hex.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/release_value.h"
#include "privacy/release/release.h"
#include "python/bindings.h"
#include "python/bound_random.h"
#include "python/numpy_arrays.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Far from where adding noise could overflow, and far above any number of records.
constexpr std::int64_t kMaxCount = std::int64_t{1} << 62;

const Clock& WallClock() {
  static const SystemClock clock;
  return clock;
}

LedgerTerms TermsOf(const std::string& data_name, double epsilon, double delta) {
  const PrivacyBudget budget = Unwrap(PrivacyBudget::Create(epsilon, delta));
  return {data_name, budget, RhoFor(budget)};
}

// What could fail after the payment is asked before it: a refused release costs nothing.
void CheckCounts(const Integers& counts) {
  if (counts.size() > kMaxReleasedCounts) {
    ThrowIfError(
        InvalidArgument("{} counts in one release are too many: {} is the most", counts.size(), kMaxReleasedCounts));
  }
  const bool in_range = std::all_of(counts.data(), counts.data() + counts.size(),
                                    [](std::int64_t count) { return -kMaxCount <= count && count <= kMaxCount; });
  if (!in_range) ThrowIfError(InvalidArgument("a count is beyond 2^62; nothing was paid"));
}

// A ledger that Python threads may share; they take turns. For one side of a fork: the other one is refused, because
// neither the open file nor its locks are its own.
class BoundLedger {
 public:
  explicit BoundLedger(Ledger ledger) : ledger_(std::move(ledger)), process_(getpid()) {}

  LedgerTerms Terms() const {
    return Ask([](const Ledger& ledger) { return ledger.terms(); });
  }
  std::int64_t SpentUnits() const {
    return Ask([](const Ledger& ledger) { return ledger.spent().units(); });
  }
  std::int64_t LeftUnits() const {
    return Ask([](const Ledger& ledger) { return ledger.left().units(); });
  }
  std::int64_t SpentUnitsBy(const std::string& run) const {
    return Ask([&](const Ledger& ledger) { return ledger.SpentBy(run).units(); });
  }
  std::string Head() const {
    return Ask([](const Ledger& ledger) { return ToHex(ledger.head()); });
  }
  bool HasValue(const std::string& run, std::int64_t round, const std::string& query) const {
    return Ask([&](const Ledger& ledger) { return ledger.HasValue({run, round, query}); });
  }

  nb::tuple ReleaseCounts(const std::string& run, std::int64_t round, const std::string& query, const Integers& counts,
                          const GaussianMechanism& mechanism, BoundRandom& random) {
    CheckProcess();
    CheckCounts(counts);
    NoisyCounts noisy;
    {
      const nb::gil_scoped_release released;
      const std::scoped_lock lock(mutex_, random.mutex);
      CheckNoise({run, round, query}, *random.source);
      noisy = Unwrap(ReleaseGaussian(Unwrap(ledger_.Debit({run, round, query}, mechanism)),
                                     {counts.data(), counts.size()}, *random.source));
    }
    const std::size_t size = noisy.values.size();
    return nb::make_tuple(ToNumpy(std::move(noisy.values), {size}), noisy.provenance);
  }

  nb::tuple ReleaseChoice(const std::string& run, std::int64_t round, const std::string& query, const Integers& scores,
                          const ExponentialMechanism& mechanism, BoundRandom& random) {
    CheckProcess();
    if (scores.size() == 0) ThrowIfError(InvalidArgument("there is nothing to choose from"));
    NoisyChoice choice;
    {
      const nb::gil_scoped_release released;
      const std::scoped_lock lock(mutex_, random.mutex);
      CheckNoise({run, round, query}, *random.source);
      choice = Unwrap(ReleaseExponential(Unwrap(ledger_.Debit({run, round, query}, mechanism)),
                                         {scores.data(), scores.size()}, *random.source));
    }
    return nb::make_tuple(choice.index, choice.provenance);
  }

 private:
  template <typename Question>
  std::invoke_result_t<Question, const Ledger&> Ask(const Question& question) const {
    CheckProcess();
    const nb::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    return question(ledger_);
  }

  // Before the payment. What is on record comes back as it is.
  void CheckNoise(const ReleaseName& name, const RandomSource& noise) const {
    if (!ledger_.HasValue(name)) ThrowIfError(ledger_.CheckNoise(noise.IsSecure()));
  }

  void CheckProcess() const {
    if (getpid() != process_) {
      ThrowIfError(FailedPrecondition("this ledger was opened before the process forked: open it again in this one"));
    }
  }

  Ledger ledger_;
  pid_t process_;
  mutable std::mutex mutex_;
};

template <typename Open>
BoundLedger* Opened(const Open& open) {
  const nb::gil_scoped_release released;
  return new BoundLedger(Unwrap(open()));
}

nb::dict SummaryOf(const LedgerSummary& summary) {
  nb::dict result;
  result["data"] = summary.terms.data_name;
  result["epsilon"] = summary.terms.budget.epsilon();
  result["delta"] = summary.terms.budget.delta();
  result["total_units"] = summary.terms.total.units();
  result["spent_units"] = summary.spent.units();
  result["accountant"] = summary.terms.exact_run ? "exact" : "zcdp";
  result["exact_run"] = summary.terms.exact_run ? nb::object(nb::cast(*summary.terms.exact_run)) : nb::none();
  result["epsilon_spent"] = summary.epsilon_spent;
  result["is_within_promise"] = summary.is_within_promise && summary.seeded_releases == 0;
  result["is_private"] = summary.seeded_releases == 0;
  result["debits"] = summary.debits;
  result["releases"] = summary.releases;
  result["head"] = ToHex(summary.head);
  return result;
}

nb::dict Verify(const std::string& path, const std::optional<std::string>& noted_head) {
  std::optional<LedgerSummary> summary;
  {
    const nb::gil_scoped_release released;
    std::optional<LedgerHash> head;
    if (noted_head.has_value()) head = Unwrap(ParseLedgerHash(*noted_head));
    summary.emplace(Unwrap(VerifyLedger(path, head)));
  }
  return SummaryOf(*summary);
}

// Each debit, and the provenance of the noise in its value: None while it has none.
nb::list Debits(const std::string& path) {
  std::optional<LedgerReport> report;
  {
    const nb::gil_scoped_release released;
    report.emplace(Unwrap(ReadLedger(path)));
  }
  std::map<std::int64_t, std::string> noise;
  for (const LedgerRow& row : report->rows) {
    if (const auto* release = std::get_if<ReleaseEntry>(&row.entry)) noise[release->debit] = release->provenance;
  }
  nb::list result;
  for (const LedgerRow& row : report->rows) {
    const auto* debit = std::get_if<DebitEntry>(&row.entry);
    if (debit == nullptr) continue;
    nb::dict line;
    line["entry"] = row.sequence;
    line["time_us"] = row.time_us;
    line["run"] = debit->charge.run;
    line["round"] = debit->charge.round;
    line["query"] = debit->charge.query;
    line["mechanism"] = ToString(debit->charge.mechanism);
    line["attempt"] = debit->attempt;
    line["cost_units"] = debit->cost.units();
    line["cumulative_units"] = debit->cumulative.units();
    const auto found = noise.find(row.sequence);
    line["noise"] = found == noise.end() ? nb::none() : nb::object(nb::cast(found->second));
    result.append(line);
  }
  return result;
}

}  // namespace

void BindLedger(nb::module_& module) {
  nb::class_<BoundLedger>(module, "Ledger", "The account of one body of private data.")
      .def_static(
          "create",
          [](const std::string& path, const std::string& data_name, double epsilon, double delta) {
            const LedgerTerms terms = TermsOf(data_name, epsilon, delta);
            return Opened([&] { return Ledger::Create(path, terms, WallClock()); });
          },
          "path"_a, "data_name"_a, "epsilon"_a, "delta"_a, nb::rv_policy::take_ownership)
      .def_static(
          "open", [](const std::string& path) { return Opened([&] { return Ledger::Open(path, WallClock()); }); },
          "path"_a, nb::rv_policy::take_ownership)
      .def_static(
          "open_or_create",
          [](const std::string& path, const std::string& data_name, double epsilon, double delta) {
            const LedgerTerms terms = TermsOf(data_name, epsilon, delta);
            return Opened([&] { return Ledger::OpenOrCreate(path, terms, WallClock()); });
          },
          "path"_a, "data_name"_a, "epsilon"_a, "delta"_a, nb::rv_policy::take_ownership)
      .def_static("verify", &Verify, "path"_a, "noted_head"_a.none())
      .def_static("debits", &Debits, "path"_a)
      .def_prop_ro("data_name", [](const BoundLedger& ledger) { return ledger.Terms().data_name; })
      .def_prop_ro("epsilon", [](const BoundLedger& ledger) { return ledger.Terms().budget.epsilon(); })
      .def_prop_ro("delta", [](const BoundLedger& ledger) { return ledger.Terms().budget.delta(); })
      .def_prop_ro("total_units", [](const BoundLedger& ledger) { return ledger.Terms().total.units(); })
      .def_prop_ro("spent_units", &BoundLedger::SpentUnits)
      .def_prop_ro("left_units", &BoundLedger::LeftUnits)
      .def("spent_units_by", &BoundLedger::SpentUnitsBy, "run"_a)
      .def_prop_ro("head", &BoundLedger::Head)
      .def("has_value", &BoundLedger::HasValue, "run"_a, "round"_a, "query"_a)
      .def("release_gaussian", &BoundLedger::ReleaseCounts, "run"_a, "round"_a, "query"_a, "counts"_a, "mechanism"_a,
           "random"_a)
      .def("release_exponential", &BoundLedger::ReleaseChoice, "run"_a, "round"_a, "query"_a, "scores"_a, "mechanism"_a,
           "random"_a);
}

}  // namespace flaim::python
