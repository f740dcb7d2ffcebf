#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/domain.h"
#include "federation/requests.h"
#include "privacy/release/release.h"

namespace flaim {

// Who answers in a round.
enum class Membership : std::uint8_t {
  kPresent,   // whoever is available now
  kPool,      // whoever is available now or was before: their counts are kept as secret shares by compute parties
  kOneTable,  // all rows, which somebody holds in one table: a federation of one
};

struct GroupRequest {
  Membership membership = Membership::kPresent;
  std::int64_t upload_cells = 0;  // of the marginals that a newcomer of a pool shares out
  // Does not count against a client's cap. Once in a study, unless it is a pool that waits for more to join.
  bool is_initialisation = false;
};

// The clients that answer together, until the next one is gathered. Their number is public.
struct Group {
  std::int64_t round = 0;
  std::int64_t members = 0;
  std::int64_t newcomers = 0;  // of the members, those that were in no earlier group
};

// A sum of counts, as released.
struct NoisyMarginal {
  Clique clique;
  std::vector<std::int64_t> counts;
};

struct NoisyMarginals {
  std::vector<NoisyMarginal> marginals;
  std::string provenance;
  double variance = 0;            // of each count: of all the noise in the sum, which can be more than was paid for
  std::int64_t contributors = 0;  // who is in the sum: members that dropped out on the way are not
};

// A released sum of the counts of all these marginals, one after the other, as marginals. REQUIRES: as many counts.
NoisyMarginals MarginalsOf(const Domain& domain, std::span<const Clique> cliques, const NoisyCounts& stacked);

// Which candidate; none only if that was allowed.
struct SumChoice {
  std::optional<std::size_t> candidate;
  std::string provenance;
};

// How many clients chose each candidate.
struct LocalChoices {
  std::vector<std::int64_t> choosers;
  std::string provenance;
};

// The port: what a federation of clients can do, and nothing more. Algorithms are written against it; the simulation
// and the networked runtime implement it.
//
// Promise of every implementation: a client pays from its own account, before it contributes, what MechanismOf says;
// it declines once it has served in as many groups as its cap allows; noise is inside a sum before anybody sees it. An
// operation that the trust model of the study does not include is refused (trust.h), and so are local measurements
// between two choices (LocalRefit), which only the simulation takes. An operation on an empty group is
// a FailedPrecondition.
class Federation {
 public:
  virtual ~Federation() = default;

  virtual const Domain& domain() const = 0;
  // How many are enrolled: public.
  virtual std::int64_t clients() const = 0;

  // Starts the next round. A group may be empty.
  virtual absl::StatusOr<Group> Gather(const GroupRequest& request) = 0;

  virtual absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) = 0;
  virtual absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) = 0;
  virtual absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) = 0;
  virtual absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) = 0;
  virtual absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) = 0;
};

}  // namespace flaim
