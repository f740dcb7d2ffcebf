#include "audit/black_box.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "algorithms/loop/run.h"
#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "base/check.h"
#include "base/status.h"
#include "model/file/model_file.h"
#include "simulation/simulated_federation.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLeastModels = 4;
constexpr std::size_t kThresholds = 33;

absl::StatusOr<std::vector<std::string>> FilesIn(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file()) files.push_back(entry->path().string());
  }
  if (error) return NotFound("the folder '{}' cannot be read: {}", folder, error.message());
  if (files.size() < kLeastModels) {
    return InvalidArgument("the folder '{}' has {} model files: an audit needs hundreds, and {} at the least", folder,
                           files.size(), kLeastModels);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Row-major, the last attribute fastest.
std::size_t CellOf(const Domain& domain, const Clique& clique, std::span<const std::uint32_t> record) {
  std::size_t cell = 0;
  for (const AttributeIndex attribute : clique) {
    const auto index = static_cast<std::size_t>(attribute);
    cell = cell * static_cast<std::size_t>(domain.attributes()[index].size) + record[index];
  }
  return cell;
}

// Every other one, from `first`.
std::vector<double> Half(const std::vector<double>& scores, std::size_t first) {
  std::vector<double> half;
  for (std::size_t i = first; i < scores.size(); i += 2) half.push_back(scores[i]);
  return half;
}

std::vector<double> QuantilesOf(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  std::vector<double> quantiles;
  for (std::size_t i = 1; i <= kThresholds; ++i) {
    quantiles.push_back(scores[i * (scores.size() - 1) / (kThresholds + 1)]);
  }
  return quantiles;
}

// Calls `job` for each of so many, from several threads, until one fails or the observer wants it to end.
absl::Status ForEach(std::size_t count, const std::string& detail, Parallel& parallel, ProgressSink& progress,
                     const std::function<absl::Status(std::size_t)>& job) {
  std::mutex mutex;
  absl::Status status;
  std::uint64_t done = 0;
  parallel.For(count, [&](std::size_t index, int) {
    {
      const std::lock_guard lock(mutex);
      if (status.ok()) status = StopIfAsked(progress);
      if (!status.ok()) return;
    }
    const absl::Status own = job(index);
    const std::lock_guard lock(mutex);
    if (status.ok()) status = own;
    progress.Report({.step = "models", .done = ++done, .total = count, .detail = detail});
  });
  return status;
}

absl::StatusOr<FittedModel> FitOnce(const Method& method, const RunOptions& options, const SpendingPlan& plan,
                                    const Table& rows, std::uint64_t seed) {
  Parallel alone(1);
  NoRounds no_rounds;
  const ClientTerms terms = plan.client_terms();
  const std::vector<ClientIndex> client_of_row(rows.rows());
  ASSIGN_OR_RETURN(const std::unique_ptr<SimulatedFederation> federation,
                   SimulatedFederation::Create(rows, client_of_row, 1,
                                               {.seed = seed,
                                                .availability = Everybody{},
                                                .trust = TrustOf(method),
                                                .allowance = terms.allowance,
                                                .participation_cap = terms.participation_cap},
                                               alone));
  ASSIGN_OR_RETURN(const Workload workload, AllKWay(rows.domain(), 2));
  return RunMethod(method, options, plan, workload, *federation, alone, no_rounds);
}

}  // namespace

double RecordScore(const Model& model, std::span<const std::uint32_t> record) {
  const Domain& domain = model.domain();
  MarginalQuery query = model.Query();
  double score = 0;
  for (AttributeIndex first = 0; first < domain.size(); ++first) {
    for (AttributeIndex second = first; second < domain.size(); ++second) {
      const Clique clique({first, second});
      score += model.total() * query.Answer(clique)[CellOf(domain, clique, record)];
    }
  }
  return score;
}

absl::StatusOr<Schema> SchemaOfModels(const std::string& folder, Parallel& parallel) {
  ASSIGN_OR_RETURN(const std::vector<std::string> files, FilesIn(folder));
  ASSIGN_OR_RETURN(const ModelFile file, ReadModelFile(files.front(), {}, parallel));
  return file.schema;
}

absl::StatusOr<std::vector<double>> ScoreModels(const std::string& folder, std::span<const std::uint32_t> record,
                                                Parallel& parallel, ProgressSink& progress) {
  ASSIGN_OR_RETURN(const std::vector<std::string> files, FilesIn(folder));
  ASSIGN_OR_RETURN(const Schema schema, SchemaOfModels(folder, parallel));
  std::vector<double> scores(files.size());
  RETURN_IF_ERROR(ForEach(files.size(), "reading " + folder, parallel, progress, [&](std::size_t index) {
    Parallel alone(1);
    ASSIGN_OR_RETURN(const ModelFile file, ReadModelFile(files[index], {}, alone));
    if (!(file.schema == schema)) {
      return absl::InvalidArgumentError(fmt::format("'{}' has another schema than '{}'", files[index], files.front()));
    }
    scores[index] = RecordScore(file.model, record);
    return absl::OkStatus();
  }));
  return scores;
}

AuditResult JudgeModels(const std::string& method, const std::string& canary, const Claim& claim,
                        const std::vector<double>& with, const std::vector<double>& without) {
  CHECK(with.size() >= kLeastModels && without.size() >= kLeastModels);
  const std::vector<double> choosing_with = Half(with, 0);
  const std::vector<double> choosing_without = Half(without, 0);
  std::vector<double> both = choosing_with;
  both.insert(both.end(), choosing_without.begin(), choosing_without.end());
  const std::vector<double> thresholds = QuantilesOf(both);
  const double best = BestThreshold(choosing_with, choosing_without, thresholds);
  const std::vector<double> tested_with = Half(with, 1);
  const std::vector<double> tested_without = Half(without, 1);
  AuditResult result{.method = method,
                     .canary = canary,
                     .attacker = "has model files only",
                     .runs = static_cast<int>(tested_with.size()),
                     .claim = claim,
                     .mu_claimed = std::sqrt(2 * claim.rho.ToDouble()),
                     .mu_reached = MuReached(tested_with, tested_without, best),
                     .tests = TestThresholds(tested_with, tested_without, thresholds)};
  result.mu_proven = MuProven(result.tests);
  result.checks = {CheckTradeOff(claim.curve, result.tests)};
  return result;
}

absl::Status FitModels(const Canary& canary, const PrivacyBudget& budget, const AuditSettings& settings,
                       const ModelFolders& folders, Parallel& parallel, ProgressSink& progress) {
  const Method method = Aim();
  const RunOptions options{.budget = budget};
  ASSIGN_OR_RETURN(const std::unique_ptr<SpendingPlan> plan,
                   MakeSpendingPlan(method, budget, canary.with.domain().size()));
  const auto runs = static_cast<std::size_t>(settings.runs);
  return ForEach(2 * runs, "fitting with and without the record", parallel, progress, [&](std::size_t index) {
    const bool has_record = index < runs;
    const std::uint64_t seed = settings.seed + index;
    ASSIGN_OR_RETURN(const FittedModel fitted,
                     FitOnce(method, options, *plan, has_record ? canary.with : canary.without, seed));
    return WriteModelFile(fmt::format("{}/{:08}.flaim", has_record ? folders.with : folders.without, index),
                          CanarySchema(), fitted.report, fitted.model);
  });
}

}  // namespace flaim
