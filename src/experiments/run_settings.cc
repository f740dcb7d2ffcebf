#include "experiments/run_settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "algorithms/federated/choice_names.h"
#include "algorithms/methods/presets.h"
#include "base/status.h"
#include "datasets/catalogue.h"
#include "datasets/synthfs.h"
#include "io/message_text.h"
#include "marginal/workload_spec.h"
#include "partition/clustering.h"
#include "partition/label_skew.h"
#include "partition/partition.h"

namespace flaim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostRounds = 100'000;
constexpr double kMostBeta = 1e6;
constexpr std::int64_t kMostSeed = std::numeric_limits<std::int64_t>::max();
constexpr double kMostEpsilon = 1e4;
constexpr std::string_view kAnneal = "anneal";
// Rounds per column that annealing starts from, in the paper.
constexpr const char* kCentralAnnealing = "16";
constexpr const char* kFederatedAnnealing = "8";
// Of the paper: 64 three-way marginals at random.
constexpr const char* kPaperWorkload = "random:64:3:0";
constexpr std::int64_t kPaperClients = 100;
constexpr double kDefaultSynthBeta = 2;

constexpr std::array<std::pair<std::string_view, Dealing>, 4> kDealings = {{{"own", Dealing::kOwn},
                                                                            {"iid", Dealing::kIid},
                                                                            {"clusters", Dealing::kClusters},
                                                                            {"label-skew", Dealing::kLabelSkew}}};

