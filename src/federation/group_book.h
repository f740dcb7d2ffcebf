#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "federation/availability.h"
#include "federation/federation.h"

namespace flaim {

// What a study promises its clients about groups. Public.
struct GroupRules {
  int participation_cap = 1;  // in how many groups a client serves before it declines
  int least_members = 1;      // of a group of those present; a smaller one does not come together
};

// Who serves in the groups of one study, round after round. Says who may be asked next, and takes down who then came:
// over the network, not everybody does.
//
// Who may be asked, of those that are available:
// - for a group of those present, whoever has served in fewer groups than the cap; when they are fewer than the least,
//   nobody. An initialisation asks everybody and counts against nobody's cap;
// - for a pool, whoever was in no group yet. Those that were stay in it.
// A study is initialised once, before any other group; again only if nobody came, or while a pool fills.
//
// All of it follows from the schedule, its random draws and who came, and from nobody's rows. So a book that is told
// again what an earlier one was told stands where that one stood: a coordinator replays its journal through it.
//
// Not thread-safe.
class GroupBook {
 public:
  // Refuses a cap or a least group below 1, and what AvailabilitySchedule refuses.
  static absl::StatusOr<GroupBook> Create(Availability availability, std::size_t clients, const GroupRules& rules);

  // What a seeded draw of the next round is called: the same in a simulation and over the network.
  std::string NextDrawLabel() const;

  // Begins the next round: who may be asked to join its group, in ascending order. FailedPrecondition for a study that
  // is initialised already; then no round has begun.
  absl::StatusOr<std::vector<ClientIndex>> Draw(const GroupRequest& request, RandomSource& random);

  // Of those drawn, these came, in ascending order: the group is theirs. Refuses others than were drawn, and fewer than
  // the least unless it is nobody; then nothing has changed. REQUIRES: a round has begun, and nobody came to it yet.
  absl::StatusOr<Group> Enter(std::span<const ClientIndex> came);

  std::int64_t round() const { return round_; }
  // Of the group that came together last, in ascending order.
  const std::vector<ClientIndex>& members() const { return members_; }
  // Those of them that were in no earlier group.
  const std::vector<ClientIndex>& newcomers() const { return newcomers_; }
  bool is_pool() const { return is_pool_; }
  bool is_initialisation() const { return is_initialisation_; }
  // In how many groups each client has served; initialisations do not count.
  std::span<const int> participations() const { return participations_; }

 private:
  struct DrawnRound {
    GroupRequest request;
    std::vector<ClientIndex> candidates;
  };

  GroupBook(AvailabilitySchedule schedule, std::size_t clients, const GroupRules& rules);

  bool MayBeAsked(ClientIndex client, const GroupRequest& request) const;
  absl::Status CheckCame(std::span<const ClientIndex> came) const;
  std::vector<ClientIndex> EverybodyWhoServed() const;

  AvailabilitySchedule schedule_;
  GroupRules rules_;
  std::int64_t round_ = 0;
  std::optional<DrawnRound> drawn_;  // until its group has come together
  std::vector<int> participations_;
  std::vector<bool> has_served_;
  bool is_initialised_ = false;
  bool is_pool_ = false;
  bool is_initialisation_ = false;
  std::vector<ClientIndex> members_;
  std::vector<ClientIndex> newcomers_;
};

}  // namespace flaim
