#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "base/check.h"
#include "tests/networked_site_testing.h"

// The network of networked_testing.h.
namespace flaim::runtime {

// Delivers one message at a time, in an order drawn from the seed (but in order for each site and direction).
class NetworkedStudyForTest::Exchange final : public SiteExchange {
 public:
  Exchange(NetworkedStudyForTest& test, const Faults& faults, RandomSource& random, const std::string& welcome)
      : test_(test),
        faults_(faults),
        random_(random),
        welcome_(welcome),
        to_site_(test.sites_.size()),
        from_site_(test.sites_.size()),
        is_connected_(test.sites_.size()) {
    for (std::size_t site = 0; site < test.sites_.size(); ++site) Connect(site);
  }

  bool IsReady(secagg::ParticipantId site) const override { return is_connected_[site]; }

  void Send(secagg::ParticipantId site, std::string message) override {
    test_.CoordinatorStep(faults_);
    if (!is_connected_[site]) return;
    if (Happens(faults_.duplicate)) to_site_[site].push_back(message);
    to_site_[site].push_back(std::move(message));
  }

  absl::StatusOr<std::optional<SiteEvent>> Next(std::chrono::system_clock::time_point until) override {
    test_.CoordinatorStep(faults_);
    for (;;) {
      SendAwayTheGone();
      if (test_.coordinator_crashes_ < faults_.most_coordinator_crashes && Happens(faults_.coordinator_crash)) {
        ++test_.coordinator_crashes_;
        return absl::CancelledError("crash");
      }
      BringTrouble();
      if (!events_.empty()) {
        SiteEvent event = std::move(events_.front());
        events_.pop_front();
        return std::optional<SiteEvent>(std::move(event));
      }
      const std::vector<std::size_t> busy = BusySites();
      if (busy.empty()) {
        const auto before = test_.clock_.Now();
        if (until > before) test_.clock_.Advance(until - before);
        if (faults_.sites_return) ReconnectAll();
        if (events_.empty()) return std::optional<SiteEvent>();
        continue;
      }
      Deliver(busy[random_.NextBelow(busy.size())]);
    }
  }

 private:
  bool Happens(double probability) { return probability > 0 && random_.NextUnit() < probability; }

  std::vector<std::size_t> BusySites() const {
    std::vector<std::size_t> busy;
    for (std::size_t site = 0; site < to_site_.size(); ++site) {
      if (!to_site_[site].empty() || !from_site_[site].empty()) busy.push_back(site);
    }
    return busy;
  }

  bool IsGone(std::size_t site) const {
    return test_.deliveries_ >= faults_.gone_from &&
           std::find(faults_.gone.begin(), faults_.gone.end(), static_cast<int>(site)) != faults_.gone.end();
  }

  void SendAwayTheGone() {
    for (std::size_t site = 0; site < to_site_.size(); ++site) {
      if (IsGone(site)) Disconnect(site);
    }
  }

  // Whether one more site may be hurt in this sum.
  bool MayHurt(std::size_t site) {
    if (std::ssize(test_.victims_) >= faults_.most_victims_per_sum && !test_.victims_.contains(site)) return false;
    test_.victims_.insert(site);
    return true;
  }

  void Kill(std::size_t site) {
    ++test_.site_crashes_;
    Disconnect(site);
    test_.StopSite(static_cast<int>(site));
  }

  void Connect(std::size_t site) {
    if (IsGone(site)) return;
    if (test_.sites_[site] == nullptr) test_.StartSite(static_cast<int>(site));
    is_connected_[site] = true;
    to_site_[site].push_back(welcome_);
    events_.push_back({SiteEvent::Kind::kReady, static_cast<secagg::ParticipantId>(site), {}});
  }

  void Disconnect(std::size_t site) {
    if (!is_connected_[site]) return;
    is_connected_[site] = false;
    to_site_[site].clear();
    from_site_[site].clear();
    events_.push_back({SiteEvent::Kind::kGone, static_cast<secagg::ParticipantId>(site), {}});
  }

  void ReconnectAll() {
    for (std::size_t site = 0; site < is_connected_.size(); ++site) {
      if (!is_connected_[site]) Connect(site);
    }
  }

  void BringTrouble() {
    const std::size_t site = random_.NextBelow(to_site_.size());
    if (test_.site_crashes_ < faults_.most_site_crashes && Happens(faults_.site_crash)) {
      if (MayHurt(site)) Kill(site);
    } else if (Happens(faults_.site_disconnect)) {
      if (MayHurt(site)) Disconnect(site);
    } else if (faults_.sites_return && !is_connected_[site] && Happens(0.2)) {
      Connect(site);
    }
  }

  void Deliver(std::size_t site) {
    ++test_.deliveries_;
    if (Happens(faults_.lose) && MayHurt(site)) return Disconnect(site);
    std::deque<std::string>& inbox = to_site_[site];
    std::deque<std::string>& outbox = from_site_[site];
    if (!outbox.empty() && (inbox.empty() || random_.NextBelow(2) == 0)) {
      SiteEvent event{SiteEvent::Kind::kMessage, static_cast<secagg::ParticipantId>(site), {}};
      CHECK(event.message.ParseFromString(outbox.front()), "sites speak properly");
      events_.push_back(std::move(event));
      if (!Happens(faults_.duplicate)) outbox.pop_front();
      return;
    }
    const std::string message = std::move(inbox.front());
    inbox.pop_front();
    Take(site, message);
  }

  void Take(std::size_t site, const std::string& message) {
    const int number = test_.messages_to_[site]++;
    const std::optional<SiteKill>& kill = faults_.site_kill;
    const bool is_last = kill && kill->site == static_cast<int>(site) && kill->message == number;
    if (is_last && kill->moment == Moment::kBefore) return Kill(site);
    test_.is_site_dying_ = is_last && kill->moment == Moment::kDuring;
    std::vector<std::string> answers;
    try {
      answers = test_.sites_[site]->agent.Receive(message);
    } catch (const SiteKilled&) {
    }
    test_.is_site_dying_ = false;
    if (is_last) return Kill(site);
    for (std::string& answer : answers) from_site_[site].push_back(std::move(answer));
  }

  NetworkedStudyForTest& test_;
  const Faults& faults_;
  RandomSource& random_;
  const std::string welcome_;
  std::vector<std::deque<std::string>> to_site_;
  std::vector<std::deque<std::string>> from_site_;
  std::vector<bool> is_connected_;
  std::deque<SiteEvent> events_;
};

}  // namespace flaim::runtime