std::optional<double> RealOf(const SettingValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

Setting Text(std::string_view name, std::string_view belongs, std::string RunSettings::*field) {
  return {name, belongs,
          [field](RunSettings& settings, const SettingValue& value) {
            const auto* text = std::get_if<std::string>(&value);
            if (text == nullptr || text->empty()) return false;
            settings.*field = *text;
            return true;
          },
          [field](const RunSettings& settings) { return (settings.*field).empty() ? Json() : Json(settings.*field); }};
}

template <typename Field>
Setting Whole(std::string_view name, std::string_view belongs, std::int64_t least, std::int64_t most, Field get_field) {
  return {name, belongs,
          [=](RunSettings& settings, const SettingValue& value) {
            const auto* number = std::get_if<std::int64_t>(&value);
            if (number == nullptr || *number < least || *number > most) return false;
            auto& field = get_field(settings);
            field = static_cast<std::decay_t<decltype(*field)>>(*number);
            return true;
          },
          [=](const RunSettings& settings) {
            const auto& field = get_field(settings);
            return field ? Json(*field) : Json();
          }};
}

template <typename Field>
Setting Real(std::string_view name, std::string_view belongs, double above, double most, Field get_field) {
  return {name, belongs,
          [=](RunSettings& settings, const SettingValue& value) {
            const std::optional<double> number = RealOf(value);
            if (!number || !(*number > above) || *number > most) return false;
            get_field(settings) = *number;
            return true;
          },
          [=](const RunSettings& settings) {
            const auto& field = get_field(settings);
            return field ? Json(*field) : Json();
          }};
}

template <typename Choice>
Setting Named(std::string_view name, std::string MethodChanges::*field) {
  static const std::string belongs = fmt::format("one of {}", fmt::join(NamesOf<Choice>(), ", "));
  return {name, belongs,
          [field](RunSettings& settings, const SettingValue& value) {
            const auto* text = std::get_if<std::string>(&value);
            const std::vector<std::string> names = NamesOf<Choice>();
            if (text == nullptr || std::find(names.begin(), names.end(), *text) == names.end()) return false;
            settings.request.method.*field = *text;
            return true;
          },
          [field](const RunSettings& settings) {
            const std::string& text = settings.request.method.*field;
            return text.empty() ? Json() : Json(text);
          }};
}

template <typename Field>
Setting YesOrNo(std::string_view name, Field get_field) {
  return {name, "true or false",
          [=](RunSettings& settings, const SettingValue& value) {
            const auto* yes = std::get_if<bool>(&value);
            if (yes != nullptr) get_field(settings) = *yes;
            return yes != nullptr;
          },
          [=](const RunSettings& settings) { return get_field(settings) ? Json(true) : Json(); }};
}

Setting PartitionSetting() {
  return {"partition", "own, iid, clusters or label-skew",
          [](RunSettings& settings, const SettingValue& value) {
            const auto* text = std::get_if<std::string>(&value);
            for (const auto& [name, dealing] : kDealings) {
              if (text == nullptr || *text != name) continue;
              settings.partition = dealing;
              return true;
            }
            return false;
          },
          [](const RunSettings& settings) {
            for (const auto& [name, dealing] : kDealings) {
              if (settings.partition == dealing) return Json(name);
            }
            return Json();
          }};
}

Setting RoundsSetting() {
  return {"rounds", "a number of rounds, or \"anneal\"",
          [](RunSettings& settings, const SettingValue& value) {
            std::optional<int>& rounds = settings.request.method.rounds;
            const auto* number = std::get_if<std::int64_t>(&value);
            const auto* text = std::get_if<std::string>(&value);
            settings.annealed = text != nullptr && *text == kAnneal;
            rounds.reset();
            if (number != nullptr && *number >= 1 && *number <= kMostRounds) rounds = static_cast<int>(*number);
            return settings.annealed || rounds.has_value();
          },
          [](const RunSettings& settings) {
            const std::optional<int>& rounds = settings.request.method.rounds;
            if (settings.annealed) return Json(kAnneal);
            return rounds ? Json(*rounds) : Json();
          }};
}

Setting AvailabilitySetting() {
  return {"availability", "poisson, turns or all",
          [](RunSettings& settings, const SettingValue& value) {
            const auto* text = std::get_if<std::string>(&value);
            if (text == nullptr || text->starts_with("trace:") || !ExplainBadAvailability(*text).empty()) return false;
            settings.request.availability = *text;
            return true;
          },
          [](const RunSettings& settings) {
            return settings.request.availability.empty() ? Json() : Json(settings.request.availability);
          }};
}

Setting PresetSetting() {
  return {"preset", "the name of a method: see `flaim methods`",
          [](RunSettings& settings, const SettingValue& value) {
            const auto* text = std::get_if<std::string>(&value);
            if (text == nullptr || !ExplainUnknownMethod(*text).empty()) return false;
            settings.request.method.method = *text;
            return true;
          },
          [](const RunSettings& settings) {
            const std::string& preset = settings.request.method.method;
            return preset.empty() ? Json() : Json(preset);
          }};
}

std::vector<Setting> MakeSettings() {
  const auto changes = [](auto& settings) -> auto& { return settings.request.method; };
  return {
      Text("dataset", "the name of a dataset: see `flaim data list`", &RunSettings::dataset),
      PartitionSetting(),
      Whole(
          "clients", "a number of clients", 1, static_cast<std::int64_t>(kMaxClients),
          [](auto& settings) -> auto& { return settings.clients; }),
      Real(
          "beta", "a number above 0", 0, kMostBeta, [](auto& settings) -> auto& { return settings.beta; }),
      Whole(
          "data-seed", "a whole number, 0 or more", 0, kMostSeed,
          [](auto& settings) -> auto& { return settings.data_seed; }),
      Text("workload", "a workload as for `flaim simulate`, or \"own\"", &RunSettings::workload),
      PresetSetting(),
      RoundsSetting(),
      Whole(
          "local-steps", "a number of steps, 1 to 100", 1,
          100, [=](auto& settings) -> auto& { return changes(settings).local_steps; }),
      Named<LocalStepping>("local-stepping", &MethodChanges::local_stepping),
      Real(
          "participation", "a rate above 0, at most 1", 0, 1,
          [](auto& settings) -> auto& { return settings.request.participation; }),
      AvailabilitySetting(),
      Named<Accounting>("accounting", &MethodChanges::accounting),
      Whole(
          "cap", "a number of rounds", 1, kMostRounds, [=](auto& settings) -> auto& { return changes(settings).cap; }),
      Named<Selection>("selection", &MethodChanges::selection),
      Named<Heterogeneity>("penalty", &MethodChanges::penalty),
      Named<OneWays>("one-ways", &MethodChanges::one_ways),
      Named<OneWayCandidates>("one-way-candidates", &MethodChanges::one_way_candidates),
      Named<Weighting>("weighting", &MethodChanges::weighting),
      Named<Membership>("membership", &MethodChanges::membership),
      Real(
          "wait-for", "a share above 0, at most 1", 0,
          1, [=](auto& settings) -> auto& { return changes(settings).wait_for; }),
      Whole(
          "choosing-rounds", "a number of rounds", 1,
          kMostRounds, [=](auto& settings) -> auto& { return changes(settings).choosing_rounds; }),
      Whole(
          "marginals", "a number of marginals", 1,
          kMostRounds, [=](auto& settings) -> auto& { return changes(settings).marginals; }),
      Whole(
          "choices-at-once", "a number of marginals, 0 for all of a round", 0,
          kMostRounds, [=](auto& settings) -> auto& { return changes(settings).choices_at_once; }),
      Real(
          "one-way-share", "a share above 0, at most 1", 0,
          1, [=](auto& settings) -> auto& { return changes(settings).one_way_share; }),
      Real(
          "noise-penalty", "a number above 0, at most 1000", 0,
          1000, [=](auto& settings) -> auto& { return changes(settings).noise_penalty; }),
      Real(
          "selection-share", "a share above 0, at most 1", 0,
          1, [=](auto& settings) -> auto& { return changes(settings).selection_share; }),
      YesOrNo(
          "as-published", [=](auto& settings) -> auto& { return changes(settings).as_published; }),
      YesOrNo(
          "paper-fit", [](auto& settings) -> auto& { return settings.request.paper_fit; }),
      Real(
          "epsilon", "a number above 0", 0, kMostEpsilon, [](auto& settings) -> auto& { return settings.epsilon; }),
      Real(
          "delta", "a number above 0, below 1", 0, 1, [](auto& settings) -> auto& { return settings.delta; }),
      Whole(
          "model-cells", "a number of cells", 1, std::int64_t{1} << 40,
          [](auto& settings) -> auto& { return settings.model_cells; }),
      YesOrNo(
          "classifier", [](auto& settings) -> auto& { return settings.classifier; }),
      Whole(
          "seed", "a whole number, 0 or more", 0, kMostSeed, [](auto& settings) -> auto& { return settings.seed; }),
  };
}

template <typename Value>
void FillIn(std::optional<Value>& field, Value value) {
  if (!field) field = value;
}

absl::Status CheckLimits(const RunSettings& settings, bool is_generated) {
  if (settings.workload != kOwnWorkload) RETURN_IF_ERROR(ParseWorkloadSpec(settings.workload).status());
  if (settings.partition == Dealing::kLabelSkew && !(*settings.beta >= kLeastBeta && *settings.beta <= kLargestBeta)) {
    return InvalidArgument("the beta of label skew must be from {:g} to {:g}", kLeastBeta, kLargestBeta);
  }
  if (settings.partition == Dealing::kClusters && *settings.clients > static_cast<std::int64_t>(kMaxClusters)) {
    return InvalidArgument("clusters are for at most {} clients", kMaxClusters);
  }
  if (!is_generated) return absl::OkStatus();
  if (*settings.beta > kSynthFsMaxBeta) return InvalidArgument("the beta of SynthFS is at most {:g}", kSynthFsMaxBeta);
  if (*settings.clients > static_cast<std::int64_t>(kSynthFsMaxClients)) {
    return InvalidArgument("SynthFS is for at most {} clients", kSynthFsMaxClients);
  }
  return absl::OkStatus();
}

absl::Status CompleteData(const DatasetEntry& entry, RunSettings& settings) {
  const bool is_generated = entry.IsGenerated();
  FillIn(settings.data_seed, std::int64_t{0});
  FillIn(settings.partition, entry.has_clients ? Dealing::kOwn : Dealing::kClusters);
  FillIn(settings.clients, kPaperClients);
  if (settings.workload.empty()) settings.workload = entry.split.has_value() ? kOwnWorkload : kPaperWorkload;
  const bool is_own = settings.partition == Dealing::kOwn;
  if (is_own && !entry.has_clients) {
    return InvalidArgument("{} does not come with clients: give partition = iid, clusters or label-skew", entry.name);
  }
  if (settings.workload == kOwnWorkload && !entry.split.has_value()) {
    return InvalidArgument("{} does not come with a workload: give one, such as {}", entry.name, kPaperWorkload);
  }
  if (settings.partition == Dealing::kLabelSkew) {
    if (entry.label.empty()) return InvalidArgument("{} has no label that could be skewed", entry.name);
    if (!settings.beta) return InvalidArgument("partition = label-skew needs a beta");
  } else if (!is_generated) {
    settings.beta.reset();
  }
  if (is_generated) FillIn(settings.beta, kDefaultSynthBeta);
  if (is_own && !is_generated) {
    settings.clients.reset();
    settings.data_seed = 0;
  }
  RETURN_IF_ERROR(CheckLimits(settings, is_generated));
  if (settings.classifier && entry.label.empty()) settings.classifier = false;
  return absl::OkStatus();
}

// A method that has all rows in one place: nobody deals them, and nobody takes part by chance.
void TakeAwayClients(const DatasetEntry& entry, RunSettings& settings) {
  settings.partition.reset();
  settings.request.participation.reset();
  settings.request.availability.clear();
  settings.request.method.local_steps.reset();
  if (entry.IsGenerated()) return;  // clients and beta decide about its rows
  settings.clients.reset();
  settings.beta.reset();
  if (entry.split) settings.data_seed = 0;
}

absl::StatusOr<FederatedRequest> RequestOf(const RunSettings& settings) {
  FederatedRequest request = settings.request;
  ASSIGN_OR_RETURN(const Method preset, FindMethod(request.method.method));
  if (settings.annealed) request.method.anneal = preset.IsOneTable() ? kCentralAnnealing : kFederatedAnnealing;
  return request;
}

absl::StatusOr<RunOptions> OptionsOf(const RunSettings& settings) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(settings.epsilon.value(), settings.delta.value()));
  RunOptions options{.budget = budget};
  options.max_model_cells =
      settings.model_cells.value_or(settings.request.paper_fit ? kPaperModelCells : RunOptions::kDefaultModelCells);
  return options;
}

