#include "experiments/report/names.h"

#include <array>
#include <utility>

#include "algorithms/choices/choices.h"
#include "datasets/catalogue.h"
#include "experiments/report/number_text.h"
#include "fmt/format.h"

namespace flaim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMegabyte = 1e6;

constexpr auto kResults = std::to_array<ResultName>({
    {"error", "workload error", Better::kLower, 1, "",
     "The mean, over the workload's queries (in the paper 64 random 3-way marginals), of the L1 distance between the "
     "probabilities of the true rows and of the synthetic rows: 0 if they are the same, 2 if they have nothing in "
     "common. Every marginal counts once."},
    {"closure_error", "closure error", Better::kLower, 1, "",
     "The same over all subsets of the workload's queries, each once: with the 1-way and 2-way marginals it is lower."},
    {"model_error", "workload error of the model", Better::kLower, 1, "",
     "The workload error of the model's own marginals, without drawing rows from it."},
    {"model_closure_error", "closure error of the model", Better::kLower, 1, "",
     "The closure error of the model's own marginals, without drawing rows from it."},
    {"nll", "negative log-likelihood", Better::kLower, 1, "",
     "The mean over held-out rows of −log p(row) under the model, in nats. So that no row is impossible, one row in a "
     "million is taken to be uniform over the domain: p is (1 − λ) times the model's probability plus λ over the size "
     "of the domain, λ = 10⁻⁶. The paper does not say how it treats impossible rows."},
    {"impossible_records", "impossible rows", Better::kLower, 1, "",
     "Held-out rows that are impossible under the model before smoothing."},
    {"auc", "test ROC-AUC", Better::kHigher, 1, "",
     "The area under the ROC curve, on held-out true rows, of boosted trees (100, of depth 4) that were trained on "
     "synthetic rows. 0.5 is guessing."},
    {"true_auc", "test ROC-AUC of real rows", Better::kHigher, 1, "", "The same, trained on the real rows."},
    {"heterogeneity", "average heterogeneity", Better::kNeither, 1, "",
     "How unlike everybody's rows a client's rows are: the total variation distance (half the L1 distance) between "
     "both marginals, averaged over the workload's queries and all their subsets, and over the clients. 0 if all "
     "clients are alike, at most 1."},
    {"sent_bytes", "sent by a client", Better::kLower, kMegabyte, "MB",
     "The packed size of the values that a client which took part sent in all rounds together; the mean over those "
     "clients. It is counted, not measured: 4 bytes for an entry of a sum, 8 for a shared cell, nothing for what a "
     "protocol adds. 1 MB is 1,000,000 bytes."},
    {"received_bytes", "received by a client", Better::kLower, kMegabyte, "MB", "The same for what it received."},
    {"bytes", "throughput of a client", Better::kLower, kMegabyte, "MB", "Sent and received together."},
    {"exchanges", "exchanges", Better::kLower, 1, "", "How often the clients were asked for something."},
    {"rounds", "rounds run", Better::kNeither, 1, "", "How many rounds there were in the end."},
    {"took_part", "clients that took part", Better::kNeither, 1, "", "In at least one round."},
    {"epsilon_most", "largest ε spent", Better::kLower, 1, "", "By the client that spent most."},
    {"model_cells", "cells of the model", Better::kNeither, 1, "",
     "Numbers that the model's largest tables hold together."},
});

struct KeyName {
  std::string_view key;
  std::string_view title;
  std::string_view symbol;  // empty if values speak for themselves
};

constexpr auto kKeys = std::to_array<KeyName>({
    {"method", "method", ""},
    {"dataset", "dataset", ""},
    {"partition", "partition", ""},
    {"clients", "clients K", "K"},
    {"beta", "β", "β"},
    {"epsilon", "privacy budget ε", "ε"},
    {"delta", "δ", "δ"},
    {"participation", "participation p", "p"},
});

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPartitions = {
    {{"iid", "IID"}, {"clusters", "clusters"}, {"label-skew", "label skew"}, {"own", "its own clients"}}};

// A choice of the method is called as the table of choices has it, and whatever else by its key.
struct TitleAndSymbol {
  std::string title;
  std::string symbol;
};

TitleAndSymbol Describe(std::string_view key) {
  for (const KeyName& known : kKeys) {
    if (known.key == key) return {std::string(known.title), std::string(known.symbol)};
  }
  const Choice* choice = FindChoice(key);
  if (choice == nullptr || choice->title.empty()) return {std::string(key), std::string(key)};
  return {fmt::format("{} {}", choice->title, choice->symbol), std::string(choice->symbol)};
}

std::string TextTitle(std::string_view key, const std::string& text) {
  if (key == "dataset") {
    const auto dataset = FindDataset(text);
    return dataset.ok() ? dataset->title : text;
  }
  if (key == "partition") {
    for (const auto& [name, title] : kPartitions) {
      if (name == text) return std::string(title);
    }
  }
  return text;
}

}  // namespace

std::span<const ResultName> AllResultNames() { return kResults; }

ResultName DescribeResult(std::string_view name) {
  for (const ResultName& result : kResults) {
    if (result.name == name) return result;
  }
  return {.name = name, .title = name, .unit_name = "", .explanation = ""};
}

std::string TitleWithUnit(const ResultName& result) {
  return result.unit_name.empty() ? std::string(result.title) : fmt::format("{}, {}", result.title, result.unit_name);
}

std::string TitleWithDirection(const ResultName& result) {
  if (result.better == Better::kNeither) return TitleWithUnit(result);
  return fmt::format("{}, {} is better", TitleWithUnit(result), result.better == Better::kLower ? "lower" : "higher");
}

std::string KeyTitle(std::string_view key) { return Describe(key).title; }

std::string ValueTitle(std::string_view key, const Json& value) {
  if (value.is_null()) return "—";
  if (value.is_string()) return TextTitle(key, value.get<std::string>());
  if (value.is_number()) return PlainText(value.get<double>());
  return value.is_boolean() && value.get<bool>() ? "yes" : "no";
}

std::string ValueTitleWithKey(std::string_view key, const Json& value) {
  const std::string symbol = Describe(key).symbol;
  return symbol.empty() ? ValueTitle(key, value) : fmt::format("{} = {}", symbol, ValueTitle(key, value));
}

}  // namespace flaim
