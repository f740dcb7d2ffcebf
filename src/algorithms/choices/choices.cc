#include "algorithms/choices/choices.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "algorithms/choices/scopes.h"
#include "base/check.h"
#include "fmt/format.h"

namespace flaim {
namespace {

template <typename Value>
struct Meant {
  std::string_view name;
  Value value;
  std::string_view meaning;
};

template <typename Value>
Choice Named(std::string_view name, std::string_view meaning, const Scope& scope, Value Method::*field,
             const std::vector<Meant<Value>>& values) {
  Names names;
  for (const Meant<Value>& value : values) names.values.push_back({value.name, value.meaning});
  return {.name = name,
          .meaning = meaning,
          .kind = std::move(names),
          .scope = scope,
          .get = [=](const Method& method) -> std::optional<ChoiceValue> {
            for (const Meant<Value>& value : values) {
              if (value.value == method.*field) return std::string(value.name);
            }
            CHECK(false, "a value of {} has no name", name);
          },
          .set =
              [=](Method& method, const ChoiceValue& chosen) {
                for (const Meant<Value>& value : values) {
                  if (value.name == std::get<std::string>(chosen)) method.*field = value.value;
                }
              }};
}

template <typename Written, typename FieldOf>
Choice Plain(std::string_view name, std::string_view meaning, const Scope& scope, const ChoiceKind& kind,
             FieldOf field_of) {
  return {.name = name,
          .meaning = meaning,
          .kind = kind,
          .scope = scope,
          .get = [=](const Method& method) -> std::optional<ChoiceValue> {
            const auto* field = field_of(method);
            if (field == nullptr) return std::nullopt;
            return static_cast<Written>(*field);
          },
          .set =
              [=](Method& method, const ChoiceValue& value) {
                auto* field = field_of(method);
                if (field != nullptr) *field = static_cast<std::decay_t<decltype(*field)>>(std::get<Written>(value));
              }};
}

template <typename FieldOf>
Choice Whole(std::string_view name, std::string_view meaning, const Scope& scope, WholeNumbers range,
             FieldOf field_of) {
  return Plain<std::int64_t>(name, meaning, scope, range, field_of);
}

template <typename FieldOf>
Choice Real(std::string_view name, std::string_view meaning, const Scope& scope, RealNumbers range, FieldOf field_of) {
  return Plain<double>(name, meaning, scope, range, field_of);
}

template <typename Number>
auto In(Number Method::*field) {
  return [field](auto& method) { return &(method.*field); };
}

template <typename Plan, typename Number>
auto In(Number Plan::*field) {
  return [field](auto& method) {
    auto* plan = std::get_if<Plan>(&method.rounds);
    return plan == nullptr ? nullptr : &(plan->*field);
  };
}

Choice ForOneTableToo(Choice choice) {
  choice.is_for_one_table = true;
  return choice;
}

constexpr WholeNumbers kCount = {.least = 1, .most = kMostRounds};
constexpr WholeNumbers kCountOrNone = {.least = 0, .most = kMostRounds};
constexpr WholeNumbers kLocalStepCount = {.least = 1, .most = 100};
constexpr RealNumbers kAnyShare = {.low = 0, .high = 1};
constexpr RealNumbers kProperShare = {.low = 0, .high = 1, .has_low = false, .has_high = false};
constexpr RealNumbers kPenalty = {.low = 0, .high = 1000};
constexpr RealNumbers kRoundsPerColumn = {.low = 0, .high = kMostRounds, .has_low = false, .is_text = true};

void SetRounds(Method& method, const ChoiceValue& value) {
  const int rounds = static_cast<int>(std::get<std::int64_t>(value));
  auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
  if (once == nullptr) {
    method.rounds = FixedRounds{rounds};
  } else if (HasRoundsToChoose(method)) {
    const ChooseThenMeasure suited = ChooseThenMeasure::For(rounds);
    once->rounds = suited.rounds;
    once->choosing_rounds = suited.choosing_rounds;
    once->marginals = suited.marginals;
  }
}

Choice RoundsChoice() {
  Choice choice = Whole("rounds", "how many rounds", scopes::kFixedRounds, kCount, [](auto& method) {
    auto* fixed = std::get_if<FixedRounds>(&method.rounds);
    auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
    return fixed != nullptr ? &fixed->rounds : once != nullptr ? &once->rounds : nullptr;
  });
  choice.set = SetRounds;
  choice.title = "global rounds";
  choice.symbol = "T";
  return choice;
}

Choice AnnealChoice() {
  Choice choice = Real("anneal", "as many rounds as pay off, with falling noise: how many for each column at first",
                       scopes::kAnnealedRounds, kRoundsPerColumn, In(&Annealed::rounds_per_attribute));
  choice.set = [](Method& method, const ChoiceValue& value) { method.rounds = Annealed{std::get<double>(value)}; };
  choice.bare_flag = "8";
  return choice;
}

Choice LocalStepsChoice() {
  Choice choice = Whole("local-steps", "marginals that a client chooses in a round", scopes::kChoiceByClients,
                        kLocalStepCount, In(&Method::local_steps));
  choice.title = "local steps";
  choice.symbol = "s";
  return choice;
}

std::vector<Choice> OfSelection() {
  return {
      Named<Selection>(
          "selection", "who chooses the marginals to measure, and from what", scopes::kEveryMethod, &Method::selection,
          {{"local", Selection::kLocal, "each client chooses from its own rows and releases its choice"},
           {"random", Selection::kRandom, "each client chooses at random, for free"},
           {"none", Selection::kNone, "one-way marginals only"},
           {"summed-scores", Selection::kSummedScores, "from the noisy sum of the clients' scores"},
           {"noisy-sums", Selection::kNoisySums, "from noisy sums of the pairs, which the first groups measure"},
           {"score-of-sum", Selection::kScoreOfSum, "by compute parties, on the score of the summed counts"}}),
      Named<Penalty>("penalty", "what a client's score allows for being unlike others", scopes::kChoiceFromOwnRows,
                     &Method::penalty,
                     {{"none", Penalty::kNone, "a client does not ask how unlike everybody its rows are"},
                      {"oracle", Penalty::kOracle, "a client knows how unlike everybody its rows are: NOT private"},
                      {"proxy", Penalty::kProxy,
                       "a client guesses how unlike everybody its rows are from noisy one-way marginals"}}),
      Named<OneWays>("one-ways", "when one-way marginals are measured", scopes::kEveryMethod, &Method::one_ways,
                     {{"first", OneWays::kFirstRound, "measured once, before the first round"},
                      {"every", OneWays::kEveryRound, "measured in every round"}}),
      ForOneTableToo(Named<bool>("one-way-candidates", "whether one-way marginals can be chosen", scopes::kEveryMethod,
                                 &Method::one_way_candidates,
                                 {{"keep", true, "one-way marginals can be chosen like others"},
                                  {"filter", false, "one-way marginals cannot be chosen"}})),
      Named<Weighting>(
          "weighting", "how much a measurement counts in the fit", scopes::kEveryMethod, &Method::weighting,
          {{"same-rows", Weighting::kSameRows, "as measured, because every sum is of the same rows"},
           {"inverse-sigma", Weighting::kInverseSigma, "a measurement counts by its noise, whoever contributed"},
           {"true-sizes", Weighting::kTrueSizes, "a measurement counts by its true number of rows: NOT private"},
           {"noisy-sizes", Weighting::kNoisySizes, "a measurement counts by its noisy number of rows"},
           {"heterogeneity", Weighting::kHeterogeneity,
            "a measurement counts by its noise and the differences between rounds"}}),
  };
}

std::vector<Choice> OfService() {
  return {
      Named<Membership>(
          "membership", "who answers in a round", scopes::kEveryMethod, &Method::membership,
          {{"present", Membership::kPresent, "whoever is available now answers"},
           {"pool", Membership::kPool, "whoever was ever available has shared its counts with compute parties"},
           {"one-table", Membership::kOneTable, "somebody holds all rows in one table"}}),
      Real("wait-for", "share of the clients that must be in the pool at first", scopes::kPool, kAnyShare,
           In(&Method::pool_share_at_start)),
      ForOneTableToo(Named<Accounting>(
          "accounting", "what a client's rows are charged for", scopes::kEveryMethod, &Method::accounting,
          {{"paper", Accounting::kPaper, "a client's rows pay as if it took part in every round"},
           {"cap", Accounting::kCapped, "a client's rows pay for as many rounds as its cap lets it serve in"},
           {"exact", Accounting::kExact, "as cap, with the noise that the exact accountant finds sufficient"}})),
      Whole("cap", "in how many rounds a client serves before it declines", scopes::kCap, kCount,
            In(&Method::participation_cap)),
  };
}

std::vector<Choice> OfRounds() {
  return {
      ForOneTableToo(RoundsChoice()),
      ForOneTableToo(AnnealChoice()),
      Whole("choosing-rounds", "the first rounds, which also choose", scopes::kChooseThenMeasure, kCount,
            In(&ChooseThenMeasure::choosing_rounds)),
      Whole("marginals", "how many to choose, over all rounds", scopes::kChooseThenMeasure, kCount,
            In(&ChooseThenMeasure::marginals)),
      Whole("choices-at-once", "marginals chosen from one look at the scores; 0 is all of a round",
            scopes::kChooseThenMeasure, kCountOrNone, In(&ChooseThenMeasure::choices_at_once)),
      Real("one-way-share", "of what is spent on counts, for one-way marginals", scopes::kChooseThenMeasure,
           kProperShare, In(&ChooseThenMeasure::one_way_share)),
  };
}

std::vector<Choice> OfScores() {
  return {
      LocalStepsChoice(),
      Named<LocalStepping>(
          "local-stepping", "what a client does between two local steps", scopes::kSeveralLocalSteps, &Method::stepping,
          {{"peel", LocalStepping::kPeeling, "a client goes on with the scores it has, without what it chose"},
           {"measure", LocalStepping::kMeasuring,
            "a client measures what it chose and fits a model of its own, and pays for it"}}),
      ForOneTableToo(Real("noise-penalty",
                          "how many times the noise that measuring a marginal adds is taken off its score",
                          scopes::kScores, kPenalty, In(&Method::noise_penalty))),
      ForOneTableToo(Real("selection-share", "of the budget, for choosing", scopes::kScores, kProperShare,
                          In(&Method::selection_share))),
      ForOneTableToo(Real("improvement-threshold",
                          "how many times its noise a round must move the model by, or the noise halves",
                          scopes::kAnnealedRounds, kPenalty, In(&Method::improvement_threshold))),
  };
}

std::vector<Choice> MakeTable() {
  std::vector<Choice> table;
  for (std::vector<Choice>& part : std::array{OfSelection(), OfService(), OfRounds(), OfScores()}) {
    std::move(part.begin(), part.end(), std::back_inserter(table));
  }
  return table;
}

template <typename Condition>
const Choice* FindIf(Condition condition) {
  const std::span<const Choice> all = AllChoices();
  const auto found = std::find_if(all.begin(), all.end(), condition);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Choice> AllChoices() {
  static const auto& table = *new std::vector<Choice>(MakeTable());
  return table;
}

const Choice& ChoiceNamed(std::string_view name) {
  const Choice* choice = FindChoice(name);
  CHECK(choice != nullptr, "there is no choice '{}'", name);
  return *choice;
}

const Choice* FindChoice(std::string_view name) {
  return FindIf([&](const Choice& choice) { return choice.name == name; });
}

const Choice* FindField(std::string_view field_name) {
  return FindIf([&](const Choice& choice) { return FieldName(choice) == field_name; });
}

bool AppliesTo(const Choice& choice, const Method& method) {
  return choice.scope.includes(method) && (choice.is_for_one_table || !method.IsOneTable());
}

std::string WhyItHasNoUse(const Choice& choice, const Method& method) {
  if (method.IsOneTable() && !choice.is_for_one_table) {
    return fmt::format("{} has no use in {}, which has no clients that could choose, wait or decline", choice.name,
                       method.name);
  }
  return fmt::format("{} has no use in {} as it is: it is for {}", choice.name, method.name, choice.scope.in_words);
}

}  // namespace flaim
