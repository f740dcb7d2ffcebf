#include "experiments/run_settings.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/choices/choice_json.h"
#include "algorithms/choices/scopes.h"
#include "algorithms/methods/presets.h"
#include "base/status.h"
#include "datasets/catalogue.h"
#include "datasets/synthfs.h"
#include "io/message_text.h"
#include "marginal/workload_spec.h"
#include "partition/clustering.h"
#include "partition/label_skew.h"
#include "partition/partition.h"
#include "simulation/research/published_code.h"

namespace flaim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostBeta = 1e6;
constexpr std::int64_t kMostSeed = std::numeric_limits<std::int64_t>::max();
constexpr double kMostEpsilon = 1e4;
constexpr std::string_view kAnneal = "anneal";
// Rounds per column that annealing starts from, in the paper. What anneals by itself starts from its own.
constexpr double kCentralAnnealing = 16;
constexpr double kFederatedAnnealing = 8;
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

Setting Text(std::string_view name, const char* belongs, std::string RunSettings::*field) {
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
Setting Whole(std::string_view name, const char* belongs, std::int64_t least, std::int64_t most, Field get_field) {
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
Setting Real(std::string_view name, const char* belongs, double above, double most, Field get_field) {
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

// One for a choice of the method.
Setting Of(const Choice& choice) {
  return {choice.name, WhatBelongs(choice),
          [&choice](RunSettings& settings, const SettingValue& value) {
            const absl::StatusOr<ChoiceSetting> setting = ChoiceSetting::Create(choice, value);
            if (setting.ok()) settings.request.method.Set(*setting);
            return setting.ok();
          },
          [&choice](const RunSettings& settings) {
            const ChoiceValue* value = settings.request.method.Find(choice.name);
            return value == nullptr ? Json() : ToJson<Json>(*value);
          }};
}

template <typename Field>
Setting Truth(std::string_view name, Field get_field) {
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

// The choice, or "anneal" for the number that the paper anneals from.
Setting RoundsSetting() {
  const Setting number = Of(ChoiceNamed("rounds"));
  return {number.name, fmt::format("{}, or \"{}\"", number.belongs, kAnneal),
          [number](RunSettings& settings, const SettingValue& value) {
            settings.annealed = value == SettingValue(std::string(kAnneal));
            if (settings.annealed) settings.request.method.Unset(number.name);
            return settings.annealed || number.set(settings, value);
          },
          [number](const RunSettings& settings) { return settings.annealed ? Json(kAnneal) : number.get(settings); }};
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
            settings.request.method.preset = *text;
            return true;
          },
          [](const RunSettings& settings) {
            const std::string& preset = settings.request.method.preset;
            return preset.empty() ? Json() : Json(preset);
          }};
}

std::vector<Setting> SettingsOfData() {
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
  };
}

// Those that were there first keep their places, because result lines are known by the order of their settings.
std::vector<Setting> SettingsOfMethod() {
  std::vector<Setting> settings = {
      PresetSetting(),
      RoundsSetting(),
      Of(ChoiceNamed("local-steps")),
      Of(ChoiceNamed("local-stepping")),
      Real(
          "participation", "a rate above 0, at most 1", 0, 1,
          [](auto& run) -> auto& { return run.request.participation; }),
      AvailabilitySetting(),
      Of(ChoiceNamed("accounting")),
      Of(ChoiceNamed("cap")),
  };
  for (const Choice& choice : AllChoices()) {
    const auto is_it = [&](const Setting& setting) { return setting.name == choice.name; };
    if (std::none_of(settings.begin(), settings.end(), is_it)) settings.push_back(Of(choice));
  }
  settings.push_back(Truth(
      "paper-fit", [](auto& run) -> auto& { return run.request.paper_fit; }));
  settings.push_back(Truth(
      "published-code", [](auto& run) -> auto& { return run.research.is_published_code; }));
  return settings;
}

std::vector<Setting> SettingsOfRun() {
  return {
      Real(
          "epsilon", "a number above 0", 0, kMostEpsilon, [](auto& settings) -> auto& { return settings.epsilon; }),
      Real(
          "delta", "a number above 0, below 1", 0, 1, [](auto& settings) -> auto& { return settings.delta; }),
      Whole(
          "model-cells", "a number of cells", 1, std::int64_t{1} << 40,
          [](auto& settings) -> auto& { return settings.model_cells; }),
      Truth(
          "classifier", [](auto& settings) -> auto& { return settings.classifier; }),
      Truth(
          "swap-rows", [](auto& settings) -> auto& { return settings.swap_rows; }),
      Whole(
          "seed", "a whole number, 0 or more", 0, kMostSeed, [](auto& settings) -> auto& { return settings.seed; }),
  };
}

std::vector<Setting> MakeSettings() {
  std::vector<Setting> settings;
  for (std::vector<Setting>& part : std::array{SettingsOfData(), SettingsOfMethod(), SettingsOfRun()}) {
    std::move(part.begin(), part.end(), std::back_inserter(settings));
  }
  return settings;
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
  if (entry.IsGenerated()) return;  // clients and beta decide about its rows
  settings.clients.reset();
  settings.beta.reset();
  if (entry.split) settings.data_seed = 0;
}

bool AnnealsByItself(const Method& preset) { return std::holds_alternative<Annealed>(preset.rounds); }

absl::StatusOr<RunRequest> RequestOf(const RunSettings& settings) {
  RunRequest request = settings.request;
  ASSIGN_OR_RETURN(const Method preset, FindMethod(request.method.preset));
  if (settings.annealed && request.method.Find("anneal") == nullptr) {
    request.method.Set("anneal", preset.IsOneTable() ? kCentralAnnealing : kFederatedAnnealing);
  }
  return request;
}

absl::StatusOr<RunOptions> OptionsOf(const RunSettings& settings) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(settings.epsilon.value(), settings.delta.value()));
  RunOptions options{.budget = budget};
  options.max_model_cells =
      settings.model_cells.value_or(settings.request.paper_fit ? kPaperModelCells : RunOptions::kDefaultModelCells);
  return options;
}

