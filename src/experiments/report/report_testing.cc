#include "experiments/report/report_testing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace flaim {
namespace {

using Json = nlohmann::ordered_json;

struct FakeMethod {
  const char* name;
  double error;  // on Adult, at epsilon 1
  double nll;    // likewise
  double bytes;  // for ten rounds
  bool is_one_table = false;
  bool is_ours = false;
};

constexpr std::array<FakeMethod, 8> kMethods = {{
    {"NaiveFLAIM", 0.80, 29.28, 60e3},
    {"AugFLAIM (Oracle)", 0.62, 23.91, 61e3},
    {"AugFLAIM (Private)", 0.43, 21.74, 63e3},
    {"DistAIM", 0.42, 21.41, 80e6},
    {"FedNaiveBayes", 0.71, 25.33, 9e3},
    {"FLAIM-Once", 0.31, 20.6, 41e3, false, true},
    {"FLAIM-Pool", 0.27, 20.1, 2.3e6, false, true},
    {"AIM", 0.20, 19.30, 0, true},
}};

struct FakeDataset {
  const char* name;
  double scale;  // of errors
};

constexpr std::array<FakeDataset, 7> kDatasets = {{{"adult", 1},
                                                   {"magic", 2.4},
                                                   {"census", 1.1},
                                                   {"covtype", 0.4},
                                                   {"credit", 0.35},
                                                   {"intrusion", 0.75},
                                                   {"marketing", 1.5}}};

class Fakery {
 public:
  Fakery(std::string name, std::string title, std::string about, std::uint64_t seed) : random_(seed) {
    results_.experiment.name = std::move(name);
    results_.experiment.title = std::move(title);
    results_.experiment.about = std::move(about);
    for (const FakeMethod& method : kMethods) {
      results_.experiment.methods.emplace_back(method.name);
      if (method.is_ours) results_.experiment.ours.emplace_back(method.name);
    }
  }

  static RunSettings SettingsOf(const FakeMethod& method, const FakeDataset& dataset, int seed) {
    RunSettings settings;
    settings.dataset = dataset.name;
    settings.data_seed = 0;
    settings.seed = seed;
    settings.epsilon = 1;
    settings.delta = 1e-5;
    settings.request.method.preset = method.name;
    settings.request.method.Set("rounds", 10);
    if (method.is_one_table) return settings;
    settings.partition = Dealing::kClusters;
    settings.clients = 100;
    settings.request.participation = 0.1;
    return settings;
  }

  Json ResultsOf(const FakeMethod& method, const FakeDataset& dataset, double factor) {
    std::normal_distribution<double> noise(0, 0.03);
    Json results;
    results["error"] = std::min(1.95, method.error * dataset.scale * factor * (1 + noise(random_)));
    results["nll"] = method.nll * (0.6 + 0.4 * dataset.scale) * std::pow(factor, 0.2) * (1 + noise(random_) / 3);
    results["auc"] = 0.93 - 0.3 * method.error * factor * (1 + noise(random_));
    if (!method.is_one_table) results["bytes"] = method.bytes * (1 + noise(random_));
    return results;
  }

  ExperimentResults& Results() { return results_; }
  Experiment& Plan() { return results_.experiment; }

 private:
  std::mt19937_64 random_;
  ExperimentResults results_;
};

}  // namespace

void AddRun(ExperimentResults& experiment, const std::string& method, const RunSettings& settings, const Json& results,
            const std::string& failure) {
  const PlannedRun run = {method, settings};
  experiment.experiment.runs.push_back(run);
  if (results.is_null() && failure.empty()) return;
  experiment.runs[run.Key()] = {ToJson(settings), results, failure};
  const double seconds = 1.5 + static_cast<double>(experiment.runs.size() % 7);
  experiment.costs[run.Key()] = {seconds, 0.95 * seconds, 180};
}

ViewedRun MakeViewedRun(std::string method, Json settings, Json results) {
  ViewedRun run;
  run.method = std::move(method);
  run.settings = std::move(settings);
  run.results = std::move(results);
  return run;
}