absl::Status CompleteMethod(const DatasetEntry& entry, RunSettings& settings) {
  FillIn(settings.epsilon, 1.0);
  FillIn(settings.delta, 1e-5);
  FillIn(settings.seed, std::int64_t{1});
  ASSIGN_OR_RETURN(const Method preset, FindMethod(settings.request.method.method));
  if (preset.IsOneTable()) {
    TakeAwayClients(entry, settings);
  } else {
    FillIn(settings.request.participation, kDefaultParticipation);
  }
  MethodChanges& changes = settings.request.method;
  const Selection selection = changes.selection.empty() ? preset.selection : ValueNamed<Selection>(changes.selection);
  const Membership membership =
      changes.membership.empty() ? preset.membership : ValueNamed<Membership>(changes.membership);
  const bool has_pool_that_waits =
      std::holds_alternative<ChooseThenMeasure>(preset.rounds) && membership == Membership::kPool;
  if (selection == Selection::kNone || has_pool_that_waits) {
    changes.rounds.reset();
    settings.annealed = false;
  }
  if (const auto* fixed = std::get_if<FixedRounds>(&preset.rounds);
      fixed != nullptr && selection != Selection::kNone && !settings.annealed) {
    FillIn(changes.rounds, fixed->rounds);
  }
  if (selection != Selection::kLocal && selection != Selection::kRandom) changes.local_steps.reset();
  ASSIGN_OR_RETURN(const FederatedRequest request, RequestOf(settings));
  ASSIGN_OR_RETURN(const RunOptions options, OptionsOf(settings));
  return DraftFederatedPlan(request, options).status();
}

}  // namespace