// What a grid tries on all its methods is left out where it makes no difference, and filled in where it does.
absl::Status CompleteChoices(RunSettings& settings) {
  MethodChanges& changes = settings.request.method;
  ASSIGN_OR_RETURN(const Method preset, FindMethod(changes.preset));
  if (AnnealsByItself(preset)) settings.annealed = false;
  ASSIGN_OR_RETURN(const RunRequest request, RequestOf(settings));
  ASSIGN_OR_RETURN(const Method method, MakeUncheckedMethod(request.method));
  if (!AppliesTo(ChoiceNamed("local-steps"), method)) changes.Unset("local-steps");
  if (!HasRoundsToChoose(method)) {
    changes.Unset("rounds");
    changes.Unset("anneal");
    settings.annealed = false;
  } else if (const auto* fixed = std::get_if<FixedRounds>(&method.rounds)) {
    changes.Set("rounds", fixed->rounds);
  }
  return absl::OkStatus();
}

absl::Status CompleteMethod(const DatasetEntry& entry, RunSettings& settings) {
  FillIn(settings.epsilon, 1.0);
  FillIn(settings.delta, 1e-5);
  FillIn(settings.seed, std::int64_t{1});
  ASSIGN_OR_RETURN(const Method preset, FindMethod(settings.request.method.preset));
  if (preset.IsOneTable()) {
    TakeAwayClients(entry, settings);
  } else {
    FillIn(settings.request.participation, kDefaultParticipation);
  }
  RETURN_IF_ERROR(CompleteChoices(settings));
  ASSIGN_OR_RETURN(const RunRequest request, RequestOf(settings));
  ASSIGN_OR_RETURN(const RunOptions options, OptionsOf(settings));
  ASSIGN_OR_RETURN(const RunPlan plan, DraftRunPlan(request, options));
  return settings.research.is_published_code ? CheckHasPublishedCode(plan.method) : absl::OkStatus();
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

absl::StatusOr<RunPlan> PlanOf(const RunSettings& settings) {
  ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(settings.dataset));
  ASSIGN_OR_RETURN(const RunRequest request, RequestOf(settings));
  ASSIGN_OR_RETURN(const RunOptions options, OptionsOf(settings));
  ASSIGN_OR_RETURN(RunPlan plan, MakeRunPlan(request, options, entry.columns));
  if (settings.research.is_published_code) RETURN_IF_ERROR(RunAsPublished(plan, entry.columns));
  return plan;
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
