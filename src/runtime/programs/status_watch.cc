#include "runtime/programs/status_watch.h"

#include <algorithm>

#include "privacy/budget/charge.h"

namespace flaim::runtime {
namespace {

// What a contributor pays, by the coordinator's reckoning.
double CostTo(const SumBody& body) {
  if (const auto* counts = std::get_if<CountsRequest>(&body)) return CostOf(MechanismOf(*counts)).ToDouble();
  if (const auto* scores = std::get_if<ScoresRequest>(&body)) return CostOf(MechanismOf(*scores)).ToDouble();
  if (const auto* local = std::get_if<LocalSelection>(&body)) {
    const absl::StatusOr<ExponentialMechanism> mechanism = MechanismOf(*local);
    return mechanism.ok() ? local->steps * CostOf(*mechanism).ToDouble() : 0;
  }
  return 0;
}

}  // namespace

void StatusWatch::OnGathered(const Group& group, const std::vector<secagg::ParticipantId>& members) {
  log_.Info("round begins", {{"round", group.round}, {"sites", group.members}});
  round_began_ = clock_.Now();
  board_.Update([&](StudyStatus& status) {
    for (const secagg::ParticipantId member : members) {
      for (SiteStatus& site : status.sites) {
        if (site.name == roster_.sites[member]) ++site.rounds_served;
      }
    }
  });
}

void StatusWatch::OnSumBegun(const SumRequest& request, int invited) {
  board_.Update([&](StudyStatus& status) {
    status.sum = SumStatus{.name = request.name().query, .stage = "invitation", .answered = 0, .expected = invited};
  });
}

void StatusWatch::OnStage(const std::string& stage, std::size_t answered, std::size_t expected) {
  board_.Update([&](StudyStatus& status) {
    if (!status.sum) return;
    status.sum->stage = stage;
    status.sum->answered = static_cast<std::int64_t>(answered);
    status.sum->expected = static_cast<std::int64_t>(expected);
  });
}

void StatusWatch::OnRefusal(secagg::ParticipantId site, const std::string& why) {
  log_.Warning("site declines", {{"site", roster_.sites[site]}, {"reason", why}});
}

void StatusWatch::OnSumDone(const SumRequest& request, const std::vector<secagg::ParticipantId>& contributors,
                            bool is_replayed) {
  if (!is_replayed) {
    log_.Info("sum made", {{"round", request.name().round},
                           {"query", request.name().query},
                           {"sites", static_cast<std::int64_t>(contributors.size())}});
  }
  board_.Update([&](StudyStatus& status) {
    status.sum.reset();
    for (const secagg::ParticipantId contributor : contributors) {
      for (SiteStatus& site : status.sites) {
        if (site.name == roster_.sites[contributor]) site.rho_spent += CostTo(request.body);
      }
    }
    for (const SiteStatus& site : status.sites) {
      const double share = site.rho_spent / study_.plan.terms().allowance.ToDouble();
      status.share_spent = std::min(1.0, std::max(status.share_spent, share));
    }
  });
  show_traffic_();
}

void StatusWatch::OnSumFailed(const SumRequest& request, const std::string& why) {
  log_.Warning("sum failed", {{"round", request.name().round},
                              {"query", request.name().query},
                              {"attempt", static_cast<std::int64_t>(request.attempt)},
                              {"reason", why}});
  board_.Update([](StudyStatus& status) { status.sum.reset(); });
}

void StatusWatch::Report(const RoundReport& report, const Model& model) {
  RoundStatus round;
  round.round = report.round;
  round.members = report.members;
  for (const Clique& clique : report.chosen) round.chosen.push_back(CliqueName(model.domain(), clique));
  round.sigma = report.sigma;
  round.records = report.total;
  round.seconds = std::chrono::duration<double>(clock_.Now() - round_began_).count();
  log_.Info("round done", {{"round", report.round},
                           {"of", report.rounds},
                           {"chosen", static_cast<std::int64_t>(report.chosen.size())},
                           {"records", std::round(report.total)}});
  board_.Update([&](StudyStatus& status) {
    status.rounds_planned = report.rounds;
    status.rounds.push_back(round);
  });
}

}  // namespace flaim::runtime
