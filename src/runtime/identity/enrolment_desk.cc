#include "runtime/identity/enrolment_desk.h"

#include "base/status.h"
#include "io/message_text.h"
#include "runtime/identity/network_address.h"

namespace flaim::runtime {
namespace {

using Microseconds = std::chrono::microseconds;
using TimePoint = std::chrono::system_clock::time_point;

std::int64_t MicrosecondsOf(TimePoint time) {
  return std::chrono::floor<Microseconds>(time.time_since_epoch()).count();
}

// One text for all reasons, so that it tells nothing about codes to whoever has none.
absl::Status RefusedSecret() {
  return absl::PermissionDeniedError(
      "this invite code is not valid here: it was never issued, has expired, was withdrawn, or was used with other "
      "keys. "
      "Ask the coordinator's people for a new one");
}

SiteRecord RecordOf(const SiteEntry& entry) {
  return {.name = entry.name,
          .state = entry.state,
          .invite_expires = TimePoint(Microseconds(entry.invite_expires_us)),
          .identity_fingerprint = entry.state == SiteState::kInvited
                                      ? std::string()
                                      : IdentityFingerprint(entry.request_fingerprint, entry.verifying_key),
          .verifying_key = entry.verifying_key,
          .request_digest = entry.request_fingerprint,
          .certificate_fingerprint = entry.certificate_fingerprint};
}

bool HasSameKeys(const SiteEntry& entry, const Application& application) {
  const std::string_view key(reinterpret_cast<const char*>(entry.verifying_key.data()), entry.verifying_key.size());
  return key == application.verifying_key && entry.signing_request == application.signing_request;
}

}  // namespace

absl::StatusOr<std::unique_ptr<EnrolmentDesk>> EnrolmentDesk::Open(const std::string& path,
                                                                   const CertificateAuthority& authority,
                                                                   const Clock& clock, const Options& options) {
  ASSIGN_OR_RETURN(const Digest fingerprint, CertificateFingerprint(authority.certificate()));
  ASSIGN_OR_RETURN(SiteBook book, SiteBook::Open(path));
  return std::unique_ptr<EnrolmentDesk>(new EnrolmentDesk(std::move(book), authority, fingerprint, clock, options));
}

absl::StatusOr<std::unique_ptr<EnrolmentDesk>> EnrolmentDesk::Open(const std::string& path,
                                                                   const CertificateAuthority& authority,
                                                                   const Clock& clock) {
  return Open(path, authority, clock, Options());
}

absl::StatusOr<InviteCode> EnrolmentDesk::Invite(const std::string& site, const std::string& address,
                                                 RandomSource& random) {
  RETURN_IF_ERROR(CheckSiteName(site));
  RETURN_IF_ERROR(ParseNetworkAddress(address).status());
  InviteCode code{.address = address, .authority = authority_fingerprint_};
  random.Fill(std::as_writable_bytes(std::span(code.secret)));

  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(SqliteTransaction transaction, book_.BeginWriting());
  ASSIGN_OR_RETURN(const std::optional<SiteEntry> existing, book_.FindName(site));
  if (existing.has_value() && existing->state != SiteState::kInvited) {
    return absl::AlreadyExistsError(
        fmt::format("site '{}' has {} already: choose another name, or reject it first if it has to start over", site,
                    existing->state == SiteState::kApplied ? "applied" : "been approved"));
  }
  RETURN_IF_ERROR(book_.Write({.name = site,
                               .state = SiteState::kInvited,
                               .secret_digest = DigestOfSecret(SecretOf(code)),
                               .invite_expires_us = MicrosecondsOf(clock_.Now() + options_.invite_life)}));
  RETURN_IF_ERROR(book_.Commit(std::move(transaction)));
  return code;
}

absl::StatusOr<std::string> EnrolmentDesk::Apply(const Application& application) {
  const Digest secret_digest = DigestOfSecret(application.invite_secret);
  const std::lock_guard lock(mutex_);
  {
    // Whoever has no code at all must not keep others from writing.
    ASSIGN_OR_RETURN(const std::optional<SiteEntry> known, book_.FindSecret(secret_digest));
    if (!known.has_value()) return RefusedSecret();
  }
  ASSIGN_OR_RETURN(SqliteTransaction transaction, book_.BeginWriting());
  ASSIGN_OR_RETURN(std::optional<SiteEntry> entry, book_.FindSecret(secret_digest));
  if (!entry.has_value()) return RefusedSecret();
  if (entry->state != SiteState::kInvited) {
    if (!HasSameKeys(*entry, application)) return RefusedSecret();
    RETURN_IF_ERROR(CheckApplication(application).status());
    return entry->name;
  }
  RETURN_IF_ERROR(Accept(application, *entry));
  RETURN_IF_ERROR(book_.Commit(std::move(transaction)));
  return entry->name;
}

absl::Status EnrolmentDesk::Accept(const Application& application, SiteEntry& entry) {
  if (MicrosecondsOf(clock_.Now()) >= entry.invite_expires_us) return RefusedSecret();
  ASSIGN_OR_RETURN(const Applicant applicant, CheckApplication(application));
  ASSIGN_OR_RETURN(const std::optional<SiteEntry> other,
                   book_.FindKeys(applicant.verifying_key, applicant.request_fingerprint));
  if (other.has_value()) {
    return absl::AlreadyExistsError(
        "another site has applied with one of these keys: each site makes its own. Join from an empty folder");
  }
  entry.state = SiteState::kApplied;
  entry.signing_request = application.signing_request;
  entry.request_fingerprint = applicant.request_fingerprint;
  entry.verifying_key = applicant.verifying_key;
  return book_.Write(entry);
}

absl::StatusOr<EnrolmentDesk::Collection> EnrolmentDesk::Collect(const std::string& invite_secret,
                                                                 const std::string& verifying_key) {
  const absl::StatusOr<secagg::VerifyingKey> key = VerifyingKeyFrom(verifying_key);
  if (!key.ok()) return RefusedSecret();
  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(const std::optional<SiteEntry> entry, book_.FindSecret(DigestOfSecret(invite_secret)));
  if (!entry.has_value() || entry->state == SiteState::kInvited || entry->verifying_key != *key) return RefusedSecret();
  return Collection{.is_pending = entry->state != SiteState::kApproved,
                    .certificate = entry->certificate,
                    .authority = authority_.certificate()};
}

absl::StatusOr<SiteEntry> EnrolmentDesk::FindApplicant(const std::string& site) {
  ASSIGN_OR_RETURN(std::optional<SiteEntry> entry, book_.FindName(site));
  if (!entry.has_value()) {
    return NotFound("there is no site {}: check the spelling, or invite it first", QuoteForMessage(site));
  }
  if (entry->state == SiteState::kInvited) {
    return NotFound(
        "site '{}' was invited but has not applied: its people run 'flaim site join' with their code. A code "
        "that went astray stops working when the site is invited again",
        site);
  }
  return *std::move(entry);
}

absl::Status EnrolmentDesk::Approve(const std::string& site) {
  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(SqliteTransaction transaction, book_.BeginWriting());
  ASSIGN_OR_RETURN(SiteEntry entry, FindApplicant(site));
  if (entry.state == SiteState::kApproved) return absl::OkStatus();
  ASSIGN_OR_RETURN(entry.certificate, authority_.IssueForSite(entry.signing_request, entry.name, clock_));
  ASSIGN_OR_RETURN(entry.certificate_fingerprint, CertificateFingerprint(entry.certificate));
  entry.state = SiteState::kApproved;
  RETURN_IF_ERROR(book_.Write(entry));
  return book_.Commit(std::move(transaction));
}

absl::Status EnrolmentDesk::Reject(const std::string& site) {
  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(SqliteTransaction transaction, book_.BeginWriting());
  RETURN_IF_ERROR(FindApplicant(site).status());
  RETURN_IF_ERROR(book_.Erase(site));
  return book_.Commit(std::move(transaction));
}

absl::StatusOr<std::vector<SiteRecord>> EnrolmentDesk::Sites() {
  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(const std::vector<SiteEntry> entries, book_.All());
  std::vector<SiteRecord> records;
  for (const SiteEntry& entry : entries) records.push_back(RecordOf(entry));
  return records;
}

absl::Status EnrolmentDesk::Admit(const std::string& site, const Digest& certificate_fingerprint) {
  const std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(const std::optional<SiteEntry> entry, book_.FindName(site));
  if (!entry.has_value() || entry->state != SiteState::kApproved) {
    return absl::PermissionDeniedError(fmt::format(
        "site {} is not approved in this study, or not any more: ask the coordinator's people", QuoteForMessage(site)));
  }
  if (entry->certificate_fingerprint != certificate_fingerprint) {
    return absl::PermissionDeniedError(
        fmt::format("site '{}' is approved in this study with another certificate than this one: use the one that was "
                    "collected last, or ask the coordinator's people for a new invite",
                    site));
  }
  return absl::OkStatus();
}

}  // namespace flaim::runtime
