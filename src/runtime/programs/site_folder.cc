#include "runtime/programs/site_folder.h"

#include <filesystem>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "io/hex.h"
#include "io/json_fields.h"
#include "nlohmann/json.hpp"
#include "runtime/identity/application.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/private_file.h"
#include "runtime/identity/signing_key_file.h"
#include "runtime/programs/manifest_files.h"
#include "runtime/site/site_records.h"
#include "runtime/transport/link/coordinator_link.h"

namespace flaim::runtime {
namespace {

using nlohmann::json;

struct Paths {
  std::string folder;
  std::string Invite() const { return folder + "/invite"; }
  std::string Key() const { return folder + "/site.key"; }
  std::string Request() const { return folder + "/site.csr"; }
  std::string Certificate() const { return folder + "/site.pem"; }
  std::string Authority() const { return folder + "/authority.pem"; }
  std::string SigningKey() const { return folder + "/signing.key"; }
  std::string Name() const { return folder + "/site.json"; }
  std::string Consent() const { return folder + "/consent.json"; }
};

absl::StatusOr<json> ParseObject(const std::string& text, const std::string& path) {
  absl::StatusOr<json> parsed = ParseJsonStrictly(text);
  if (!parsed.ok() || !parsed->is_object()) return absl::DataLossError(fmt::format("{} is damaged", path));
  return parsed;
}

absl::StatusOr<std::string> TextField(const json& object, const char* name, const std::string& path) {
  if (object.contains(name) && object[name].is_string()) return object[name].get<std::string>();
  return absl::DataLossError(fmt::format("{} has no '{}'", path, name));
}

std::string TextOf(const secagg::VerifyingKey& key) { return {key.begin(), key.end()}; }

UnknownSite Dial(const InviteCode& code, std::chrono::milliseconds timeout) {
  return {.address = code.address, .authority_fingerprint = code.authority, .timeout = timeout};
}

absl::StatusOr<InviteCode> ReadInvite(const Paths& paths) {
  ASSIGN_OR_RETURN(const std::string text, ReadPrivateFile(paths.Invite()));
  return ParseInviteCode(text);
}

absl::StatusOr<std::string> FingerprintOf(const std::string& request, const secagg::SigningKey& key) {
  ASSIGN_OR_RETURN(const Digest digest, RequestFingerprint(request));
  return IdentityFingerprint(digest, key.verifying_key());
}

// Keys are drawn once: a second try of `join` applies with the same.
absl::Status MakeKeys(const Paths& paths) {
  if (std::filesystem::exists(paths.Request())) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string key, MakePrivateKey());
  ASSIGN_OR_RETURN(const std::string request, MakeSigningRequest(key, "site"));
  SecureRandomSource random;
  if (!std::filesystem::exists(paths.SigningKey())) {
    RETURN_IF_ERROR(CreateSigningKey(paths.SigningKey(), random).status());
  }
  RETURN_IF_ERROR(WritePrivateFile(paths.Key(), key));
  return WriteTextFile(paths.Request(), request);
}

absl::Status Apply(const Paths& paths, const InviteCode& code, std::chrono::milliseconds timeout) {
  ASSIGN_OR_RETURN(const secagg::SigningKey key, LoadSigningKey(paths.SigningKey()));
  ASSIGN_OR_RETURN(const std::string request, ReadTextFile(paths.Request()));
  const Application application = MakeApplication(code, request, key);
  ASSIGN_OR_RETURN(const EnrolmentService::Reception reception,
                   Enrol(Dial(code, timeout), {.invite_secret = application.invite_secret,
                                               .signing_request = application.signing_request,
                                               .verifying_key = application.verifying_key,
                                               .signature = application.signature}));
  SignedManifest manifest{.text = reception.manifest, .signature = {}};
  if (reception.signature.size() != manifest.signature.size()) {
    return absl::UnauthenticatedError("the coordinator's manifest is not signed");
  }
  std::copy(reception.signature.begin(), reception.signature.end(), manifest.signature.begin());
  RETURN_IF_ERROR(OpenStudy(manifest).status());
  RETURN_IF_ERROR(WriteManifest(paths.folder, manifest));
  return WriteTextFile(paths.Name(), json{{"site", reception.site}, {"address", code.address}}.dump(2) + "\n");
}

json ToJson(const RowsLocation& location) {
  if (const auto* csv = std::get_if<CsvRows>(&location)) return {{"csv", csv->path}};
  const auto& postgres = std::get<PostgresRows>(location);
  return {{"postgres", postgres.connection},
          {"table", postgres.table},
          {"counts_in_database", postgres.counts_in_database}};
}

absl::StatusOr<RowsLocation> RowsFrom(const json& in, const std::string& path) {
  if (in.contains("csv")) {
    ASSIGN_OR_RETURN(std::string csv, TextField(in, "csv", path));
    return CsvRows{.path = std::move(csv)};
  }
  PostgresRows rows;
  ASSIGN_OR_RETURN(rows.connection, TextField(in, "postgres", path));
  ASSIGN_OR_RETURN(rows.table, TextField(in, "table", path));
  rows.counts_in_database = in.contains("counts_in_database") && in["counts_in_database"] == true;
  return rows;
}

json ToJson(const RosterConsent& consent) {
  json out = json::object();
  if (consent.roster) out["digest"] = ToHex(*consent.roster);
  if (consent.is_any) out["any"] = true;
  if (consent.known) out["known"] = *consent.known;
  return out;
}

absl::StatusOr<RosterConsent> RosterFrom(const json& in, const std::string& path) {
  RosterConsent consent;
  if (!in.is_object()) return absl::DataLossError(fmt::format("{} has no 'roster'", path));
  consent.is_any = in.contains("any") && in["any"] == true;
  if (in.contains("known")) {
    if (!in["known"].is_number_integer()) return absl::DataLossError(fmt::format("{} has no 'known'", path));
    consent.known = in["known"].get<int>();
  }
  if (in.contains("digest")) {
    ASSIGN_OR_RETURN(const std::string hex, TextField(in, "digest", path));
    ASSIGN_OR_RETURN(const Bytes bytes, FromHex(hex));
    if (bytes.size() != std::tuple_size_v<Digest>) return absl::DataLossError(fmt::format("{} has no 'digest'", path));
    std::copy(bytes.begin(), bytes.end(), consent.roster.emplace().begin());
  }
  return consent;
}

}  // namespace

