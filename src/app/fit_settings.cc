#include "app/fit_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <variant>

#include "algorithms/methods/presets.h"
#include "app/request/zeros_file.h"
#include "base/check.h"
#include "base/parallel.h"
#include "base/status.h"
#include "data/schema/schema_toml.h"
#include "io/digest.h"
#include "io/hex.h"
#include "io/message_text.h"
#include "marginal/workload_spec.h"
#include "model/inference/clique_layout.h"
#include "model/inference/model.h"

namespace flaim {
namespace {

constexpr std::int64_t kDefaultCellLimit = 10'000;
constexpr std::size_t kManyQueries = 5'000;
constexpr const char* kListedWorkload = "as listed";
constexpr std::string_view kAccounting = "accounting";

// All 3-way marginals that are small enough to be measured well, or all 2-way ones where that would be too many.
absl::StatusOr<AllKWaySpec> DefaultWorkload(const Domain& domain) {
  for (int k = std::min(3, domain.size()); k > 1; --k) {
    const absl::StatusOr<Workload> workload = AllKWay(domain, k, kDefaultCellLimit);
    if (workload.ok() && (k < 3 || workload->size() <= kManyQueries)) return AllKWaySpec{k, kDefaultCellLimit};
  }
  return AllKWaySpec{1, std::nullopt};
}

std::string TextOf(const AllKWaySpec& spec) {
  return spec.cell_limit ? fmt::format("all:{}:{}", spec.k, *spec.cell_limit) : fmt::format("all:{}", spec.k);
}

double SumOfSizes(const Domain& domain) {
  double sum = 0;
  for (const Attribute& attribute : domain.attributes()) sum += static_cast<double>(attribute.size);
  return sum;
}

// Of the smallest junction tree that holds the clique: its own cells, and one-way marginals for the rest.
double CellsOfTreeWith(const Domain& domain, const Clique& clique) {
  double cells = 1;
  double rest = SumOfSizes(domain);
  for (const AttributeIndex attribute : clique) {
    cells *= static_cast<double>(domain[attribute].size);
    rest -= static_cast<double>(domain[attribute].size);
  }
  return cells + rest;
}

// What a request would have to say for a model of this many cells.
std::string SettingsFor(double cells, const MemoryLimit& memory) {
  const std::string settings = fmt::format("model-cells {:.0f}", cells);
  if (cells <= static_cast<double>(memory.max_model_cells())) return settings;
  const double mebibytes = std::ceil(2 * 8 * static_cast<double>(MemoryLimit::kDoublesPerCell) * (cells + 1) / 0x1p20);
  return mebibytes < 4096 ? fmt::format("{} and memory {:.0f}M", settings, mebibytes)
                          : fmt::format("{} and memory {:.0f}G", settings, std::ceil(mebibytes / 1024));
}

// As asked for, or as many as AIM does well with. Never what the memory happens to allow: the size decides what a run
// chooses, and a run must be the same wherever it is finished.
absl::StatusOr<std::int64_t> ModelCells(std::optional<std::int64_t> asked_for, const MemoryLimit& memory) {
  const std::int64_t cells = asked_for.value_or(RunOptions::kDefaultModelCells);
  if (cells <= memory.max_model_cells()) return cells;
  return InvalidArgument("a model of {} cells does not fit into {}: give {}, or model-cells {} for a smaller one",
                         cells, BytesInShort(static_cast<double>(memory.bytes())),
                         SettingsFor(static_cast<double>(cells), memory), memory.max_model_cells());
}

absl::Status CheckOneWays(const Domain& domain, std::int64_t max_cells, const MemoryLimit& memory) {
  const double cells = SumOfSizes(domain);
  if (cells <= static_cast<double>(max_cells)) return absl::OkStatus();
  return InvalidArgument(
      "the one-way marginals alone have {:.0f} cells, and the model may have {}: use coarser bins in the schema, drop "
      "columns, or give {}",
      cells, max_cells, SettingsFor(cells, memory));
}

absl::Status CheckPairs(const Domain& domain, const Workload& workload, std::int64_t max_cells,
                        const MemoryLimit& memory) {
  std::set<Clique> pairs;
  for (const WeightedQuery& query : workload) {
    for (const AttributeIndex one : query.clique) {
      for (const AttributeIndex other : query.clique) {
        if (one < other) pairs.insert(Clique({one, other}));
      }
    }
  }
  for (const Clique& pair : pairs) {
    const double cells = CellsOfTreeWith(domain, pair);
    if (cells <= static_cast<double>(max_cells)) continue;
    return InvalidArgument(
        "the workload asks for the pair {}, a model with {:.0f} cells, and it may have {}: use coarser bins in the "
        "schema, a workload with a cell limit such as all:2:{}, or give {}",
        QuoteForMessage(CliqueName(domain, pair)), cells, max_cells, kDefaultCellLimit, SettingsFor(cells, memory));
  }
  return absl::OkStatus();
}

// Zeros that contradict each other, also for `plan`, which runs no fit that would refuse them.
absl::Status CheckZeros(const Domain& domain, const std::vector<StructuralZeros>& zeros, std::int64_t max_cells) {
  std::vector<Clique> cliques;
  std::vector<double> potentials;
  for (const auto& [clique, cells] : zeros) {
    cliques.push_back(clique);
    ASSIGN_OR_RETURN(const std::int64_t size, CellCount(domain, clique));
    if (size > max_cells) {
      return InvalidArgument("the zeros over {} need a model with {} cells, and it may have {}: raise model-cells",
                             QuoteForMessage(CliqueName(domain, clique)), size, max_cells);
    }
    std::vector<double> table(static_cast<std::size_t>(size), 0.0);
    for (const std::int64_t cell : cells) {
      table[static_cast<std::size_t>(cell)] = -std::numeric_limits<double>::infinity();
    }
    potentials.insert(potentials.end(), table.begin(), table.end());
  }
  Parallel one_thread(1);
  const absl::Status status = Model::Create(domain, cliques, potentials, 1, max_cells, one_thread).status();
  if (status.ok()) return status;
  return InvalidArgument("with the zeros given, {}", std::string(status.message()));
}

std::string TextOf(const EstimationOptions& fit) {
  return fmt::format("{} {} {}", static_cast<int>(fit.method), fit.max_iterations, fit.relative_gap);
}

std::string TextOf(const Clique& clique) { return fmt::format("{}", fmt::join(clique.attributes(), " ")); }

std::string ShortHash(const std::string& text) {
  return ToHex(Blake2b<16>().Add(AsBytes(text)).Finish()).substr(0, 12);
}

}  // namespace

absl::StatusOr<ModelSettings> MakeModelSettings(const FitRequest& request, Schema schema,
                                                std::optional<Workload> workload) {
  ASSIGN_OR_RETURN(const UnfitRule unfit, ParseUnfitRule(request.unfit));
  RETURN_IF_ERROR(CheckUnfitRule(schema, unfit));
  ASSIGN_OR_RETURN(const MemoryLimit memory, MemoryLimit::Parse(request.memory));
  const std::optional<std::int64_t> paper_cells =
      request.run.paper_fit ? std::optional(kPaperModelCells) : std::nullopt;
  ASSIGN_OR_RETURN(const std::int64_t max_cells,
                   ModelCells(request.model_cells ? request.model_cells : paper_cells, memory));
  const Domain& domain = schema.domain();
  RETURN_IF_ERROR(CheckOneWays(domain, max_cells, memory));

  std::string workload_text = workload ? kListedWorkload : request.workload;
  if (workload_text.empty()) {
    ASSIGN_OR_RETURN(const AllKWaySpec spec, DefaultWorkload(domain));
    workload_text = TextOf(spec);
  }
  if (!workload) {
    ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(workload_text));
    ASSIGN_OR_RETURN(workload, MakeWorkload(domain, spec));
  }
  RETURN_IF_ERROR(CheckPairs(domain, *workload, max_cells, memory));
  return ModelSettings{.schema = std::move(schema),
                       .workload = *std::move(workload),
                       .workload_text = std::move(workload_text),
                       .memory = memory,
                       .max_model_cells = max_cells,
                       .unfit = unfit};
}