ExperimentResults FakeManyDatasets(int seeds) {
  Fakery fake("table2", "Table 2: seven datasets",
              "K = 100, p = 0.1, ε = 1, T = 10, rows dealt by clusters. Made-up numbers for looking at reports.", 1);
  for (const FakeDataset& dataset : kDatasets) {
    for (const FakeMethod& method : kMethods) {
      const bool has_fewer = std::string(method.name) == "FLAIM-Pool" && seeds > 3;
      for (int seed = 1; seed <= (has_fewer ? 3 : seeds); ++seed) {
        const RunSettings settings = Fakery::SettingsOf(method, dataset, seed);
        const bool fails =
            std::string(dataset.name) == "magic" && std::string(method.name) == "NaiveFLAIM" && seed == 2;
        const bool is_to_come = std::string(dataset.name) == "marketing" && std::string(method.name) == "DistAIM";
        const Json results = fails || is_to_come ? Json() : fake.ResultsOf(method, dataset, 1);
        AddRun(fake.Results(), method.name, settings, results, fails ? "the model would need 3.1 GB <of memory>" : "");
      }
    }
  }
  fake.Plan().tables.push_back({.title = "Workload error and negative log-likelihood",
                                .kind = TableKind::kMeans,
                                .rows = {"method"},
                                .columns = "dataset",
                                .cells = {"error", "nll"},
                                .method = "",
                                .against = ""});
  const auto print = [&](const char* method, const char* dataset, double error, double nll) {
    fake.Plan().paper.push_back({{{"method", method}, {"dataset", dataset}}, {{"error", error}, {"nll", nll}}, ""});
  };
  print("NaiveFLAIM", "adult", 0.8, 29.28);
  print("NaiveFLAIM", "magic", 1.64, 2587.5);
  print("AugFLAIM (Private)", "adult", 0.43, 21.74);
  print("AugFLAIM (Private)", "credit", 0.14, 16.33);
  print("DistAIM", "marketing", 0.66, 40.57);
  print("AIM", "adult", 0.2, 19.3);
  print("Fed DP-CTGAN", "adult", 1.37, 37.1);
  return std::move(fake.Results());
}

ExperimentResults FakeByEpsilon(int seeds) {
  Fakery fake("figure3a", "Figure 3a: privacy budget", "Workload error by ε, T = 10, p = 0.1.", 2);
  for (const FakeDataset& dataset : {kDatasets[0], kDatasets[1], kDatasets[4]}) {
    for (const FakeMethod& method : kMethods) {
      for (const double epsilon : {0.5, 1.0, 2.0, 3.0, 4.0, 5.0}) {
        for (int seed = 1; seed <= seeds; ++seed) {
          RunSettings settings = Fakery::SettingsOf(method, dataset, seed);
          settings.epsilon = epsilon;
          AddRun(fake.Results(), method.name, settings, fake.ResultsOf(method, dataset, std::pow(epsilon, -0.35)));
        }
      }
    }
  }
  fake.Plan().plots.push_back({.title = "Workload error by ε", .x = "epsilon", .y = "error"});
  fake.Plan().plots.push_back({.title = "Negative log-likelihood by ε", .x = "epsilon", .y = "nll"});
  return std::move(fake.Results());
}

ExperimentResults FakeByParticipation(int seeds) {
  Fakery fake("figure3c", "Figure 3c: participation", "Workload error by p, T = 10, ε = 1, on Adult.", 3);
  for (const FakeMethod& method : kMethods) {
    for (const double participation : {0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0}) {
      for (int seed = 1; seed <= seeds; ++seed) {
        RunSettings settings = Fakery::SettingsOf(method, kDatasets[0], seed);
        if (!method.is_one_table) settings.request.participation = participation;
        const double factor = method.is_one_table ? 1 : std::pow(participation / 0.1, -0.2);
        AddRun(fake.Results(), method.name, settings, fake.ResultsOf(method, kDatasets[0], factor));
      }
      if (method.is_one_table) break;
    }
  }
  fake.Plan().plots.push_back({.title = "Workload error by participation", .x = "participation", .y = "error"});
  return std::move(fake.Results());
}