absl::StatusOr<SiteFolder::Joined> SiteFolder::Join(const std::string& path, const InviteCode& code,
                                                    std::chrono::milliseconds timeout) {
  const Paths paths{path};
  if (!std::filesystem::exists(paths.Invite())) {
    RETURN_IF_ERROR(MakeFolder(path));
    RETURN_IF_ERROR(WritePrivateFile(paths.Invite(), ToText(code)));
  }
  ASSIGN_OR_RETURN(const InviteCode kept, ReadInvite(paths));
  if (!(kept == code)) {
    if (std::filesystem::exists(paths.Certificate())) {
      return absl::AlreadyExistsError(fmt::format("{} is the folder of another site or study: give a new one", path));
    }
    RETURN_IF_ERROR(WritePrivateFile(paths.Invite(), ToText(code)));
  }
  RETURN_IF_ERROR(MakeKeys(paths));
  if (!std::filesystem::exists(paths.Certificate())) RETURN_IF_ERROR(Apply(paths, code, timeout));
  return AskAgain(path, timeout);
}

absl::StatusOr<SiteFolder::Joined> SiteFolder::AskAgain(const std::string& path, std::chrono::milliseconds timeout) {
  const Paths paths{path};
  ASSIGN_OR_RETURN(const InviteCode code, ReadInvite(paths));
  ASSIGN_OR_RETURN(const SiteFolder folder, Open(path));
  Joined joined{.site = folder.name(),
                .fingerprint = folder.fingerprint(),
                .is_approved = std::filesystem::exists(paths.Certificate())};
  if (joined.is_approved) return joined;
  ASSIGN_OR_RETURN(const EnrolmentService::Collection collection,
                   runtime::Collect(Dial(code, timeout), std::string(code.secret.begin(), code.secret.end()),
                                    TextOf(folder.signing_key().verifying_key())));
  if (collection.is_pending) return joined;
  ASSIGN_OR_RETURN(const Digest authority, CertificateFingerprint(collection.authority));
  if (authority != code.authority) {
    return absl::UnauthenticatedError("the certificate comes from another authority than the invite code names");
  }
  RETURN_IF_ERROR(WriteTextFile(paths.Authority(), collection.authority));
  RETURN_IF_ERROR(WriteTextFile(paths.Certificate(), collection.certificate));
  joined.is_approved = true;
  return joined;
}