absl::StatusOr<FitSettings> MakeFitSettings(const FitRequest& request, Schema schema,
                                            std::optional<Workload> workload) {
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(request.epsilon, request.delta));
  ASSIGN_OR_RETURN(ModelSettings model, MakeModelSettings(request, std::move(schema), std::move(workload)));
  RunOptions options{.budget = budget};
  options.max_model_cells = model.max_model_cells;
  if (!request.zeros.empty()) {
    ASSIGN_OR_RETURN(options.zeros, ReadZerosFile(request.zeros, model.schema));
    RETURN_IF_ERROR(CheckZeros(model.schema.domain(), options.zeros, model.max_model_cells));
  }
  ASSIGN_OR_RETURN(RunPlan plan, MakeRunPlan(request.run, options, model.schema.domain().size()));
  return FitSettings{std::move(model), std::move(plan)};
}

bool IsOpenToFits(const Choice& choice) { return choice.is_for_one_table && choice.name != kAccounting; }

absl::StatusOr<FitSettings> MakeOneTableSettings(FitRequest request, Schema schema, std::optional<Workload> workload) {
  if (request.run.method.Find(kAccounting) != nullptr) {
    return InvalidArgument("{} has no use in a fit of one table: its ledger counts in one way", kAccounting);
  }
  if (request.run.method.preset.empty()) request.run.method.preset = Aim().name;
  ASSIGN_OR_RETURN(FitSettings settings, MakeFitSettings(request, std::move(schema), std::move(workload)));
  if (settings.plan.method.IsOneTable()) return settings;
  return InvalidArgument("the method {} needs clients, and this is one table: it can be simulated, but not fitted",
                         settings.plan.method.name);
}

