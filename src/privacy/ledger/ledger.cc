#include "privacy/ledger/ledger.h"

#include <utility>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "privacy/ledger/ledger_book.h"
#include "privacy/ledger/ledger_file.h"

namespace flaim {
namespace {

absl::Status CheckSameTerms(const std::string& path, const LedgerTerms& recorded, LedgerTerms asked) {
  asked.format = recorded.format;
  if (recorded == asked) return absl::OkStatus();
  const auto describe = [](const LedgerTerms& terms) {
    return fmt::format("data '{}', epsilon {}, delta {}, total rho {:.10g}, {}", terms.data_name,
                       terms.budget.epsilon(), terms.budget.delta(), terms.total.ToDouble(), AccountantInWords(terms));
  };
  return FailedPrecondition(
      "the ledger '{}' was created for other terms ({}) than are asked for now ({}): a promise cannot be changed "
      "afterwards. Use the recorded terms, or another ledger if this is other data",
      path, describe(recorded), describe(asked));
}

}  // namespace

absl::StatusOr<Ledger> Ledger::Create(const std::string& path, const LedgerTerms& terms, const Clock& clock,
                                      const LedgerOptions& options) {
  RETURN_IF_ERROR(CheckTerms(terms));
  RETURN_IF_ERROR(LedgerFile::Touch(path));
  RETURN_IF_ERROR(LedgerFile::Format(path, LedgerState().NextRow(terms, MicrosecondsNow(clock)), options.wait));
  return Open(path, clock, options);
}

absl::StatusOr<Ledger> Ledger::Open(const std::string& path, const Clock& clock, const LedgerOptions& options) {
  ASSIGN_OR_RETURN(std::shared_ptr<LedgerBook> book, LedgerBook::Open(path, clock, options.wait, options.plan_of_run));
  return Ledger(std::move(book));
}

absl::StatusOr<Ledger> Ledger::OpenOrCreate(const std::string& path, const LedgerTerms& terms, const Clock& clock,
                                            const LedgerOptions& options) {
  absl::StatusOr<Ledger> ledger = Open(path, clock, options);
  if (absl::IsNotFound(ledger.status())) ledger = Create(path, terms, clock, options);
  if (absl::IsAlreadyExists(ledger.status())) ledger = Open(path, clock, options);
  if (ledger.ok()) RETURN_IF_ERROR(CheckSameTerms(path, ledger->terms(), terms));
  return ledger;
}

const LedgerTerms& Ledger::terms() const { return book_->state().terms(); }
Rho Ledger::spent() const { return book_->state().spent(); }
Rho Ledger::left() const { return book_->state().left(); }
Rho Ledger::SpentBy(const std::string& run) const { return book_->state().SpentBy(run); }
LedgerHash Ledger::head() const { return book_->state().head(); }

absl::Status Ledger::CheckSpendableByAll() const { return flaim::CheckSpendableByAll(book_->path(), terms()); }
absl::Status Ledger::CheckSpendableBy(const std::string& plan_of_run) const {
  return flaim::CheckSpendableBy(plan_of_run, book_->path(), book_->state());
}
absl::Status Ledger::CheckNoise(bool is_secure) const {
  return CheckSameNoise(book_->path(), book_->state(), is_secure);
}

LedgerHash Ledger::BindingKey(const std::string& run) const {
  if (const BindingEntry* bound = book_->state().BindingOf(run)) return bound->key;
  LedgerHash key;
  SecureRandomSource().Fill(std::as_writable_bytes(std::span(key)));
  return key;
}

absl::Status Ledger::BindRun(const std::string& run, const LedgerHash& key, const LedgerHash& digest) {
  return book_->Bind({.run = run, .key = key, .digest = digest});
}

std::int64_t Ledger::Attempts(const ReleaseName& name) const {
  const ReleaseHistory* history = book_->state().Find(name);
  return history == nullptr ? 0 : history->attempts;
}

bool Ledger::HasValue(const ReleaseName& name) const {
  const ReleaseHistory* history = book_->state().Find(name);
  return history != nullptr && history->release != 0;
}

std::optional<Mechanism> Ledger::RecordedMechanism(const ReleaseName& name) const {
  if (!HasValue(name)) return std::nullopt;
  return book_->state().Find(name)->latest_charge.mechanism;
}

template <typename MechanismType>
absl::StatusOr<Spend<MechanismType>> Ledger::Pay(const ReleaseName& name, const MechanismType& mechanism) {
  const Charge charge{.run = name.run,
                      .round = name.round,
                      .query = name.query,
                      .mechanism = mechanism,
                      .adjacency = terms().adjacency};
  ASSIGN_OR_RETURN(LedgerBook::Paid paid, book_->Pay(charge));
  return Spend<MechanismType>(book_, mechanism, paid.debit, std::move(paid.recorded));
}

absl::StatusOr<Spend<GaussianMechanism>> Ledger::Debit(const ReleaseName& name, const GaussianMechanism& mechanism) {
  return Pay(name, mechanism);
}

absl::StatusOr<Spend<ExponentialMechanism>> Ledger::Debit(const ReleaseName& name,
                                                          const ExponentialMechanism& mechanism) {
  return Pay(name, mechanism);
}

}  // namespace flaim