absl::StatusOr<SiteFolder> SiteFolder::Open(const std::string& path) {
  const Paths paths{path};
  if (!std::filesystem::exists(paths.Name())) {
    return absl::NotFoundError(
        fmt::format("{} is not the folder of a site: join a study with `flaim site join {} CODE`", path, path));
  }
  ASSIGN_OR_RETURN(const std::string text, ReadTextFile(paths.Name()));
  ASSIGN_OR_RETURN(const json site, ParseObject(text, paths.Name()));
  ASSIGN_OR_RETURN(std::string name, TextField(site, "site", paths.Name()));
  ASSIGN_OR_RETURN(std::string address, TextField(site, "address", paths.Name()));
  ASSIGN_OR_RETURN(SignedManifest manifest, ReadManifest(path));
  ASSIGN_OR_RETURN(secagg::SigningKey key, LoadSigningKey(paths.SigningKey()));
  ASSIGN_OR_RETURN(const std::string request, ReadTextFile(paths.Request()));
  ASSIGN_OR_RETURN(std::string fingerprint, FingerprintOf(request, key));
  return SiteFolder(path, std::move(name), std::move(address), std::move(fingerprint), std::move(manifest),
                    std::move(key));
}

absl::StatusOr<TlsIdentity> SiteFolder::Identity() const {
  const Paths paths{path_};
  if (!std::filesystem::exists(paths.Certificate())) {
    return FailedPrecondition(
        "the coordinator's people have not approved this site yet: tell them its fingerprint, {}, and run `flaim site "
        "join` again when they have",
        fingerprint_);
  }
  TlsIdentity identity;
  ASSIGN_OR_RETURN(identity.certificate, ReadTextFile(paths.Certificate()));
  ASSIGN_OR_RETURN(identity.private_key, ReadPrivateFile(paths.Key()));
  ASSIGN_OR_RETURN(identity.authority, ReadTextFile(paths.Authority()));
  return identity;
}

absl::Status SiteFolder::WriteConsent(const Consent& consent) const {
  const json out{{"manifest", consent.manifest},
                 {"rows", ToJson(consent.rows)},
                 {"ledger", consent.ledger},
                 {"roster", ToJson(consent.roster)},
                 {"time_unix_s", consent.time_unix_s}};
  // Connection strings may hold what only the site should know.
  return WritePrivateFile(Paths{path_}.Consent(), out.dump(2) + "\n");
}

absl::StatusOr<SiteFolder::Consent> SiteFolder::ReadConsent() const {
  const Paths paths{path_};
  const absl::StatusOr<std::string> text = ReadPrivateFile(paths.Consent());
  if (absl::IsNotFound(text.status())) {
    return FailedPrecondition(
        "nobody has consented to this study here: the data steward reads the manifest and runs "
        "`flaim site approve {}`",
        path_);
  }
  RETURN_IF_ERROR(text.status());
  ASSIGN_OR_RETURN(const json in, ParseObject(*text, paths.Consent()));
  if (!in.contains("rows") || !in["rows"].is_object()) {
    return absl::DataLossError(fmt::format("{} is damaged", paths.Consent()));
  }
  Consent consent;
  ASSIGN_OR_RETURN(consent.manifest, TextField(in, "manifest", paths.Consent()));
  ASSIGN_OR_RETURN(consent.ledger, TextField(in, "ledger", paths.Consent()));
  ASSIGN_OR_RETURN(consent.rows, RowsFrom(in["rows"], paths.Consent()));
  if (in.contains("time_unix_s") && in["time_unix_s"].is_number_integer()) {
    consent.time_unix_s = in["time_unix_s"].get<std::int64_t>();
  }
  if (in.contains("roster")) {
    ASSIGN_OR_RETURN(consent.roster, RosterFrom(in["roster"], paths.Consent()));
  }
  if (consent.manifest != ToHex(manifest_.digest())) {
    return FailedPrecondition(
        "the consent is for another manifest than the one in {}: read it, and run `flaim site "
        "approve` again",
        path_);
  }
  return consent;
}

absl::StatusOr<SiteFolder::KnownRoster> SiteFolder::ReadRoster(const Study& study) const {
  ASSIGN_OR_RETURN(const SiteRecords records, SiteRecords::Open(RecordsPath(), study.domain()));
  if (!records.pinned_roster()) {
    return FailedPrecondition(
        "the study has not begun, so it has no roster yet: run `flaim site run {}` until it says that there is one",
        path_);
  }
  ASSIGN_OR_RETURN(StudyRoster roster, DecodeRoster(*records.pinned_roster()));
  return KnownRoster{std::move(roster), DigestOfRoster(study.digest, *records.pinned_roster())};
}

}  // namespace flaim::runtime
