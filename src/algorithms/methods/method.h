#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "federation/federation.h"
#include "federation/requests.h"
#include "federation/trust.h"

namespace flaim {

// A method is a combination of choices that do not depend on each other. The names of the paper's methods, and of ours,
// are presets of them (presets.h); docs/METHODS.md compares what each releases, to whom, and at what cost.

// The most rounds, participations or marginals to choose that a method can have.
inline constexpr int kMostRounds = 100'000;

// Who picks the marginals to measure, and from what.
enum class Selection : std::uint8_t {
  kNone,          // only one-way marginals are measured
  kRandom,        // each client at random
  kLocal,         // each client from its own rows, by the exponential mechanism: Algorithm 1
  kSummedScores,  // everybody, from the noisy sum of the clients' scores
  kNoisySums,     // everybody, from noisy sums of the pairs themselves, which the first groups measure
  kScoreOfSum,    // everybody, by one exponential mechanism on the score of the sum, which needs compute parties
};

// What a client's score allows for its rows being unlike everybody's: tau in Algorithm 1.
enum class Penalty : std::uint8_t {
  kNone,
  kOracle,  // how far its marginal is from everybody's, which nobody may know: NOT private
  kProxy,   // how far its one-way marginals are from the model's
};

enum class OneWays : std::uint8_t {
  kFirstRound,
  kEveryRound,
};

// How much a measured marginal counts in the fit.
enum class Weighting : std::uint8_t {
  kSameRows,      // as measured: every sum is of the same rows
  kInverseSigma,  // all the same, whoever contributed
  kTrueSizes,     // by the true number of contributed rows: NOT private
  kNoisySizes,    // by the noisy number of contributed rows
  // All rounds of a marginal are one measurement, as precise as its noise and the differences between rounds allow.
  kHeterogeneity,
};

// What a client's rows are charged for.
enum class Accounting : std::uint8_t {
  kPaper,   // Lemma 4.1: as if every client took part in every round
  kCapped,  // a client declines after `participation_cap` groups, so its rows pay for that many
  kExact,   // the same, with the noise that the exact accountant finds sufficient
};

// What a client with several local steps does between two of them.
enum class LocalStepping : std::uint8_t {
  kPeeling,    // goes on with the scores it has, without what it chose
  kMeasuring,  // measures what it chose and fits a model of its own, as the paper does, at the price of a measurement
};

// How the noise of a sum is brought into it. No choice of a method but of whoever runs it; exact accounting must know.
enum class SumNoise : std::uint8_t {
  kWhole,  // one draw
  kSplit,  // shares, of everybody who contributes
};

// How many rounds there are, and how a client's allowance is spread over them.

// Rounds of falling noise, as in AIM: as many as `rounds_per_attribute` would allow for each attribute at the first
// noise level, but a round that teaches little halves sigma and doubles epsilon for the next, and the last takes all
// that is left.
struct Annealed {
  double rounds_per_attribute = 4;  // the paper has 16

  bool operator==(const Annealed&) const = default;
};
// A fixed number of equal rounds, as in the paper's comparisons.
struct FixedRounds {
  int rounds = 10;

  bool operator==(const FixedRounds&) const = default;
};
// FLAIM-Once is different: a client spends everything in one participation. The first rounds choose marginals, and
// every round measures all that were chosen until then.
struct ChooseThenMeasure {
  int rounds = 10;             // T
  int choosing_rounds = 2;     // T_s
  int marginals = 16;          // S, over all rounds
  int choices_at_once = 0;     // marginals chosen from one look at the scores; 0: all of a round
  double one_way_share = 0.4;  // a: of what is spent on counts

  // What did well for this many rounds, on tables of 10 to 21 columns: a fifth of them choose; and the fewer rounds, so
  // the larger the groups, the more marginals rise above the noise, from 30 in one round to 16 in ten.
  static ChooseThenMeasure For(int rounds);

  bool operator==(const ChooseThenMeasure&) const = default;
};
using Rounds = std::variant<Annealed, FixedRounds, ChooseThenMeasure>;

struct Method {
  std::string name;
  std::string title;    // as papers and reports call it
  std::string summary;  // one line
  Selection selection = Selection::kLocal;
  Penalty penalty = Penalty::kNone;
  OneWays one_ways = OneWays::kFirstRound;
  bool one_way_candidates = true;  // false: filtered from the workload
  Weighting weighting = Weighting::kInverseSigma;
  Membership membership = Membership::kPresent;
  double pool_share_at_start = 0;  // of the clients that must have uploaded before the first release
  Accounting accounting = Accounting::kCapped;
  int participation_cap = 1;
  Rounds rounds = FixedRounds{};
  int local_steps = 1;
  LocalStepping stepping = LocalStepping::kPeeling;
  // Of the noise that measuring a marginal is expected to add: what its score is lowered by.
  double noise_penalty = 1;
  // Of that noise, too: what a round must have moved the model by for the next to stay at this level of noise.
  double improvement_threshold = 1;
  double selection_share = 0.1;  // 1 - r: of the budget

  // Whether somebody holds all rows: a federation of one.
  bool IsOneTable() const { return membership == Membership::kOneTable; }

  bool IsAnnealed() const { return std::holds_alternative<Annealed>(rounds); }
  bool ChoosesThenMeasures() const { return std::holds_alternative<ChooseThenMeasure>(rounds); }

  bool operator==(const Method&) const = default;
};

// What the parties must be trusted with.
TrustModel TrustOf(const Method& method);
// False when something that nobody may know decides about what is released. Such a method is run by simulations only,
// with an Insider (loop/insider.h).
bool IsPrivate(const Method& method);

// Refuses numbers beyond the bounds of algorithms/choices/choices.h, and combinations without meaning, such as
// annealing with a participation cap.
absl::Status CheckMethod(const Method& method);

}  // namespace flaim
