#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "rows/open/open_rows.h"
#include "runtime/identity/invite_code.h"
#include "runtime/identity/tls_identity.h"
#include "runtime/messages/study_roster.h"
#include "runtime/site/roster_consent.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

// What a site keeps of one study, in one folder: its keys, which never leave it, its certificate, the manifest, the
// steward's consent, its ledger and its records.
class SiteFolder {
 public:
  struct Joined {
    std::string site;         // the name it was invited under
    std::string fingerprint;  // to be compared with what the coordinator's people see
    bool is_approved = false;
  };

  // Draws the keys, applies with the code, and keeps what comes back. With a folder that has applied already, asks what
  // became of it. Unavailable if the coordinator does not answer.
  static absl::StatusOr<Joined> Join(const std::string& path, const InviteCode& code,
                                     std::chrono::milliseconds timeout);
  // Asks again whether the site is approved.
  static absl::StatusOr<Joined> AskAgain(const std::string& path, std::chrono::milliseconds timeout);

  // NotFound, with what to do, unless the site has joined.
  static absl::StatusOr<SiteFolder> Open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  const std::string& address() const { return address_; }
  const std::string& fingerprint() const { return fingerprint_; }
  const SignedManifest& manifest() const { return manifest_; }
  const secagg::SigningKey& signing_key() const { return signing_key_; }
  // FailedPrecondition until the coordinator's people have approved.
  absl::StatusOr<TlsIdentity> Identity() const;

  // What the steward agreed to: which manifest, with whom, for which rows, paid from which ledger.
  struct Consent {
    std::string manifest;  // digest, hexadecimal
    RowsLocation rows;
    std::string ledger;  // path
    std::int64_t time_unix_s = 0;
    RosterConsent roster = {};
  };
  absl::Status WriteConsent(const Consent& consent) const;
  // FailedPrecondition, with what to do, if there is none, or one for another manifest.
  absl::StatusOr<Consent> ReadConsent() const;

  // What the site knows of the others, to be compared with what they know. FailedPrecondition before the study begins.
  struct KnownRoster {
    StudyRoster roster;
    Digest digest{};
  };
  absl::StatusOr<KnownRoster> ReadRoster(const Study& study) const;

  std::string RecordsPath() const { return path_ + "/records.log"; }

 private:
  SiteFolder(std::string path, std::string name, std::string address, std::string fingerprint, SignedManifest manifest,
             secagg::SigningKey signing_key)
      : path_(std::move(path)),
        name_(std::move(name)),
        address_(std::move(address)),
        fingerprint_(std::move(fingerprint)),
        manifest_(std::move(manifest)),
        signing_key_(std::move(signing_key)) {}

  std::string path_;
  std::string name_;
  std::string address_;
  std::string fingerprint_;
  SignedManifest manifest_;
  secagg::SigningKey signing_key_;
};

}  // namespace flaim::runtime
