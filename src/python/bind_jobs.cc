#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <variant>

#include "algorithms/choices/method_words.h"
#include "algorithms/methods/presets.h"
#include "app/fit.h"
#include "app/ledger/data_ledger.h"
#include "app/simulation.h"
#include "base/clock.h"
#include "base/status.h"
#include "io/message_text.h"
#include "python/bindings.h"
#include "python/bound_model.h"
#include "python/interruption.h"
#include "python/python_counts.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// The specification of a workload, or its queries as lists of column names.
using WorkloadArgument = std::variant<std::string, std::vector<std::vector<std::string>>>;

// Tells a Python callable, if there is one, how far the job is: observer(step, done, total or None, detail).
class ObservedProgress final : public ProgressSink {
 public:
  ObservedProgress(nb::object observer, Interruption& interruption)
      : observer_(std::move(observer)), interruption_(interruption) {}

  void Report(const Progress& progress) override {
    interruption_.CallBack([&] {
      if (!observer_.is_none()) observer_(progress.step, progress.done, progress.total, progress.detail);
    });
  }
  bool ShouldStop() override { return interruption_.Requested(); }

 private:
  const nb::object observer_;
  Interruption& interruption_;
};

int Threads(std::optional<int> threads) { return threads.value_or(Parallel::HardwareThreads()); }

std::optional<Workload> ListedWorkload(const Schema& schema, const WorkloadArgument& argument) {
  const auto* queries = std::get_if<std::vector<std::vector<std::string>>>(&argument);
  if (queries == nullptr) return std::nullopt;
  return Unwrap(Workload::FromNames(schema.domain(), *queries));
}

FitRequest WithWorkload(FitRequest request, const WorkloadArgument& argument) {
  if (const auto* text = std::get_if<std::string>(&argument)) request.workload = *text;
  return request;
}

// Where a fit pays, and under which name.
struct Account {
  std::string ledger;
  NamedRows data;
  FitIdentity identity;
};

struct FitResult {
  BoundFit fit;
  std::string run;
  bool was_known = false;                  // its values were on record: nothing was drawn anew
  std::vector<std::string> other_ledgers;  // that many of the rows were charged to before
};

absl::StatusOr<FitResult> RunFit(const FitSettings& settings, const std::shared_ptr<PrivateRows>& counts,
                                 const Account& account, int threads, Interruption& interruption,
                                 ProgressSink& progress) {
  const SystemClock clock;
  Parallel parallel(threads, interruption.Question());
  ASSIGN_OR_RETURN(PaidFit fit,
                   PaidFit::Open(settings, account.identity, {account.ledger, account.data, counts}, clock, parallel));
  ASSIGN_OR_RETURN(FittedModel fitted, fit.Run(parallel, progress));
  return FitResult{
      .fit = {std::make_shared<const Model>(std::move(fitted.model)), settings.schema, std::move(fitted.report)},
      .run = fit.run(),
      .was_known = fit.was_known(),
      .other_ledgers = fit.other_ledgers().value_or(std::vector<std::string>())};
}

FitResult FitCounts(const std::shared_ptr<PrivateRows>& counts, const Schema& schema, const FitRequest& request,
                    const WorkloadArgument& workload, const Account& account, std::optional<int> threads,
                    nb::object observer) {
  const FitSettings settings =
      Unwrap(MakeOneTableSettings(WithWorkload(request, workload), schema, ListedWorkload(schema, workload)));
  Interruption interruption;
  ObservedProgress progress(std::move(observer), interruption);
  absl::StatusOr<FitResult> result = absl::UnknownError("not run");
  {
    const nb::gil_scoped_release released;
    result = RunFit(settings, counts, account, Threads(threads), interruption, progress);
  }
  interruption.RaiseIfRequested();
  return Unwrap(std::move(result));
}

FitResult FitTable(const Table& table, const Schema& schema, const FitRequest& request,
                   const WorkloadArgument& workload, const Account& account, std::optional<int> threads,
                   nb::object observer) {
  return FitCounts(std::make_shared<TableRows>(table), schema, request, workload, account, threads,
                   std::move(observer));
}

