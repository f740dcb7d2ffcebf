#include "runtime/programs/site_program.h"

#include <condition_variable>
#include <deque>
#include <mutex>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "runtime/programs/look_up.h"
#include "runtime/programs/site_rows.h"
#include "runtime/site/site_agent.h"
#include "runtime/site/site_ledger.h"
#include "runtime/transport/link/coordinator_link.h"

namespace flaim::runtime {
namespace {

constexpr std::chrono::milliseconds kLinkGrace{2'000};

// Hands what the link's thread reports to the thread that serves: counting takes long.
class LinkQueue final : public LinkEvents {
 public:
  struct Event {
    enum class Kind { kConnected, kMessage, kDisconnected } kind;
    std::string message;
    absl::Status reason = absl::OkStatus();
    std::chrono::milliseconds retry_in{0};
  };

  void OnConnected() override { Push({.kind = Event::Kind::kConnected, .message = {}}); }
  void OnMessage(std::string message) override { Push({.kind = Event::Kind::kMessage, .message = std::move(message)}); }
  void OnDisconnected(const absl::Status& reason, std::chrono::milliseconds retry_in) override {
    Push({.kind = Event::Kind::kDisconnected, .message = {}, .reason = reason, .retry_in = retry_in});
  }

  std::optional<Event> Next(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    something_happened_.wait_for(lock, wait, [this] { return !events_.empty(); });
    if (events_.empty()) return std::nullopt;
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

 private:
  void Push(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    something_happened_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable something_happened_;
  std::deque<Event> events_;
};

absl::StatusOr<Ledger> OpenLedger(const SiteFolder& folder, const SiteFolder::Consent& consent, const Study& study,
                                  const SiteRecords& records, const Clock& clock) {
  const LedgerOptions options = FollowingPlanOf(study);
  absl::StatusOr<Ledger> ledger = Ledger::Open(consent.ledger, clock, options);
  if (!absl::IsNotFound(ledger.status())) return ledger;
  if (records.HasServed()) {
    return absl::DataLossError(fmt::format(
        "{} is gone, but the site has contributed to this study: restore it; a new one would spend the budget again",
        consent.ledger));
  }
  return Ledger::Create(consent.ledger, SiteLedgerTerms(study, folder.name()), clock, options);
}

// Ledger and records must tell the same story, and the ledger must be one that this study may spend, with its noise.
absl::Status CheckBooks(const Study& study, Ledger& ledger, SiteRecords& records) {
  RETURN_IF_ERROR(SiteAccount(study, ledger, records).CheckBooks());
  return CheckStudyMaySpend(study, ledger);
}

NoiseByLabel SecureNoise() {
  return [](const std::string&) { return std::make_unique<SecureRandomSource>(); };
}

void LogEnd(const SiteAgent& agent, const Ledger& ledger, const LinkTraffic& traffic, Log& log) {
  log.Info("site stops", {{"rounds_served", static_cast<std::int64_t>(agent.RoundsServed())},
                          {"rho_spent", ledger.spent().ToDouble()},
                          {"rho_left", ledger.left().ToDouble()},
                          {"sent_bytes", static_cast<std::int64_t>(traffic.sent_bytes)},
                          {"received_bytes", static_cast<std::int64_t>(traffic.received_bytes)}});
}

}  // namespace

absl::Status RunSite(const SiteFolder& folder, std::chrono::milliseconds timeout, const SiteWorld& world) {
  ASSIGN_OR_RETURN(const SiteFolder::Consent consent, folder.ReadConsent());
  ASSIGN_OR_RETURN(const TlsIdentity identity, folder.Identity());
  ASSIGN_OR_RETURN(const Study study, OpenStudy(folder.manifest()));
  RETURN_IF_ERROR(CheckSoftware(study, world.software));
  ASSIGN_OR_RETURN(SiteRecords records, SiteRecords::Open(folder.RecordsPath(), study.domain()));
  ASSIGN_OR_RETURN(Ledger ledger, OpenLedger(folder, consent, study, records, world.clock));
  RETURN_IF_ERROR(CheckBooks(study, ledger, records));
  world.log.Info("opening the rows", {{"where", Describe(consent.rows)}});
  const absl::StatusOr<OpenedRows> opened = OpenSiteRows(consent.rows, study, world.progress);
  // A program that runs for long has its messages collected; the doctor talks to the owner of the rows.
  if (IsForOwnerOnly(opened.status())) {
    return FailedPrecondition("the rows cannot be read: `flaim site doctor {}` says why", folder.path());
  }
  RETURN_IF_ERROR(opened.status());
  SiteAgent agent({.name = folder.name(),
                   .software = world.software,
                   .study = study,
                   .consent = consent.roster,
                   .signing_key = folder.signing_key(),
                   .rows = *opened->rows,
                   .ledger = ledger,
                   .records = records,
                   .clock = world.clock,
                   .noise = study.IsResearch() ? world.research_noise(*study.manifest.research_seed) : SecureNoise(),
                   .log = world.log,
                   .parallel = world.parallel});
  LinkQueue queue;
  LinkOptions options{.address = folder.address(), .identity = identity};
  options.timeout = timeout;
  options.longest_retry = timeout / 12;  // half of what a coordinator waits for who is not connected
  ASSIGN_OR_RETURN(const std::unique_ptr<CoordinatorLink> link, CoordinatorLink::Start(options, queue));
  world.log.Info("site starts", {{"site", folder.name()}, {"coordinator", folder.address()}});
  while (!world.is_stopping() && !agent.is_over() && agent.refusal().ok()) {
    const std::optional<LinkQueue::Event> event = queue.Next(kLookUp);
    if (!event) continue;
    switch (event->kind) {
      case LinkQueue::Event::Kind::kConnected:
        world.log.Info("connected");
        (void)link->Send(agent.Greeting());
        break;
      case LinkQueue::Event::Kind::kDisconnected:
        world.log.Warning("not connected", {{"reason", std::string(event->reason.message())},
                                            {"retry_in_ms", static_cast<std::int64_t>(event->retry_in.count())}});
        break;
      case LinkQueue::Event::Kind::kMessage:
        // What cannot be sent now is asked for again when the connection is back.
        for (std::string& answer : agent.Receive(event->message)) (void)link->Send(std::move(answer));
        break;
    }
  }
  link->Stop(kLinkGrace);
  LogEnd(agent, ledger, link->traffic(), world.log);
  RETURN_IF_ERROR(agent.refusal());
  return agent.is_over() ? absl::OkStatus() : absl::CancelledError("asked to stop");
}

}  // namespace flaim::runtime
