#include "runtime/site/site_agent.h"

#include <algorithm>

#include "base/status.h"
#include "io/hex.h"
#include "messages.pb.h"
#include "runtime/messages/digest_bytes.h"

namespace flaim::runtime {
namespace {

std::string ShortName(const secagg::SessionId& session) { return ToHex(session).substr(0, 8); }

std::string Said(const secagg::SessionId& session, const std::string& message) {
  messages::SiteMessage out;
  out.mutable_sum()->set_session(BytesOf(session));
  out.mutable_sum()->set_message(message);
  return out.SerializeAsString();
}

// Which of the reasons that may be told to the coordinator this is. Texts stay at home.
messages::Refusal::Reason ReasonOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return messages::Refusal::BUDGET;
    case absl::StatusCode::kOutOfRange:
      return messages::Refusal::CAP;
    case absl::StatusCode::kUnauthenticated:
      return messages::Refusal::NOT_CONSENTED;
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kInvalidArgument:
      return messages::Refusal::NOT_AGREED;
    default:
      return messages::Refusal::CANNOT_ANSWER;
  }
}

std::string Refused(const std::string& session, const absl::Status& why) {
  messages::SiteMessage out;
  out.mutable_refusal()->set_session(session);
  out.mutable_refusal()->set_reason(ReasonOf(why));
  return out.SerializeAsString();
}

}  // namespace

SiteAgent::SiteAgent(SiteParts parts)
    : parts_(std::move(parts)), account_(parts_.study, parts_.ledger, parts_.records) {
  if (!parts_.records.pinned_roster()) return;
  refusal_ = TakeRoster(*parts_.records.pinned_roster());
  refusal_.Update(CheckConsent());
}

absl::Status SiteAgent::CheckConsent() const {
  return parts_.consent.Check(DigestOfRoster(parts_.study.digest, *parts_.records.pinned_roster()));
}

std::string SiteAgent::Greeting() const {
  messages::SiteMessage out;
  out.mutable_hello()->set_software(parts_.software);
  out.mutable_hello()->set_manifest(BytesOf(parts_.study.digest));
  return out.SerializeAsString();
}

absl::Status SiteAgent::TakeRoster(const std::string& bytes) {
  ASSIGN_OR_RETURN(const StudyRoster named, DecodeRoster(bytes));
  const auto own = std::find(named.sites.begin(), named.sites.end(), parts_.name);
  if (own == named.sites.end()) return absl::UnauthenticatedError("this site is not in the study's roster");
  self_ = static_cast<secagg::ParticipantId>(own - named.sites.begin());
  if (named.keys[self_] != parts_.signing_key.verifying_key()) {
    return absl::UnauthenticatedError("the roster has another key for this site: ask the coordinator's people");
  }
  if (std::ssize(named.sites) < parts_.study.manifest.minimum_sites) {
    return absl::UnauthenticatedError(fmt::format("the roster has {} sites; the manifest promises {} or more",
                                                  named.sites.size(), parts_.study.manifest.minimum_sites));
  }
  ASSIGN_OR_RETURN(roster_, secagg::Roster::Make(parts_.study.manifest.server, named.keys));
  return absl::OkStatus();
}

absl::Status SiteAgent::Meet(const std::string& manifest, const std::string& roster, const std::string& signature) {
  if (SignedManifest{.text = manifest}.digest() != parts_.study.digest) {
    return absl::UnauthenticatedError(
        "the coordinator shows another manifest than the one that was consented to; nothing is given to it");
  }
  if (roster.empty()) return absl::OkStatus();
  secagg::Signature read{};
  if (signature.size() != read.size()) return absl::UnauthenticatedError("the roster is not signed");
  std::copy(signature.begin(), signature.end(), read.begin());
  if (!secagg::IsSignedBy(parts_.study.manifest.server, DigestOfRoster(parts_.study.digest, roster), read)) {
    return absl::UnauthenticatedError("the roster is not signed by the study's coordinator");
  }
  if (const std::optional<std::string>& pinned = parts_.records.pinned_roster()) {
    if (*pinned != roster) {
      return absl::UnauthenticatedError("the roster is not the one that the study began with; nothing is given to it");
    }
    if (!roster_) RETURN_IF_ERROR(TakeRoster(roster));
    return CheckConsent();
  }
  RETURN_IF_ERROR(TakeRoster(roster));
  if (const absl::Status pinned_now = parts_.records.Pin(roster); !pinned_now.ok()) {
    roster_.reset();
    return pinned_now;
  }
  return CheckConsent();
}

