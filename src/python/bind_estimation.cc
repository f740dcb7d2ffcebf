#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "model/estimation/estimation.h"
#include "python/bindings.h"
#include "python/bound_model.h"
#include "python/clique_arguments.h"
#include "python/interruption.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Measurement MeasurementOf(const Domain& domain, const AttributeList& attributes, const Numbers& values,
                          double variance) {
  Clique clique = CliqueOf(domain, attributes);
  const std::string name = CliqueName(domain, clique);
  const std::int64_t cells = Unwrap(CellCount(domain, clique));
  if (static_cast<std::int64_t>(values.size()) != cells) {
    ThrowIfError(
        InvalidArgument("the measurement of {} has {} values; its marginal has {} cells", name, values.size(), cells));
  }
  if (!(variance > 0) || std::isinf(variance)) {
    ThrowIfError(InvalidArgument("the measurement of {} has variance {}; it must be positive", name, variance));
  }
  std::vector<double> numbers(values.data(), values.data() + values.size());
  for (const double number : numbers) {
    if (!std::isfinite(number)) ThrowIfError(InvalidArgument("the measurement of {} has a value {}", name, number));
  }
  return {std::move(clique), std::move(numbers), variance};
}

EstimationMethod MethodNamed(const std::string& name) {
  if (name == "proximal-newton") return EstimationMethod::kProximalNewton;
  if (name == "mirror-descent") return EstimationMethod::kMirrorDescent;
  throw StatusException(
      InvalidArgument("there is no method '{}' of estimation; choose proximal-newton or mirror-descent", name));
}

double TotalFor(const std::vector<Measurement>& measurements, std::optional<double> total) {
  if (total.has_value()) {
    if (!(*total > 0) || std::isinf(*total)) {
      ThrowIfError(InvalidArgument("the total is {}; it must be positive", *total));
    }
    return *total;
  }
  if (measurements.empty()) ThrowIfError(InvalidArgument("without measurements, give the total"));
  return EstimateTotal(measurements);
}

// Collects what is to be fitted, one measurement after the other, and fits it.
class BoundEstimation {
 public:
  explicit BoundEstimation(const Domain& domain) : domain_(domain) {}

  void AddMeasurement(const AttributeList& attributes, const Numbers& values, double variance) {
    measurements_.push_back(MeasurementOf(domain_, attributes, values, variance));
  }

  void AddZeros(const AttributeList& attributes, const Positions& cells) {
    zeros_.push_back({CliqueOf(domain_, attributes), {cells.data(), cells.data() + cells.size()}});
  }

  nb::tuple Fit(std::optional<double> total, const std::string& method, int max_iterations, double relative_gap,
                bool ignore_noise_floor, std::int64_t max_cells, const BoundModel* start, int threads) const {
    const EstimationOptions options{.method = MethodNamed(method),
                                    .max_iterations = max_iterations,
                                    .relative_gap = relative_gap,
                                    .ignore_noise_floor = ignore_noise_floor};
    if (max_iterations < 0) ThrowIfError(InvalidArgument("max_iterations is {}", max_iterations));
    if (!(relative_gap >= 0))
      ThrowIfError(InvalidArgument("relative_gap is {}; it must not be negative", relative_gap));
    if (start != nullptr && !(start->model->tree().domain() == domain_)) {
      ThrowIfError(InvalidArgument("the model to start from has another domain"));
    }
    const EstimationProblem problem{domain_, measurements_, zeros_, TotalFor(measurements_, total), max_cells};
    threads = CheckedThreads(threads);
    Interruption interruption;
    absl::StatusOr<Estimate> estimated = absl::UnknownError("not run");
    {
      const nb::gil_scoped_release released;
      Parallel parallel(threads == 0 ? Parallel::HardwareThreads() : threads, interruption.Question());
      estimated = EstimateModel(problem, start == nullptr ? nullptr : start->model.get(), options, parallel);
    }
    interruption.RaiseIfRequested();
    Estimate estimate = Unwrap(std::move(estimated));
    nb::dict quality;
    quality["iterations"] = estimate.quality.iterations;
    quality["loss"] = estimate.quality.loss;
    quality["gap"] = estimate.quality.gap;
    quality["converged"] = estimate.converged;
    return nb::make_tuple(BoundModel{std::make_shared<const Model>(std::move(estimate.model))}, quality);
  }

 private:
  Domain domain_;
  std::vector<Measurement> measurements_;
  std::vector<StructuralZeros> zeros_;
};

BoundModel ModelOf(const Domain& domain, const std::vector<AttributeList>& lists, const Numbers& potentials,
                   double total, std::int64_t max_cells) {
  std::vector<Clique> cliques = CliquesOf(domain, lists);
  const CliqueLayout layout(domain, cliques);
  if (static_cast<std::int64_t>(potentials.size()) != layout.cells()) {
    ThrowIfError(
        InvalidArgument("the cliques have {} cells, but {} potentials were given", layout.cells(), potentials.size()));
  }
  std::vector<double> copy(potentials.data(), potentials.data() + potentials.size());
  const nb::gil_scoped_release released;
  Parallel parallel(Parallel::HardwareThreads());
  return {std::make_shared<const Model>(
      Unwrap(Model::Create(domain, std::move(cliques), std::move(copy), total, max_cells, parallel)))};
}

// The cliques, and their potentials one after the other: a view that keeps the model alive.
nb::tuple PotentialsOf(const BoundModel& bound) {
  std::vector<AttributeList> cliques;
  for (const Clique& clique : bound.model->layout().cliques()) cliques.push_back(clique.attributes());
  const std::span<const double> potentials = bound.model->potentials();
  auto kept = std::make_unique<std::shared_ptr<const Model>>(bound.model);
  const nb::capsule owner(kept.release(),
                          [](void* pointer) noexcept { delete static_cast<std::shared_ptr<const Model>*>(pointer); });
  const std::size_t cells = potentials.size();
  return nb::make_tuple(cliques, nb::ndarray<nb::numpy, const double>(potentials.data(), 1, &cells, owner));
}

}  // namespace

void BindEstimation(nb::module_& module) {
  nb::class_<BoundEstimation>(module, "Estimation", "Noisy marginals, and the model that fits them best.")
      .def(nb::init<const Domain&>(), "domain"_a)
      .def("add_measurement", &BoundEstimation::AddMeasurement, "attributes"_a, "values"_a, "variance"_a)
      .def("add_zeros", &BoundEstimation::AddZeros, "attributes"_a, "cells"_a)
      .def("fit", &BoundEstimation::Fit, "total"_a.none(), "method"_a, "max_iterations"_a, "relative_gap"_a,
           "ignore_noise_floor"_a, "max_cells"_a, "start"_a.none(), "threads"_a,
           "The model, and how well it fits. The lock is released.");
  module.def("model_from_potentials", &ModelOf, "domain"_a, "cliques"_a, "potentials"_a, "total"_a, "max_cells"_a);
  module.def("model_potentials", &PotentialsOf, "model"_a, "Cliques, and a view of their potentials.");
}

}  // namespace flaim::python