nb::list NamesOf(const Domain& domain, const std::vector<Clique>& cliques) {
  nb::list result;
  for (const Clique& clique : cliques) {
    nb::list names;
    for (const AttributeIndex attribute : clique) names.append(domain[attribute].name);
    result.append(nb::tuple(names));
  }
  return result;
}

nb::object ToDict(const WorkloadError& error) {
  nb::dict result;
  result["queries"] = error.queries;
  result["closure"] = error.closure;
  return result;
}

// Calls observer(round) after each, where round is a dict, and keeps all of them.
class ObservedRounds final : public EvaluatedRoundSink {
 public:
  ObservedRounds(const Domain& domain, nb::object observer, Interruption& interruption)
      : domain_(domain), observer_(std::move(observer)), interruption_(interruption) {}

  void Report(const EvaluatedRound& evaluated) override {
    interruption_.CallBack([&] {
      const RoundReport& report = evaluated.report;
      nb::dict round;
      round["round"] = report.round;
      round["rounds"] = report.rounds;
      round["members"] = report.members;
      round["chosen"] = NamesOf(domain_, report.chosen);
      round["sigma"] = report.sigma;
      round["total"] = report.total;
      round["model_cells"] = report.model_cells;
      if (evaluated.error) round["error"] = ToDict(*evaluated.error);
      rounds_.append(round);
      if (!observer_.is_none()) observer_(round);
    });
  }

  const nb::list& rounds() const { return rounds_; }

 private:
  const Domain& domain_;
  const nb::object observer_;
  Interruption& interruption_;
  nb::list rounds_;
};

nb::dict ToDict(const MeanAndMost& figure) {
  nb::dict result;
  result["mean"] = figure.mean;
  result["most"] = figure.most;
  return result;
}

nb::dict ToDict(const ClientFigures& clients) {
  nb::dict result;
  result["enrolled"] = clients.enrolled;
  result["took_part"] = clients.took_part;
  result["sent_bytes"] = ToDict(clients.sent_bytes);
  result["received_bytes"] = ToDict(clients.received_bytes);
  result["exchanges"] = ToDict(clients.exchanges);
  result["rounds_served"] = ToDict(clients.rounds_served);
  result["rho"] = ToDict(clients.rho);
  return result;
}

// The rows of a simulation with, for a partition by column, the client of each row.
struct SimulationRows {
  Table table;
  std::vector<std::int64_t> clients;
};

struct SimulationResult {
  BoundFit fit;
  std::uint64_t seed = 0;
  std::string method;
  ClientFigures clients;
  std::optional<WorkloadError> model_error;
  std::optional<WorkloadError> rows_error;
  nb::list rounds;
};

absl::Status RunObserved(const SimulationSettings& settings, const SimulationRows& rows, bool evaluates, int threads,
                         ProgressSink& progress, Interruption& interruption, const nb::object& observer,
                         std::optional<SimulationResult>& result) {
  Parallel parallel(threads, interruption.Question());
  ASSIGN_OR_RETURN(const DealtTable dealt,
                   DealTable(rows.table, rows.clients, "the table", settings, progress, parallel));
  const YardstickRequest wanted{.errors = evaluates, .max_kept_cells = settings.fit.memory.max_kept_cells()};
  ASSIGN_OR_RETURN(const Yardstick yardstick,
                   Yardstick::Create(wanted, dealt.table, dealt.partition, settings.fit.workload, parallel));
  std::optional<ObservedRounds> rounds;
  {
    const nb::gil_scoped_acquire lock;
    rounds.emplace(settings.fit.schema.domain(), observer, interruption);
  }
  absl::StatusOr<SimulationOutcome> outcome = Simulate(settings, dealt, yardstick, parallel, *rounds);
  absl::StatusOr<ModelQuality> quality;
  if (outcome.ok()) {
    quality = yardstick.Measure(outcome->fitted.model, settings.seed, parallel);
    if (!quality.ok()) outcome = quality.status();
  }
  const nb::gil_scoped_acquire lock;
  if (outcome.ok()) {
    result.emplace(SimulationResult{.fit = {std::make_shared<const Model>(std::move(outcome->fitted.model)),
                                            settings.fit.schema, std::move(outcome->fitted.report)},
                                    .seed = settings.seed,
                                    .method = settings.fit.plan.title,
                                    .clients = outcome->clients,
                                    .model_error = quality->model_error,
                                    .rows_error = quality->rows_error,
                                    .rounds = rounds->rounds()});
  }
  rounds.reset();
  return outcome.status();
}

