#include "runtime/programs/site_doctor.h"

#include <filesystem>

#include "base/status.h"
#include "privacy/ledger/ledger.h"
#include "runtime/identity/certificate.h"
#include "runtime/programs/site_rows.h"
#include "runtime/site/site_ledger.h"
#include "runtime/transport/link/probe.h"

namespace flaim::runtime {
namespace {

void ExamineConnection(const SiteFolder& folder, std::chrono::milliseconds timeout, const Clock& clock,
                       std::vector<Finding>& findings) {
  const absl::StatusOr<TlsIdentity> identity = folder.Identity();
  if (!identity.ok()) {
    findings.push_back({"approval", identity.status()});
    return;
  }
  findings.push_back({"approval", absl::OkStatus(), fmt::format("{} is a member of the study", folder.name())});
  const absl::Status certificate = CheckCertificate(identity->certificate, identity->authority, clock);
  findings.push_back({"certificate and clock", certificate, "the certificate is valid now"});
  LinkOptions options{.address = folder.address(), .identity = *identity};
  options.timeout = timeout;
  for (const ProbeStep& step : Probe(options, clock).steps) findings.push_back({step.name, step.status, step.found});
}

Finding ExamineRows(const Study& study, const SiteFolder::Consent& consent, ProgressSink& progress) {
  const absl::StatusOr<OpenedRows> opened = OpenSiteRows(consent.rows, study, progress);
  if (!opened.ok()) return {"rows and schema", opened.status()};
  if (opened->unfit_rows == 0) {
    return {"rows and schema", absl::OkStatus(),
            fmt::format("every row of {} fits the schema", Describe(consent.rows))};
  }
  return {"rows and schema", absl::OkStatus(),
          fmt::format("{} row(s) of {} have a value that does not fit the schema; the study's rule for them is '{}'. "
                      "Only you see this number: keep it to yourself",
                      opened->unfit_rows, Describe(consent.rows), NameOf(study.manifest.unfit))};
}

Finding ExamineBudget(const Study& study, const SiteFolder::Consent& consent, const Clock& clock) {
  if (!std::filesystem::exists(consent.ledger)) {
    return {"budget", absl::OkStatus(), "a new ledger will be made; nothing is spent"};
  }
  const absl::StatusOr<Ledger> ledger = Ledger::Open(consent.ledger, clock);
  if (!ledger.ok()) return {"budget", ledger.status()};
  if (const absl::Status spendable = CheckStudyMaySpend(study, *ledger); !spendable.ok()) return {"budget", spendable};
  const double left = ledger->left().ToDouble();
  const double needed = study.plan.terms().allowance.ToDouble();
  std::string detail = fmt::format("rho {:.4g} is left; the study may ask for up to {:.4g} in all", left, needed);
  if (ledger->left().units() == 0) {
    return {"budget", absl::ResourceExhaustedError("nothing is left of the rows' privacy budget")};
  }
  return {"budget", absl::OkStatus(), std::move(detail)};
}

}  // namespace

std::vector<Finding> ExamineSite(const SiteFolder& folder, std::chrono::milliseconds timeout, const Clock& clock,
                                 ProgressSink& progress) {
  std::vector<Finding> findings;
  const absl::StatusOr<Study> study = OpenStudy(folder.manifest());
  findings.push_back({"manifest", study.status(), "signed by the coordinator, and a study that a site can join"});
  ExamineConnection(folder, timeout, clock, findings);
  const absl::StatusOr<SiteFolder::Consent> consent = folder.ReadConsent();
  findings.push_back({"consent", consent.status(), "given for this very manifest"});
  if (!study.ok() || !consent.ok()) return findings;
  findings.push_back(ExamineRows(*study, *consent, progress));
  findings.push_back(ExamineBudget(*study, *consent, clock));
  return findings;
}

}  // namespace flaim::runtime
