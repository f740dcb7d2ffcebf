#include "privacy/ledger/ledger_state.h"

#include <algorithm>

#include "base/check.h"
#include "base/provenance.h"
#include "base/status.h"
#include "privacy/budget/budget_refusal.h"
#include "privacy/ledger/release_value.h"

namespace flaim {

namespace {

// The adaptive fits of format 1 had names of other forms; the exact accountant does not cover them.
bool IsNameOfStudy(const std::string& run) {
  return run.size() == 32 && run.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

absl::Status LedgerState::Check(const LedgerRow& row) const {
  const auto refuse = [&row](std::string_view reason) {
    return DataLoss("row {} ({}): {}", row.sequence, KindOf(row.entry), reason);
  };
  if (row.sequence != size()) return refuse(fmt::format("row {} should stand here", size()));
  if (row.hash != HashOf(head(), row)) return refuse("its hash does not fit its contents and the row before it");
  if (std::holds_alternative<LedgerTerms>(row.entry) != (size() == 0)) return refuse("the terms must come first, once");
  const absl::Status status = std::visit([this](const auto& entry) { return CheckEntry(entry); }, row.entry);
  return status.ok() ? status : refuse(std::string(status.message()));
}

absl::Status LedgerState::Apply(const LedgerRow& row) {
  RETURN_IF_ERROR(Check(row));
  std::visit([&](const auto& entry) { Take(row.sequence, entry); }, row.entry);
  hashes_.push_back(row.hash);
  return absl::OkStatus();
}

LedgerRow LedgerState::NextRow(LedgerEntry entry, std::int64_t time_us) const {
  LedgerRow row{.sequence = size(), .entry = std::move(entry), .time_us = time_us, .hash = {}};
  row.hash = HashOf(head(), row);
  return row;
}

absl::StatusOr<DebitEntry> LedgerState::Pay(const Charge& charge) const {
  RETURN_IF_ERROR(CheckCharge(charge));
  const ReleaseHistory* history = Find(NameOf(charge));
  if (history != nullptr && history->release != 0) {
    return FailedPrecondition("{} has its value already, in row {}", NameOf(charge).ToString(), history->release);
  }
  if (charge.adjacency != terms().adjacency) {
    return InvalidArgument("the charge counts other tables as neighbours than the ledger does");
  }
  if (terms().format > 1 && terms().exact_run && charge.run != *terms().exact_run) {
    return FailedPrecondition(
        "only the run '{}', which follows the plan of the exact accountant, may spend this ledger", *terms().exact_run);
  }
  const Rho cost = CostOf(charge.mechanism);
  const Rho cumulative = spent_ + cost;
  if (cumulative > terms().total) {
    return BudgetRefused(
        "{} ({}) costs rho = {:.6g}, but of the {:.6g} that the ledger allows for '{}' only {:.6g} is left: use more "
        "noise or fewer queries. The budget does not come back",
        NameOf(charge).ToString(), ToString(charge.mechanism), cost.ToDouble(), terms().total.ToDouble(),
        terms().data_name, left().ToDouble());
  }
  const std::int64_t attempt = (history == nullptr ? 0 : history->attempts) + 1;
  return DebitEntry{.charge = charge, .attempt = attempt, .cost = cost, .cumulative = cumulative};
}

LedgerHash LedgerState::HashBefore(std::int64_t sequence) const {
  CHECK(0 <= sequence && sequence <= size(), "row {} of {}", sequence, size());
  return sequence == 0 ? LedgerHash{} : hashes_[static_cast<std::size_t>(sequence - 1)];
}

bool LedgerState::Contains(const LedgerHash& hash) const {
  return std::find(hashes_.begin(), hashes_.end(), hash) != hashes_.end();
}

Rho LedgerState::SpentBy(const std::string& run) const {
  const auto spent = spent_by_run_.find(run);
  return spent == spent_by_run_.end() ? Rho() : spent->second;
}

const BindingEntry* LedgerState::BindingOf(const std::string& run) const {
  const auto found = bindings_.find(run);
  return found == bindings_.end() ? nullptr : &found->second;
}

bool LedgerState::HasReleasesOf(const std::string& run) const { return released_runs_.contains(run); }

const ReleaseHistory* LedgerState::Find(const ReleaseName& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

const ReleaseName* LedgerState::NameOfDebit(std::int64_t debit) const {
  const auto found = debit_names_.find(debit);
  return found == debit_names_.end() ? nullptr : &found->second;
}

absl::Status LedgerState::CheckEntry(const LedgerTerms& terms) const { return CheckTerms(terms); }

absl::Status LedgerState::CheckEntry(const DebitEntry& debit) const {
  ASSIGN_OR_RETURN(const DebitEntry expected, Pay(debit.charge));
  if (debit.cost != expected.cost) {
    return DataLoss("its cost is {} units, but its mechanism costs {}", debit.cost.units(), expected.cost.units());
  }
  if (debit.cumulative != expected.cumulative) {
    return DataLoss("its sum is {} units, but the debits add up to {}", debit.cumulative.units(),
                    expected.cumulative.units());
  }
  if (debit.attempt != expected.attempt) {
    return DataLoss("it is called attempt {}, but is attempt {}", debit.attempt, expected.attempt);
  }
  return absl::OkStatus();
}

absl::Status LedgerState::CheckEntry(const ReleaseEntry& release) const {
  const ReleaseName* name = NameOfDebit(release.debit);
  if (name == nullptr) return DataLoss("it was never paid for: row {} is no debit", release.debit);
  const ReleaseHistory& history = names_.at(*name);
  if (history.release != 0) return DataLoss("row {} is the release of {} already", history.release, name->ToString());
  if (history.latest_debit != release.debit) {
    return DataLoss("row {} paid for {} again, so the debit of row {} has no value", history.latest_debit,
                    name->ToString(), release.debit);
  }
  if (release.provenance.empty()) return DataLoss("it does not say where its noise came from");
  const bool counts = std::holds_alternative<GaussianMechanism>(history.latest_charge.mechanism);
  return (counts ? CountsIn(release.value) : CandidatesIn(release.value)).status();
}

absl::Status LedgerState::CheckEntry(const BindingEntry& binding) const {
  RETURN_IF_ERROR(CheckBinding(binding));
  if (BindingOf(binding.run) != nullptr) return DataLoss("the run '{}' is bound to rows already", binding.run);
  return absl::OkStatus();
}

void LedgerState::Take(std::int64_t, const LedgerTerms& terms) {
  terms_ = terms;
  if (terms.format == 1 && !IsAffordedByZcdp(terms.total, terms.budget)) terms_->exact_run = "";
}

void LedgerState::Take(std::int64_t sequence, const DebitEntry& debit) {
  const ReleaseName name = NameOf(debit.charge);
  if (terms_->exact_run == "" && mechanisms_.empty() && IsNameOfStudy(debit.charge.run)) {
    terms_->exact_run = debit.charge.run;
  }
  mechanisms_.push_back(debit.charge.mechanism);
  spent_ = debit.cumulative;
  Rho& of_run = spent_by_run_[debit.charge.run];
  of_run = of_run + debit.cost;
  names_.insert_or_assign(name, ReleaseHistory{debit.attempt, sequence, debit.charge, 0});
  debit_names_.emplace(sequence, name);
}

void LedgerState::Take(std::int64_t sequence, const ReleaseEntry& release) {
  const ReleaseName& name = debit_names_.at(release.debit);
  names_.at(name).release = sequence;
  released_runs_.insert(name.run);
  ++(IsSecureProvenance(release.provenance) ? secure_releases_ : seeded_releases_);
}

void LedgerState::Take(std::int64_t, const BindingEntry& binding) { bindings_.emplace(binding.run, binding); }

}  // namespace flaim