ExperimentResults FakeByRounds(int seeds) {
  Fakery fake("figure3b", "Figure 3b, Tables 3 and 7: rounds", "Workload error by T, ε = 1, p = 0.1.", 4);
  for (const FakeDataset& dataset : {kDatasets[0], kDatasets[1]}) {
    for (const FakeMethod& method : kMethods) {
      for (const int rounds : {0, 4, 8, 16, 32, 96}) {
        for (int seed = 1; seed <= seeds; ++seed) {
          RunSettings settings = Fakery::SettingsOf(method, dataset, seed);
          settings.request.method.Unset("rounds");
          settings.annealed = rounds == 0;
          if (rounds > 0) settings.request.method.Set("rounds", rounds);
          const bool is_steady = std::string(method.name).find("AIM") == std::string(method.name).size() - 3;
          const double distance = std::log2((rounds == 0 ? 40 : rounds) / (is_steady ? 32.0 : 8.0));
          Json results = fake.ResultsOf(method, dataset, 1 + 0.06 * distance * distance);
          if (results.contains("bytes") && !is_steady) results["bytes"] = results["bytes"].get<double>() * rounds / 10;
          AddRun(fake.Results(), method.name, settings, results);
        }
      }
    }
  }
  fake.Plan().tables.push_back({.title = "DistAIM against AugFLAIM (Private) at their best T",
                                .kind = TableKind::kOverhead,
                                .rows = {"dataset"},
                                .columns = "",
                                .cells = {"error", "nll"},
                                .method = "DistAIM",
                                .against = "AugFLAIM (Private)"});
  fake.Plan().tables.push_back({.title = "Throughput of DistAIM over AugFLAIM (Private)",
                                .kind = TableKind::kRatio,
                                .rows = {"dataset"},
                                .columns = "rounds",
                                .cells = {"bytes"},
                                .method = "DistAIM",
                                .against = "AugFLAIM (Private)"});
  fake.Plan().plots.push_back(
      {.title = "Workload error by rounds", .x = "rounds", .y = "error", .logarithmic_x = true});
  fake.Plan().paper.push_back(
      {{{"dataset", "adult"}},
       {{"rounds_overhead", 2}, {"bytes_overhead", 1300}, {"error_improvement", 58}, {"nll_improvement", 11}},
       ""});
  fake.Plan().paper.push_back({{{"dataset", "adult"}, {"rounds", std::int64_t{4}}}, {{"bytes_ratio", 3990}}, ""});
  return std::move(fake.Results());
}

ExperimentResults FakeRanks(int seeds) {
  Fakery fake("table6", "Table 6: annealing", "Mean ranks over datasets and seeds, T by annealing.", 5);
  for (const FakeDataset& dataset : kDatasets) {
    for (const FakeMethod& method : kMethods) {
      for (const double epsilon : {1.0, 2.0, 3.0, 5.0}) {
        for (int seed = 1; seed <= seeds; ++seed) {
          RunSettings settings = Fakery::SettingsOf(method, dataset, seed);
          settings.epsilon = epsilon;
          settings.request.method.Unset("rounds");
          settings.annealed = true;
          AddRun(fake.Results(), method.name, settings, fake.ResultsOf(method, dataset, 1));
        }
      }
    }
  }
  fake.Plan().tables.push_back({.title = "Mean ranks",
                                .kind = TableKind::kRanks,
                                .rows = {"method"},
                                .columns = "epsilon",
                                .cells = {"error", "nll"},
                                .method = "",
                                .against = ""});
  fake.Plan().paper.push_back(
      {{{"method", "NaiveFLAIM"}, {"epsilon", std::int64_t{1}}}, {{"error", 4.65}, {"nll", 4.75}}, ""});
  return std::move(fake.Results());
}

ExperimentResults FakeHeterogeneity(int seeds) {
  Fakery fake("table5", "Table 5: heterogeneity", "How unlike each other 100 clients are.", 6);
  fake.Plan().methods.clear();
  fake.Plan().ours.clear();
  struct Kind {
    Dealing partition;
    std::optional<double> beta;
    double adult;
  };
  for (const char* dataset : {"adult", "magic"}) {
    for (const Kind& kind : {Kind{Dealing::kIid, std::nullopt, 0.241}, Kind{Dealing::kClusters, std::nullopt, 0.525},
                             Kind{Dealing::kLabelSkew, 0.1, 0.531}, Kind{Dealing::kLabelSkew, 0.8, 0.332}}) {
      for (int seed = 1; seed <= seeds; ++seed) {
        RunSettings settings;
        settings.dataset = dataset;
        settings.partition = kind.partition;
        settings.clients = 100;
        settings.beta = kind.beta;
        settings.data_seed = seed;
        AddRun(fake.Results(), "", settings, {{"heterogeneity", kind.adult * (1 + 0.001 * seed)}});
      }
    }
  }
  fake.Plan().tables.push_back({.title = "Average heterogeneity",
                                .kind = TableKind::kMeans,
                                .rows = {"partition", "beta"},
                                .columns = "dataset",
                                .cells = {"heterogeneity"},
                                .method = "",
                                .against = ""});
  fake.Plan().paper.push_back({{{"dataset", "adult"}, {"partition", "iid"}}, {{"heterogeneity", 0.241}}, ""});
  fake.Plan().paper.push_back(
      {{{"dataset", "adult"}, {"partition", "label-skew"}, {"beta", 0.8}}, {{"heterogeneity", 0.332}}, ""});
  return std::move(fake.Results());
}

}  // namespace flaim
