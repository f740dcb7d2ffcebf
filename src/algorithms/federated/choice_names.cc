#include "algorithms/federated/choice_names.h"

#include <algorithm>
#include <array>
#include <variant>

#include "algorithms/methods/presets.h"
#include "fmt/format.h"

namespace flaim {

template <>
std::span<const NamedChoice<Selection>> ChoicesOf() {
  static constexpr std::array<NamedChoice<Selection>, 6> kChoices = {{
      {"local", Selection::kLocal, "each client chooses from its own rows and releases its choice"},
      {"random", Selection::kRandom, "each client chooses at random, for free"},
      {"none", Selection::kNone, "one-way marginals only"},
      {"summed-scores", Selection::kSummedScores, "from the noisy sum of the clients' scores"},
      {"noisy-sums", Selection::kNoisySums, "from noisy sums of the pairs, which the first groups measure"},
      {"score-of-sum", Selection::kScoreOfSum, "by compute parties, on the score of the summed counts"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<Heterogeneity>> ChoicesOf() {
  static constexpr std::array<NamedChoice<Heterogeneity>, 3> kChoices = {{
      {"none", Heterogeneity::kIgnored, "a client does not ask how unlike everybody its rows are"},
      {"oracle", Heterogeneity::kOracle, "a client knows how unlike everybody its rows are: NOT private"},
      {"proxy", Heterogeneity::kProxy,
       "a client guesses how unlike everybody its rows are from noisy one-way marginals"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<OneWays>> ChoicesOf() {
  static constexpr std::array<NamedChoice<OneWays>, 2> kChoices = {{
      {"first", OneWays::kFirstRound, "measured once, before the first round"},
      {"every", OneWays::kEveryRound, "measured in every round"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<OneWayCandidates>> ChoicesOf() {
  static constexpr std::array<NamedChoice<OneWayCandidates>, 2> kChoices = {{
      {"keep", OneWayCandidates::kKept, "one-way marginals can be chosen like others"},
      {"filter", OneWayCandidates::kFiltered, "one-way marginals cannot be chosen"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<Weighting>> ChoicesOf() {
  static constexpr std::array<NamedChoice<Weighting>, 5> kChoices = {{
      {"same-rows", Weighting::kSameRows, "as measured, because every sum is of the same rows"},
      {"inverse-sigma", Weighting::kInverseSigma, "a measurement counts by its noise, whoever contributed"},
      {"true-sizes", Weighting::kTrueSizes, "a measurement counts by its true number of rows: NOT private"},
      {"noisy-sizes", Weighting::kNoisySizes, "a measurement counts by its noisy number of rows"},
      {"heterogeneity", Weighting::kHeterogeneity,
       "a measurement counts by its noise and the differences between rounds"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<Membership>> ChoicesOf() {
  static constexpr std::array<NamedChoice<Membership>, 3> kChoices = {{
      {"present", Membership::kPresent, "whoever is available now answers"},
      {"pool", Membership::kPool, "whoever was ever available has shared its counts with compute parties"},
      {"one-table", Membership::kOneTable, "somebody holds all rows in one table"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<Accounting>> ChoicesOf() {
  static constexpr std::array<NamedChoice<Accounting>, 3> kChoices = {{
      {"paper", Accounting::kPaper, "a client's rows pay as if it took part in every round"},
      {"cap", Accounting::kCapped, "a client's rows pay for as many rounds as its cap lets it serve in"},
      {"exact", Accounting::kExact, "as cap, with the noise that the exact accountant finds sufficient"},
  }};
  return kChoices;
}

template <>
std::span<const NamedChoice<LocalStepping>> ChoicesOf() {
  static constexpr std::array<NamedChoice<LocalStepping>, 2> kChoices = {{
      {"peel", LocalStepping::kPeeling, "a client goes on with the scores it has, without what it chose"},
      {"measure", LocalStepping::kMeasuring,
       "a client measures what it chose and fits a model of its own, and pays for it"},
  }};
  return kChoices;
}

namespace {

template <typename Value>
ShownChoice Shown(const std::string& flag, Value value) {
  const NamedChoice<Value>& choice = ChoiceOf(value);
  return {flag, choice.name, std::string(choice.meaning)};
}

void AddRounds(const Rounds& rounds, std::vector<ShownChoice>& shown) {
  if (const auto* annealed = std::get_if<Annealed>(&rounds)) {
    shown.push_back({"anneal", annealed->rounds_per_attribute,
                     "rounds for each column at the first noise; one that teaches little halves the noise"});
  } else if (const auto* fixed = std::get_if<FixedRounds>(&rounds)) {
    shown.push_back({"rounds", fixed->rounds, "all alike"});
  } else {
    const auto& once = std::get<ChooseThenMeasure>(rounds);
    shown.push_back({"rounds", once.rounds, "each measures all marginals that were chosen until then"});
    shown.push_back({"choosing-rounds", once.choosing_rounds, "the first of them, which also choose"});
    shown.push_back({"marginals", once.marginals, "to choose, over all rounds"});
    shown.push_back({"choices-at-once", once.choices_at_once, "from one look at the scores; 0: all of a round"});
    shown.push_back({"one-way-share", once.one_way_share, "of what is spent on counts"});
  }
}

}  // namespace

std::string ShownChoice::ValueText() const {
  if (value.is_string()) return value.get<std::string>();
  return value.is_boolean() ? "yes" : fmt::format("{:g}", value.get<double>());
}

bool HasRounds(const Method& method) {
  return method.selection != Selection::kNone || method.one_ways == OneWays::kEveryRound;
}

std::vector<ShownChoice> ShownChoicesOf(const Method& method) {
  const bool is_local = method.selection == Selection::kLocal;
  const bool is_capped = method.accounting != Accounting::kPaper && method.membership == Membership::kPresent;
  std::vector<ShownChoice> shown = {Shown("selection", method.selection)};
  if (is_local) shown.push_back(Shown("penalty", method.heterogeneity));
  shown.push_back(Shown("one-ways", method.one_ways));
  shown.push_back(
      Shown("one-way-candidates", method.one_way_candidates ? OneWayCandidates::kKept : OneWayCandidates::kFiltered));
  shown.push_back(Shown("weighting", method.weighting));
  shown.push_back(Shown("membership", method.membership));
  if (method.membership == Membership::kPool) {
    shown.push_back({"wait-for", method.pool_share_at_start, "share of the clients that must have uploaded at first"});
  }
  shown.push_back(Shown("accounting", method.accounting));
  if (is_capped) shown.push_back({"cap", method.participation_cap, "rounds in which a client serves"});
  if (HasRounds(method)) AddRounds(method.rounds, shown);
  if (is_local || method.selection == Selection::kRandom) {
    shown.push_back({"local-steps", method.local_steps, "marginals that a client chooses in a round"});
  }
  if (method.local_steps > 1) shown.push_back(Shown("local-stepping", method.stepping));
  const bool has_scores = method.selection != Selection::kNone && method.selection != Selection::kRandom;
  if (has_scores) {
    shown.push_back({"noise-penalty", method.noise_penalty, "times the noise of a marginal is taken off its score"});
    shown.push_back({"selection-share", method.selection_share, "of the budget, for choosing"});
  }
  if (method.as_published) shown.push_back({"as-published", true, "with the published code's mistakes: NOT private"});
  return shown;
}

std::string ChangesFromPreset(const Method& method) {
  const absl::StatusOr<Method> preset = FindMethod(method.name);
  CHECK(preset.ok(), "'{}' is not the name of a preset", method.name);
  const std::vector<ShownChoice> usual = ShownChoicesOf(*preset);
  std::string changes;
  for (const ShownChoice& choice : ShownChoicesOf(method)) {
    const bool is_usual = std::any_of(usual.begin(), usual.end(), [&](const ShownChoice& known) {
      return known.flag == choice.flag && known.value == choice.value;
    });
    if (is_usual) continue;
    changes += fmt::format("{}{} {}", changes.empty() ? "" : ", ", choice.flag, choice.ValueText());
  }
  return changes;
}

std::string TrustInWords(const Method& method) {
  const TrustModel trust = TrustOf(method);
  if (method.IsOneTable() && !trust.oracle) return "one party holds the rows of everybody";
  return ToString(trust);
}

std::vector<std::string> ReasonsNotPrivate(const Method& method) {
  std::vector<std::string> reasons;
  if (method.heterogeneity == Heterogeneity::kOracle) {
    reasons.emplace_back("--penalty oracle tells clients how unlike everybody they are, which nobody may know");
  }
  if (method.weighting == Weighting::kTrueSizes) {
    reasons.emplace_back("--weighting true-sizes uses the true numbers of rows, which nobody may know");
  }
  if (method.as_published) {
    reasons.emplace_back(
        "--as-published takes scores at half their sensitivity and the true number of rows, and leaves one-way "
        "marginals unpaid");
  }
  return reasons;
}

}  // namespace flaim
