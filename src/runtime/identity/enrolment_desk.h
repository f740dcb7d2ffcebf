#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/random_source.h"
#include "runtime/identity/application.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/invite_code.h"
#include "runtime/identity/site_book.h"

namespace flaim::runtime {

// A site as the coordinator's people see it.
struct SiteRecord {
  std::string name;
  SiteState state = SiteState::kInvited;
  std::chrono::system_clock::time_point invite_expires;
  std::string identity_fingerprint;  // empty until it has applied
  secagg::VerifyingKey verifying_key{};
  Digest request_digest{};           // of its certificate request
  Digest certificate_fingerprint{};  // zeros until it is approved
};

// Where sites become members: somebody invites a name, the site applies once with the secret of its invite, somebody
// who has compared fingerprints approves, and the site collects its certificate.
//
// Thread-safe, and safe beside other processes with the same file: `invite` and `approve` run while `serve` does. Each
// call has happened in full, on the disk, when it returns, or not at all. Of a secret, only a digest is kept.
//
// Apply, Collect and Admit answer strangers. Their PermissionDenied, InvalidArgument and AlreadyExists are for the
// stranger to read; any other status is about the coordinator's own files, for its log only.
class EnrolmentDesk {
 public:
  struct Options {
    std::chrono::hours invite_life{7 * 24};
  };
  struct Collection {
    bool is_pending = true;
    std::string certificate;  // PEM, once approved
    std::string authority;    // PEM
  };

  // Makes the file if there is none. The authority and the clock must outlive it.
  static absl::StatusOr<std::unique_ptr<EnrolmentDesk>> Open(const std::string& path,
                                                             const CertificateAuthority& authority, const Clock& clock,
                                                             const Options& options);
  static absl::StatusOr<std::unique_ptr<EnrolmentDesk>> Open(const std::string& path,
                                                             const CertificateAuthority& authority, const Clock& clock);

  // A new code for a site that will find the coordinator at `address` (host:port). An older code that was not used
  // stops working. AlreadyExists if the site has applied or is approved.
  absl::StatusOr<InviteCode> Invite(const std::string& site, const std::string& address, RandomSource& random);

  // The name that the site was invited under. PermissionDenied, in the same words, for a secret that is unknown,
  // expired or used with other keys. The same keys again are accepted and change nothing: the answer may have been
  // lost. InvalidArgument if the keys do not prove themselves, AlreadyExists if another site has one of them.
  absl::StatusOr<std::string> Apply(const Application& application);
  // For the one who applied with this secret and key; PermissionDenied, in the words of Apply, for everybody else.
  absl::StatusOr<Collection> Collect(const std::string& invite_secret, const std::string& verifying_key);

  // Issues the certificate, once: again for an approved site changes nothing. NotFound, with what to do, if the site
  // has not applied.
  absl::Status Approve(const std::string& site);
  // Forgets a site that has applied or is approved: its certificate is not admitted any more, and its name and keys are
  // free for a new invite. NotFound, with what to do, if it has not applied.
  absl::Status Reject(const std::string& site);

  // By name.
  absl::StatusOr<std::vector<SiteRecord>> Sites();

  // PermissionDenied, with what to do, unless the site is approved with exactly this certificate.
  absl::Status Admit(const std::string& site, const Digest& certificate_fingerprint);

 private:
  EnrolmentDesk(SiteBook book, const CertificateAuthority& authority, const Digest& authority_fingerprint,
                const Clock& clock, const Options& options)
      : authority_(authority),
        authority_fingerprint_(authority_fingerprint),
        clock_(clock),
        options_(options),
        book_(std::move(book)) {}

  absl::Status Accept(const Application& application, SiteEntry& entry);
  absl::StatusOr<SiteEntry> FindApplicant(const std::string& site);

  const CertificateAuthority& authority_;
  const Digest authority_fingerprint_;
  const Clock& clock_;
  const Options options_;
  std::mutex mutex_;
  SiteBook book_;  // guarded by mutex_
};

}  // namespace flaim::runtime
