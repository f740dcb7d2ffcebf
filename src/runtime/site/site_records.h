#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "federation/requests.h"
#include "io/append_log.h"
#include "runtime/messages/request_codec.h"
#include "secagg/protocol/participation.h"

namespace flaim::runtime {

// What a site remembers of a study beside its ledger, also after it was killed: the roster it goes by, the sessions it
// has answered, what it has contributed to which round, and what it chose. Everything is on disk before the call
// returns. Not thread-safe.
class SiteRecords final : public secagg::AnsweredSessions {
 public:
  // The domain must outlive it.
  static absl::StatusOr<SiteRecords> Open(const std::string& path, const Domain& domain);

  const std::optional<std::string>& pinned_roster() const { return pinned_; }
  absl::Status Pin(const std::string& roster);

  // AlreadyExists if it was answered.
  absl::Status Begin(const secagg::SessionId& session) override;

  bool HasServed() const { return !rounds_.empty() || initialisation_.has_value(); }
  // Rounds that the site has contributed to, the initialisation left out.
  int RoundsServed() const { return static_cast<int>(rounds_.size()); }
  // As one of them: an initialisation of that number does not count.
  bool HasServedIn(std::int64_t round) const { return rounds_.contains(round); }
  std::optional<std::int64_t> initialisation() const { return initialisation_; }
  // What it was asked to count in a round, in order.
  std::vector<CountsRequest> CountedIn(std::int64_t round) const;
  // What it was asked for in all rounds, in order, without models.
  struct Served {
    SumRequest request;
    bool is_paid = true;  // false: known to have been given up before it was paid for
  };
  const std::vector<Served>& served() const { return served_; }
  // The last that was served was never paid for, so that nothing was given.
  absl::Status GiveUpLast();
  // `encoded` is the request as it came.
  absl::Status Serve(const secagg::SessionId& session, const std::string& encoded);

  // What was chosen in one selection; nothing if it was not made yet.
  std::optional<std::vector<Clique>> ChoiceOf(const ReleaseName& selection) const;
  // In all selections of a round.
  std::set<Clique> ChosenIn(std::int64_t round) const;
  absl::Status Choose(const ReleaseName& selection, const std::vector<Clique>& cliques);

 private:
  SiteRecords(AppendLog log, const Domain& domain) : log_(std::move(log)), domain_(&domain) {}

  absl::Status Replay(const std::string& record);
  absl::Status Note(const std::string& encoded);

  AppendLog log_;
  const Domain* domain_;
  std::optional<std::string> pinned_;
  std::set<secagg::SessionId> answered_;
  std::set<std::int64_t> rounds_;
  std::optional<std::int64_t> initialisation_;
  std::vector<Served> served_;
  std::map<std::int64_t, std::vector<CountsRequest>> counted_;
  std::map<std::pair<std::int64_t, std::string>, std::vector<Clique>> chosen_;
};

}  // namespace flaim::runtime
