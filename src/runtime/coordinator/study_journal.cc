#include "runtime/coordinator/study_journal.h"

#include "base/status.h"
#include "messages.pb.h"
#include "runtime/messages/digest_bytes.h"

namespace flaim::runtime {
namespace {

absl::Status Damaged() {
  return absl::DataLossError("the study's journal cannot be understood: was it written by another version?");
}

absl::Status Copy(const std::string& bytes, Digest& out) {
  const std::optional<Digest> digest = DigestFrom(bytes);
  if (!digest) return Damaged();
  out = *digest;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<StudyJournal> StudyJournal::Open(const std::string& path) {
  ASSIGN_OR_RETURN(AppendLog log, AppendLog::Open(path, "journal"));
  const std::vector<std::string> records = log.TakeRecords();
  StudyJournal journal(std::move(log));
  for (const std::string& record : records) RETURN_IF_ERROR(journal.Load(record));
  return journal;
}

absl::Status StudyJournal::Load(const std::string& record) {
  messages::JournalRecord in;
  if (!in.ParseFromString(record)) return Damaged();
  const auto last_sum = [this]() -> Sum* { return past_.empty() ? nullptr : std::get_if<Sum>(&past_.back()); };
  switch (in.body_case()) {
    case messages::JournalRecord::kBegun: {
      if (begun_) return Damaged();
      Begun begun{.manifest = {}, .roster = in.begun().roster(), .schedule_seed = in.begun().schedule_seed()};
      RETURN_IF_ERROR(Copy(in.begun().manifest(), begun.manifest));
      begun_ = std::move(begun);
      return absl::OkStatus();
    }
    case messages::JournalRecord::kGathered:
      past_.push_back(Gathered{.round = in.gathered().round(),
                               .members = {in.gathered().members().begin(), in.gathered().members().end()},
                               .newcomers = in.gathered().newcomers()});
      return absl::OkStatus();
    case messages::JournalRecord::kSumBegun: {
      Sum sum;
      RETURN_IF_ERROR(Copy(in.sum_begun().request(), sum.request));
      RETURN_IF_ERROR(Copy(in.sum_begun().session(), sum.session));
      sum.invited.assign(in.sum_begun().invited().begin(), in.sum_begun().invited().end());
      sum.deadline_unix_ms = in.sum_begun().deadline_unix_ms();
      sum.attempt = in.sum_begun().attempt();
      sum.round = in.sum_begun().round();
      sum.query = in.sum_begun().query();
      past_.push_back(std::move(sum));
      return absl::OkStatus();
    }
    case messages::JournalRecord::kSumDone:
      if (last_sum() == nullptr || BytesOf(last_sum()->session) != in.sum_done().session()) return Damaged();
      last_sum()->is_done = true;
      last_sum()->contributors.assign(in.sum_done().contributors().begin(), in.sum_done().contributors().end());
      last_sum()->counts.assign(in.sum_done().counts().begin(), in.sum_done().counts().end());
      return absl::OkStatus();
    case messages::JournalRecord::kSumFailed:
      if (last_sum() == nullptr || BytesOf(last_sum()->session) != in.sum_failed().session()) return Damaged();
      last_sum()->failure = in.sum_failed().reason();
      return absl::OkStatus();
    case messages::JournalRecord::BODY_NOT_SET:
      break;
  }
  return Damaged();
}

absl::Status StudyJournal::Begin(const Begun& begun) {
  messages::JournalRecord record;
  record.mutable_begun()->set_manifest(BytesOf(begun.manifest));
  record.mutable_begun()->set_roster(begun.roster);
  record.mutable_begun()->set_schedule_seed(begun.schedule_seed);
  RETURN_IF_ERROR(log_.AppendDurably(record.SerializeAsString()));
  begun_ = begun;
  return absl::OkStatus();
}

template <typename Kind>
absl::StatusOr<std::optional<Kind>> StudyJournal::Replay() {
  if (past_.empty()) return std::optional<Kind>();
  auto* next = std::get_if<Kind>(&past_.front());
  if (next == nullptr) return Damaged();
  std::optional<Kind> replayed(std::move(*next));
  past_.pop_front();
  return replayed;
}

absl::StatusOr<std::optional<StudyJournal::Gathered>> StudyJournal::ReplayGathered() { return Replay<Gathered>(); }
absl::StatusOr<std::optional<StudyJournal::Sum>> StudyJournal::ReplaySum() { return Replay<Sum>(); }

absl::Status StudyJournal::Record(const Gathered& gathered) {
  messages::JournalRecord record;
  record.mutable_gathered()->set_round(gathered.round);
  for (const secagg::ParticipantId member : gathered.members) record.mutable_gathered()->add_members(member);
  record.mutable_gathered()->set_newcomers(gathered.newcomers);
  return log_.AppendDurably(record.SerializeAsString());
}

absl::Status StudyJournal::RecordBegun(const Sum& sum) {
  messages::JournalRecord record;
  messages::SumBegun& begun = *record.mutable_sum_begun();
  begun.set_request(BytesOf(sum.request));
  begun.set_session(BytesOf(sum.session));
  for (const secagg::ParticipantId site : sum.invited) begun.add_invited(site);
  begun.set_deadline_unix_ms(sum.deadline_unix_ms);
  begun.set_attempt(sum.attempt);
  begun.set_round(sum.round);
  begun.set_query(sum.query);
  return log_.AppendDurably(record.SerializeAsString());
}

absl::Status StudyJournal::RecordDone(const Sum& sum) {
  messages::JournalRecord record;
  messages::SumDone& done = *record.mutable_sum_done();
  done.set_session(BytesOf(sum.session));
  for (const secagg::ParticipantId site : sum.contributors) done.add_contributors(site);
  for (const std::int64_t count : sum.counts) done.add_counts(count);
  return log_.AppendDurably(record.SerializeAsString());
}

absl::Status StudyJournal::RecordFailed(const Sum& sum) {
  messages::JournalRecord record;
  record.mutable_sum_failed()->set_session(BytesOf(sum.session));
  record.mutable_sum_failed()->set_reason(sum.failure.value_or(""));
  return log_.AppendDurably(record.SerializeAsString());
}

}  // namespace flaim::runtime