void StampMethod(const FitSettings& settings, FitReport& report) {
  report.algorithm = settings.plan.title;
  report.derived_from_private_rows = settings.schema.spec().derived_from_private_rows;
}

std::string RunNameOf(const FitSettings& settings, std::optional<std::uint64_t> seed) {
  const RunOptions& options = settings.plan.options;
  std::string text = fmt::format("flaim fit 3\nepsilon {} delta {}\n{}\nfit {} {} {}\ncells {}\nseed {}\n",
                                 settings.budget().epsilon(), settings.budget().delta(), settings.plan.title,
                                 TextOf(options.round_fit), TextOf(options.last_fit), options.model_grows_with_budget,
                                 settings.max_model_cells, seed ? fmt::format("{}", *seed) : "none");
  for (const auto& [clique, weight] : settings.workload)
    text += fmt::format("query {} weight {}\n", TextOf(clique), weight);
  for (const auto& [clique, cells] : options.zeros) {
    text += fmt::format("zeros {} at {}\n", TextOf(clique), fmt::join(cells, " "));
  }
  if (settings.unfit != UnfitRule::kRefuse) text += fmt::format("unfit {}\n", NameOf(settings.unfit));
  return "fit-" + ShortHash(text + FormatSchemaToml(settings.schema));
}

std::vector<Clique> QueriesTooLarge(const FitSettings& settings) {
  std::vector<Clique> too_large;
  for (const WeightedQuery& query : settings.workload) {
    if (CellsOfTreeWith(settings.schema.domain(), query.clique) > static_cast<double>(settings.max_model_cells)) {
      too_large.push_back(query.clique);
    }
  }
  return too_large;
}

std::vector<std::string> ColumnsNotAsked(const FitSettings& settings) {
  std::set<AttributeIndex> asked;
  for (const WeightedQuery& query : settings.workload) asked.insert(query.clique.begin(), query.clique.end());
  std::vector<std::string> names;
  for (AttributeIndex attribute = 0; attribute < settings.schema.domain().size(); ++attribute) {
    if (!asked.contains(attribute)) names.push_back(settings.schema.domain()[attribute].name);
  }
  return names;
}

std::vector<std::string> NotesOn(const FitSettings& settings) {
  const Domain& domain = settings.schema.domain();
  std::vector<std::string> notes = {fmt::format("workload {}: {} marginal(s) over {} columns", settings.workload_text,
                                                settings.workload.size(), domain.size())};
  if (const std::vector<std::string> names = ColumnsNotAsked(settings); !names.empty()) {
    notes.push_back(fmt::format("  in none of them, so learnt by itself only: {}", QuoteListForMessage(names)));
  }
  if (const std::vector<Clique> too_large = QueriesTooLarge(settings); !too_large.empty()) {
    notes.push_back(
        fmt::format("  {} of them are larger than the model may become and are learnt from their parts only, e.g. {}; "
                    "raise model-cells for more",
                    too_large.size(), CliqueName(domain, too_large.front())));
  }
  return notes;
}

}  // namespace flaim