SimulationResult SimulateRows(const SimulationRows& rows, const Schema& schema, const SimulationRequest& request,
                              const WorkloadArgument& workload, bool evaluates, std::optional<int> threads,
                              const nb::object& progress_observer, const nb::object& round_observer) {
  SimulationRequest with_workload = request;
  with_workload.fit = WithWorkload(request.fit, workload);
  const SimulationSettings settings =
      Unwrap(MakeSimulationSettings(with_workload, schema, ListedWorkload(schema, workload)));
  Interruption interruption;
  ObservedProgress progress(progress_observer, interruption);
  std::optional<SimulationResult> result;
  absl::Status status;
  {
    const nb::gil_scoped_release released;
    status = RunObserved(settings, rows, evaluates, Threads(threads), progress, interruption, round_observer, result);
  }
  interruption.RaiseIfRequested();
  ThrowIfError(status);
  return *std::move(result);
}

// Changes a choice by the name that Python has for it. Refuses a name that is none, with those there are, and a value
// that does not belong there.
absl::Status SetChoice(MethodChanges& changes, const std::string& name, const ChoiceValue& value) {
  const Choice* choice = FindField(name);
  if (choice == nullptr) {
    std::vector<std::string> names;
    for (const Choice& known : AllChoices()) names.push_back(FieldName(known));
    return InvalidArgument("a method has no choice {}; choices are {}", QuoteForMessage(name), fmt::join(names, ", "));
  }
  ASSIGN_OR_RETURN(const ChoiceSetting setting, ChoiceSetting::Create(*choice, value));
  changes.Set(setting);
  return absl::OkStatus();
}

nb::dict DescribeMethod(const Method& method) {
  nb::dict result;
  result["name"] = method.name;
  result["summary"] = method.summary;
  result["trust"] = TrustInWords(method);
  result["is_private"] = IsPrivate(method);
  return result;
}

nb::list ListMethods() {
  nb::list result;
  for (const Method& method : AllMethods()) result.append(DescribeMethod(method));
  return result;
}

void BindRequests(nb::module_& module) {
  nb::class_<FitRequest>(module, "FitRequest")
      .def(nb::init<>())
      .def_rw("epsilon", &FitRequest::epsilon)
      .def_rw("delta", &FitRequest::delta)
      .def_rw("memory", &FitRequest::memory)
      .def_rw("model_cells", &FitRequest::model_cells, nb::arg().none())
      .def_rw("zeros", &FitRequest::zeros)
      .def_rw("unfit", &FitRequest::unfit)
      .def_prop_rw(
          "method", [](const FitRequest& request) { return request.run.method; },
          [](FitRequest& request, const MethodChanges& method) { request.run.method = method; });
  nb::class_<MethodChanges>(module, "MethodChanges", "A preset, and what to change in it.")
      .def(nb::init<std::string>(), "preset"_a)
      .def(
          "set",
          [](MethodChanges& changes, const std::string& name, const ChoiceValue& value) {
            ThrowIfError(SetChoice(changes, name, value));
          },
          "name"_a, "value"_a, "Changes a choice; refuses a name or a value that is none.");
  nb::class_<RunRequest>(module, "RunRequest")
      .def(nb::init<>())
      .def_rw("method", &RunRequest::method)
      .def_rw("participation", &RunRequest::participation, nb::arg().none())
      .def_rw("availability", &RunRequest::availability)
      .def_rw("paper_fit", &RunRequest::paper_fit);
  nb::class_<SimulationRequest>(module, "SimulationRequest")
      .def(nb::init<>())
      .def_rw("fit", &SimulationRequest::fit)
      .def_rw("run", &SimulationRequest::run)
      .def_rw("partition", &SimulationRequest::partition)
      .def_prop_rw(
          "published_code", [](const SimulationRequest& request) { return request.research.is_published_code; },
          [](SimulationRequest& request, bool is_so) { request.research.is_published_code = is_so; })
      .def_rw("seed", &SimulationRequest::seed, nb::arg().none());
}

}  // namespace

