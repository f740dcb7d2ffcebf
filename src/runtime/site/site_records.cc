#include "runtime/site/site_records.h"

#include "base/check.h"
#include "base/status.h"
#include "messages.pb.h"
#include "runtime/messages/digest_bytes.h"

namespace flaim::runtime {
namespace {

absl::Status Damaged() { return absl::DataLossError("the site's record of the study cannot be understood"); }

}  // namespace

absl::StatusOr<SiteRecords> SiteRecords::Open(const std::string& path, const Domain& domain) {
  ASSIGN_OR_RETURN(AppendLog log, AppendLog::Open(path, "site record"));
  const std::vector<std::string> past = log.TakeRecords();
  SiteRecords records(std::move(log), domain);
  for (const std::string& record : past) RETURN_IF_ERROR(records.Replay(record));
  return records;
}

absl::Status SiteRecords::Replay(const std::string& record) {
  messages::SiteRecord in;
  if (!in.ParseFromString(record)) return Damaged();
  switch (in.body_case()) {
    case messages::SiteRecord::kPinned:
      pinned_ = in.pinned().roster();
      return absl::OkStatus();
    case messages::SiteRecord::kAnswered: {
      const std::optional<secagg::SessionId> session = DigestFrom(in.answered().session());
      if (!session) return Damaged();
      answered_.insert(*session);
      return absl::OkStatus();
    }
    case messages::SiteRecord::kServed:
      return Note(in.served().request());
    case messages::SiteRecord::kUnpaid:
      if (served_.empty()) return Damaged();
      served_.back().is_paid = false;
      return absl::OkStatus();
    case messages::SiteRecord::kChosen: {
      std::vector<Clique> cliques;
      for (const messages::Clique& clique : in.chosen().cliques()) {
        cliques.push_back(Clique(std::vector<AttributeIndex>(clique.attributes().begin(), clique.attributes().end())));
      }
      chosen_[{in.chosen().round(), in.chosen().query()}] = std::move(cliques);
      return absl::OkStatus();
    }
    case messages::SiteRecord::BODY_NOT_SET:
      break;
  }
  return Damaged();
}

absl::Status SiteRecords::Pin(const std::string& roster) {
  messages::SiteRecord record;
  record.mutable_pinned()->set_roster(roster);
  RETURN_IF_ERROR(log_.AppendDurably(record.SerializeAsString()));
  pinned_ = roster;
  return absl::OkStatus();
}

absl::Status SiteRecords::Begin(const secagg::SessionId& session) {
  if (answered_.contains(session)) {
    return absl::AlreadyExistsError("this session was answered before; a session is answered once");
  }
  messages::SiteRecord record;
  record.mutable_answered()->set_session(BytesOf(session));
  RETURN_IF_ERROR(log_.AppendDurably(record.SerializeAsString()));
  answered_.insert(session);
  return absl::OkStatus();
}

std::vector<CountsRequest> SiteRecords::CountedIn(std::int64_t round) const {
  const auto counted = counted_.find(round);
  return counted == counted_.end() ? std::vector<CountsRequest>() : counted->second;
}

absl::Status SiteRecords::GiveUpLast() {
  CHECK(!served_.empty());
  messages::SiteRecord record;
  record.mutable_unpaid();
  RETURN_IF_ERROR(log_.AppendDurably(record.SerializeAsString()));
  served_.back().is_paid = false;
  return absl::OkStatus();
}

absl::Status SiteRecords::Serve(const secagg::SessionId& session, const std::string& encoded) {
  messages::SiteRecord record;
  record.mutable_served()->set_session(BytesOf(session));
  record.mutable_served()->set_request(encoded);
  RETURN_IF_ERROR(log_.AppendDurably(record.SerializeAsString()));
  return Note(encoded);
}

absl::Status SiteRecords::Note(const std::string& encoded) {
  ASSIGN_OR_RETURN(SumRequest request, DecodeWithoutModel(encoded, *domain_, {}));
  const std::int64_t round = request.name().round;
  if (request.is_initialisation) {
    initialisation_ = round;
  } else {
    rounds_.insert(round);
  }
  if (const auto* counts = std::get_if<CountsRequest>(&request.body)) counted_[round].push_back(*counts);
  served_.push_back({.request = std::move(request)});
  return absl::OkStatus();
}

std::optional<std::vector<Clique>> SiteRecords::ChoiceOf(const ReleaseName& selection) const {
  const auto chosen = chosen_.find({selection.round, selection.query});
  if (chosen == chosen_.end()) return std::nullopt;
  return chosen->second;
}

std::set<Clique> SiteRecords::ChosenIn(std::int64_t round) const {
  std::set<Clique> cliques;
  for (const auto& [selection, chosen] : chosen_) {
    if (selection.first == round) cliques.insert(chosen.begin(), chosen.end());
  }
  return cliques;
}

absl::Status SiteRecords::Choose(const ReleaseName& selection, const std::vector<Clique>& cliques) {
  messages::SiteRecord record;
  messages::Chosen& chosen = *record.mutable_chosen();
  chosen.set_round(selection.round);
  chosen.set_query(selection.query);
  for (const Clique& clique : cliques) {
    messages::Clique& out = *chosen.add_cliques();
    for (const AttributeIndex attribute : clique) out.add_attributes(static_cast<std::uint32_t>(attribute));
  }
  RETURN_IF_ERROR(log_.AppendDurably(record.SerializeAsString()));
  chosen_[{selection.round, selection.query}] = cliques;
  return absl::OkStatus();
}

}  // namespace flaim::runtime