std::span<const Setting> AllSettings() {
  static const std::vector<Setting> settings = MakeSettings();
  return settings;
}

absl::StatusOr<const Setting*> FindSetting(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Setting& setting : AllSettings()) {
    if (setting.name == name) return &setting;
    names.push_back(setting.name);
  }
  return InvalidArgument("there is no setting {}.{}", QuoteForMessage(name), SuggestNearest(name, names));
}

absl::StatusOr<RunSettings> Complete(RunSettings settings) {
  ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(settings.dataset));
  RETURN_IF_ERROR(CompleteData(entry, settings));
  if (settings.HasMethod()) {
    RETURN_IF_ERROR(CompleteMethod(entry, settings));
  } else {
    settings = OnlyData(settings);
  }
  return settings;
}

absl::StatusOr<FederatedPlan> PlanOf(const RunSettings& settings) {
  ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(settings.dataset));
  ASSIGN_OR_RETURN(const FederatedRequest request, RequestOf(settings));
  ASSIGN_OR_RETURN(const RunOptions options, OptionsOf(settings));
  return MakeFederatedPlan(request, options, entry.columns);
}

RunSettings OnlyData(const RunSettings& settings) {
  RunSettings kept;
  kept.dataset = settings.dataset;
  kept.partition = settings.partition;
  kept.clients = settings.clients;
  kept.beta = settings.beta;
  kept.data_seed = settings.data_seed;
  kept.workload = settings.workload;
  return kept;
}

nlohmann::ordered_json ToJson(const RunSettings& settings) {
  Json json = Json::object();
  for (const Setting& setting : AllSettings()) {
    Json value = setting.get(settings);
    if (!value.is_null()) json[std::string(setting.name)] = std::move(value);
  }
  return json;
}

}  // namespace flaim
