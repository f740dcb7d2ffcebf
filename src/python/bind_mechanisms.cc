#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "marginal/score.h"
#include "marginal/sensitivity.h"
#include "privacy/ledger/ledger_row.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/exponential_sampler.h"
#include "python/bindings.h"
#include "python/bound_random.h"
#include "python/numpy_arrays.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Rational RationalOf(std::int64_t numerator, std::int64_t denominator) {
  if (numerator < 0 || numerator > Rational::kMaxTerm || denominator < 1 || denominator > Rational::kMaxTerm) {
    ThrowIfError(
        InvalidArgument("{}/{} is no exact fraction: its terms must be between 0 and 2^40", numerator, denominator));
  }
  return {numerator, denominator};
}

GaussianMechanism MakeGaussian(const Rational& sigma_squared, std::int64_t sensitivity_squared) {
  const GaussianMechanism mechanism{sigma_squared, sensitivity_squared};
  ThrowIfError(Validate(mechanism));
  return mechanism;
}

ExponentialMechanism MakeExponential(const Rational& epsilon, std::int64_t sensitivity) {
  const ExponentialMechanism mechanism{epsilon, sensitivity};
  ThrowIfError(Validate(mechanism));
  return mechanism;
}

nb::object Sample(const DiscreteGaussian& noise, BoundRandom& random, std::size_t count) {
  std::vector<std::int64_t> values(count);
  {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(random.mutex);
    noise.Fill(*random.source, values);
  }
  return ToNumpy(std::move(values), {count});
}

std::size_t Choose(const Integers& scores, const ExponentialMechanism& mechanism, BoundRandom& random) {
  if (scores.size() == 0) ThrowIfError(InvalidArgument("there is nothing to choose from"));
  const nb::gil_scoped_release released;
  const std::lock_guard lock(random.mutex);
  return SampleExponential({scores.data(), scores.size()}, mechanism.epsilon, mechanism.sensitivity, *random.source);
}

std::int64_t ScoreOf(const Integers& counts, const Numbers& expected, std::int64_t weight, double penalty_records) {
  if (counts.size() != expected.size()) {
    ThrowIfError(InvalidArgument("{} counts are compared with {} expected ones", counts.size(), expected.size()));
  }
  if (weight < 1) ThrowIfError(InvalidArgument("the weight is {}; weights are positive", weight));
  absl::StatusOr<ScaledDistance> distance =
      Distance({{counts.data(), counts.size()}, {expected.data(), expected.size()}});
  // The counts are arguments here: what does not fit is no lack of memory, as it would be inside a fit.
  if (!distance.ok()) ThrowIfError(absl::InvalidArgumentError(distance.status().message()));
  return Unwrap(Score({weight, penalty_records}, *distance));
}

std::int64_t SensitivityOf(const std::vector<std::int64_t>& weights) { return Unwrap(ScoreSensitivity(weights)); }

}  // namespace

void BindMechanisms(nb::module_& module) {
  nb::class_<Rational>(module, "Rational", "An exact non-negative fraction; its terms are at most 2^40.")
      .def(
          "__init__",
          [](Rational* self, std::int64_t numerator, std::int64_t denominator) {
            new (self) Rational(RationalOf(numerator, denominator));
          },
          "numerator"_a, "denominator"_a)
      .def_prop_ro("numerator", &Rational::numerator)
      .def_prop_ro("denominator", &Rational::denominator);

  nb::class_<GaussianMechanism>(module, "GaussianMechanism")
      .def(
          "__init__",
          [](GaussianMechanism* self, const Rational& sigma_squared, std::int64_t sensitivity_squared) {
            new (self) GaussianMechanism(MakeGaussian(sigma_squared, sensitivity_squared));
          },
          "sigma_squared"_a, "sensitivity_squared"_a)
      .def_ro("sigma_squared", &GaussianMechanism::sigma_squared)
      .def_ro("sensitivity_squared", &GaussianMechanism::sensitivity_squared)
      .def_prop_ro("rho_units", [](const GaussianMechanism& mechanism) { return CostOf(mechanism).units(); });
  nb::class_<ExponentialMechanism>(module, "ExponentialMechanism")
      .def(
          "__init__",
          [](ExponentialMechanism* self, const Rational& epsilon, std::int64_t sensitivity) {
            new (self) ExponentialMechanism(MakeExponential(epsilon, sensitivity));
          },
          "epsilon"_a, "sensitivity"_a)
      .def_ro("epsilon", &ExponentialMechanism::epsilon)
      .def_ro("sensitivity", &ExponentialMechanism::sensitivity)
      .def_prop_ro("rho_units", [](const ExponentialMechanism& mechanism) { return CostOf(mechanism).units(); });

  nb::class_<BoundRandom>(module, "RandomSource", "Random bytes: secure, or seeded for research.")
      .def_static(
          "secure", [] { return new BoundRandom(std::make_unique<SecureRandomSource>()); },
          nb::rv_policy::take_ownership)
      .def_static(
          "seeded",
          [](std::uint64_t seed, const std::string& label) {
            return new BoundRandom(std::make_unique<SeededRandomSource>(seed, label));
          },
          "seed"_a, "label"_a, nb::rv_policy::take_ownership)
      .def_prop_ro("provenance", [](const BoundRandom& random) { return random.source->Provenance(); })
      .def_prop_ro("is_secure", [](const BoundRandom& random) { return random.source->IsSecure(); });

  nb::class_<DiscreteGaussian>(module, "DiscreteGaussian", "The discrete Gaussian of one variance, exactly.")
      .def(
          "__init__",
          [](DiscreteGaussian* self, const Rational& sigma_squared) {
            if (sigma_squared.numerator() == 0) ThrowIfError(InvalidArgument("sigma^2 is 0: that is no noise at all"));
            new (self) DiscreteGaussian(sigma_squared);
          },
          "sigma_squared"_a)
      .def("sample", &Sample, "random"_a, "count"_a, "Independent draws. The lock is released.");
  module.def("sample_exponential", &Choose, "scores"_a, "mechanism"_a, "random"_a);

  module.attr("SCORE_SCALE") = kScoreScale;
  module.def("query_score", &ScoreOf, "counts"_a, "expected"_a, "weight"_a, "penalty_records"_a);
  module.def("score_sensitivity", &SensitivityOf, "weights"_a);
}

}  // namespace flaim::python