void BindJobs(nb::module_& module) {
  BindRequests(module);
  nb::class_<Account>(module, "Account", "Where a fit pays, and under which name.")
      .def(
          "__init__",
          [](Account* self, std::string ledger, std::string data, bool is_file, std::string run,
             std::optional<std::uint64_t> seed) {
            const auto place = is_file ? NamedRows::Place::kFile : NamedRows::Place::kMemory;
            new (self) Account{std::move(ledger), {std::move(data), place}, {std::move(run), seed}};
          },
          "ledger"_a, "data"_a, "is_file"_a, "run"_a = "", "seed"_a = nb::none(),
          "data: the path of the rows, if they are in a file; else what the ledger is to call them.");
  module.def(
      "ledger_path",
      [](const std::string& data, const std::string& ledger, bool is_separate) {
        return Unwrap(LedgerPathFor({data, ledger, is_separate}));
      },
      "data"_a, "ledger"_a, "is_separate"_a,
      "Where rows have their account. Refuses rows without a place for one, and a second one.");
  nb::class_<FitResult>(module, "FitResult")
      .def_ro("fit", &FitResult::fit)
      .def_ro("run", &FitResult::run)
      .def_ro("was_known", &FitResult::was_known)
      .def_ro("other_ledgers", &FitResult::other_ledgers,
              "That many of the rows were charged to before, as this machine knows.");
  nb::class_<SimulationResult>(module, "SimulationResult")
      .def_ro("fit", &SimulationResult::fit)
      .def_ro("seed", &SimulationResult::seed)
      .def_ro("method", &SimulationResult::method)
      .def_ro("rounds", &SimulationResult::rounds)
      .def_prop_ro("clients", [](const SimulationResult& result) { return ToDict(result.clients); })
      .def_prop_ro("errors", [](const SimulationResult& result) {
        nb::dict errors;
        if (result.model_error) errors["model"] = ToDict(*result.model_error);
        if (result.rows_error) errors["rows"] = ToDict(*result.rows_error);
        return errors;
      });
  module.def("fit_table", &FitTable, "table"_a, "schema"_a, "request"_a, "workload"_a, "account"_a,
             "threads"_a = nb::none(), "observer"_a = nb::none());
  module.def("fit_counts", &FitCounts, "counts"_a, "schema"_a, "request"_a, "workload"_a, "account"_a,
             "threads"_a = nb::none(), "observer"_a = nb::none());
  module.def(
      "simulate_table",
      [](const Table& table, const Numbers& clients, const Schema& schema, const SimulationRequest& request,
         const WorkloadArgument& workload, bool evaluates, std::optional<int> threads, const nb::object& observer,
         const nb::object& round_observer) {
        return SimulateRows({table, {clients.data(), clients.data() + clients.size()}}, schema, request, workload,
                            evaluates, threads, observer, round_observer);
      },
      "table"_a, "clients"_a, "schema"_a, "request"_a, "workload"_a, "evaluates"_a, "threads"_a = nb::none(),
      "observer"_a = nb::none(), "round_observer"_a = nb::none());
  module.def("methods", &ListMethods, "Every federated method, and whom it needs to trust.");
}

}  // namespace flaim::python