absl::StatusOr<std::string> SiteAgent::BeginSum(const secagg::SessionId& session, const std::string& offer,
                                                const EncodedRequest& encoded) {
  RETURN_IF_ERROR(refusal_);
  if (!roster_) return FailedPrecondition("a sum was offered before the roster");
  RETURN_IF_ERROR(CheckConsent());
  const SiteInStudy site{.study = parts_.study,
                         .roster = *roster_,
                         .consent = parts_.consent,
                         .self = self_,
                         .signing_key = parts_.signing_key,
                         .rows = parts_.rows,
                         .account = account_,
                         .records = parts_.records,
                         .clock = parts_.clock,
                         .noise = parts_.noise};
  ASSIGN_OR_RETURN(std::unique_ptr<SumAnswer> sum, SumAnswer::Begin(site, session, offer, encoded, parts_.parallel));
  ASSIGN_OR_RETURN(std::string answer, sum->Receive(offer));
  sum_ = std::move(sum);
  session_ = session;
  parts_.log.Info(
      "asked for a sum",
      {{"sum", ShortName(session)}, {"round", sum_->request().name().round}, {"query", sum_->request().name().query}});
  return answer;
}

absl::StatusOr<std::string> SiteAgent::GoOn(const std::string& message) {
  absl::StatusOr<std::string> answer = sum_->Receive(message);
  const bool is_out_of_turn = absl::IsFailedPrecondition(answer.status()) || absl::IsAlreadyExists(answer.status());
  if (is_out_of_turn && !sum_->IsOver()) return std::string();
  // Whatever went wrong is told in one word: from here on, its kind could depend on the rows.
  if (!answer.ok()) return absl::UnavailableError(std::string(answer.status().message()));
  return answer;
}

std::vector<std::string> SiteAgent::TakeSum(const std::string& session_text, const std::string& message,
                                            const EncodedRequest& encoded) {
  const std::optional<secagg::SessionId> session = DigestFrom(session_text);
  if (!session) return {};
  const bool is_known = sum_ != nullptr && *session == session_;
  if (!is_known && encoded.request.empty()) {
    return {Refused(session_text, absl::UnavailableError("the site has no part in this sum, or no more"))};
  }
  const absl::StatusOr<std::string> answer = is_known ? GoOn(message) : BeginSum(*session, message, encoded);
  if (answer.ok() && answer->empty()) return {};
  if (answer.ok()) return {Said(*session, *answer)};
  parts_.log.Warning("sum refused", {{"sum", ShortName(*session)}, {"reason", std::string(answer.status().message())}});
  return {Refused(session_text, answer.status())};
}

std::vector<std::string> SiteAgent::Receive(const std::string& message) {
  messages::CoordinatorMessage in;
  if (!in.ParseFromString(message)) {
    parts_.log.Warning("a message could not be read");
    return {};
  }
  switch (in.body_case()) {
    case messages::CoordinatorMessage::kWelcome:
      refusal_ = Meet(in.welcome().manifest(), in.welcome().roster(), in.welcome().roster_signature());
      if (!refusal_.ok()) parts_.log.Error("study refused", {{"reason", std::string(refusal_.message())}});
      return {};
    case messages::CoordinatorMessage::kSum:
      return TakeSum(in.sum().session(), in.sum().message(),
                     {.request = in.sum().request(), .model = in.sum().model()});
    case messages::CoordinatorMessage::kFarewell:
      is_over_ = true;
      return {};
    case messages::CoordinatorMessage::BODY_NOT_SET:
      parts_.log.Warning("a message was empty");
      return {};
  }
  return {};
}

}  // namespace flaim::runtime
