#include "federation/group_book.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "fmt/format.h"

namespace flaim {
namespace {

bool IsPool(const GroupRequest& request) {
  return request.membership != Membership::kPresent;  // one table is a pool of one
}

}  // namespace

absl::StatusOr<GroupBook> GroupBook::Create(Availability availability, std::size_t clients, const GroupRules& rules) {
  if (rules.participation_cap < 1) {
    return InvalidArgument("a participation cap of {} lets nobody serve: give at least 1", rules.participation_cap);
  }
  if (rules.least_members < 1) {
    return InvalidArgument("a group of at least {} clients may be nobody: give at least 1", rules.least_members);
  }
  ASSIGN_OR_RETURN(AvailabilitySchedule schedule, AvailabilitySchedule::Create(std::move(availability), clients));
  return GroupBook(std::move(schedule), clients, rules);
}

GroupBook::GroupBook(AvailabilitySchedule schedule, std::size_t clients, const GroupRules& rules)
    : schedule_(std::move(schedule)), rules_(rules), participations_(clients), has_served_(clients) {}

std::string GroupBook::NextDrawLabel() const { return fmt::format("availability, round {}", round_ + 1); }

bool GroupBook::MayBeAsked(ClientIndex client, const GroupRequest& request) const {
  if (IsPool(request)) return !has_served_[client];
  return request.is_initialisation || participations_[client] < rules_.participation_cap;
}

absl::StatusOr<std::vector<ClientIndex>> GroupBook::Draw(const GroupRequest& request, RandomSource& random) {
  if (request.is_initialisation && is_initialised_ && !IsPool(request)) {
    return FailedPrecondition("a study is initialised once");
  }
  ++round_;
  std::vector<ClientIndex> candidates = schedule_.Next(random);
  std::erase_if(candidates, [&](ClientIndex client) { return !MayBeAsked(client, request); });
  if (!IsPool(request) && std::ssize(candidates) < rules_.least_members) candidates.clear();
  drawn_ = DrawnRound{request, candidates};
  return candidates;
}

absl::Status GroupBook::CheckCame(std::span<const ClientIndex> came) const {
  const bool ascends = std::adjacent_find(came.begin(), came.end(), std::greater_equal<>()) == came.end();
  if (!ascends || !std::includes(drawn_->candidates.begin(), drawn_->candidates.end(), came.begin(), came.end())) {
    return InvalidArgument("round {} has clients that were not asked to come", round_);
  }
  if (!IsPool(drawn_->request) && !came.empty() && std::ssize(came) < rules_.least_members) {
    return FailedPrecondition("a group of {} is too small: {} is the least", came.size(), rules_.least_members);
  }
  return absl::OkStatus();
}

absl::StatusOr<Group> GroupBook::Enter(std::span<const ClientIndex> came) {
  CHECK(drawn_.has_value());
  RETURN_IF_ERROR(CheckCame(came));
  is_pool_ = IsPool(drawn_->request);
  is_initialisation_ = drawn_->request.is_initialisation;
  drawn_.reset();
  newcomers_.clear();
  for (const ClientIndex client : came) {
    if (!has_served_[client]) newcomers_.push_back(client);
    has_served_[client] = true;
    if (!is_initialisation_) ++participations_[client];
  }
  is_initialised_ = is_initialised_ || !came.empty();
  members_ = is_pool_ ? EverybodyWhoServed() : std::vector<ClientIndex>(came.begin(), came.end());
  return Group{round_, std::ssize(members_), std::ssize(newcomers_)};
}

std::vector<ClientIndex> GroupBook::EverybodyWhoServed() const {
  std::vector<ClientIndex> clients;
  for (ClientIndex client = 0; client < has_served_.size(); ++client) {
    if (has_served_[client]) clients.push_back(client);
  }
  return clients;
}

}  // namespace flaim
