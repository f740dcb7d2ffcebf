#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

#include "base/status.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/gaussian_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "python/bindings.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

constexpr std::int64_t kRhoUnitsLimit = std::int64_t{1} << (12 + Rho::kUnitBits);

Rho RhoOf(std::int64_t units) {
  if (units < 0 || units >= kRhoUnitsLimit) ThrowIfError(InvalidArgument("rho must be at least 0 and below 4096"));
  return Rho::FromUnits(units);
}

double CheckedEpsilon(double epsilon) {
  if (!(epsilon >= 0 && epsilon <= 10'000)) {
    ThrowIfError(InvalidArgument("epsilon is {}; it must be at least 0 and at most 10000", epsilon));
  }
  return epsilon;
}

double CheckedDelta(double delta) {
  if (!(delta >= 1e-300 && delta < 1)) {
    ThrowIfError(InvalidArgument("delta is {}; it must be above 0 and below 1", delta));
  }
  return delta;
}

std::vector<Step> StepsOf(const nb::sequence& sequence) {
  std::vector<Step> steps;
  for (const nb::handle item : sequence) {
    if (nb::isinstance<GaussianMechanism>(item)) {
      steps.emplace_back(nb::cast<GaussianMechanism>(item));
    } else if (nb::isinstance<ExponentialMechanism>(item)) {
      steps.emplace_back(nb::cast<ExponentialMechanism>(item));
    } else {
      steps.emplace_back(nb::cast<Mu>(item));
    }
  }
  return steps;
}

// A question about a schedule, asked without the interpreter's lock.
template <typename Ask>
auto AskAbout(const nb::sequence& sequence, const Ask& ask) {
  const std::vector<Step> steps = StepsOf(sequence);
  const nb::gil_scoped_release released;
  return Unwrap(ask(steps));
}

nb::list Scaled(const nb::sequence& sequence, double scale) {
  nb::list result;
  for (const Step& step : Unwrap(ScaleNoise(StepsOf(sequence), scale))) {
    std::visit([&](const auto& kind) { result.append(nb::cast(kind)); }, step);
  }
  return result;
}

}  // namespace

void BindAccountants(nb::module_& module) {
  nb::class_<Mu>(module, "Mu", "Continuous Gaussian noise, by how well it hides one record.")
      .def(
          "__init__", [](Mu* self, double value) { new (self) Mu(Unwrap(Mu::Create(value))); }, "value"_a)
      .def_prop_ro("value", &Mu::value);

  module.attr("RHO_UNIT_BITS") = Rho::kUnitBits;
  module.def(
      "rho_for",
      [](double epsilon, double delta) { return RhoFor(Unwrap(PrivacyBudget::Create(epsilon, delta))).units(); },
      "epsilon"_a, "delta"_a);
  module.def(
      "zcdp_delta", [](std::int64_t units, double epsilon) { return DeltaOf(RhoOf(units), CheckedEpsilon(epsilon)); },
      "rho_units"_a, "epsilon"_a);
  module.def(
      "zcdp_epsilon", [](std::int64_t units, double delta) { return EpsilonOf(RhoOf(units), CheckedDelta(delta)); },
      "rho_units"_a, "delta"_a);

  module.def(
      "mu_for",
      [](double epsilon, double delta) { return MuFor(Unwrap(PrivacyBudget::Create(epsilon, delta))).value(); },
      "epsilon"_a, "delta"_a);
  module.def(
      "gaussian_delta", [](const Mu& mu, double epsilon) { return DeltaOf(mu, CheckedEpsilon(epsilon)); }, "mu"_a,
      "epsilon"_a);
  module.def(
      "gaussian_epsilon", [](const Mu& mu, double delta) { return EpsilonOf(mu, CheckedDelta(delta)); }, "mu"_a,
      "delta"_a);

  module.def(
      "exact_delta",
      [](const nb::sequence& steps, double epsilon) {
        return AskAbout(steps, [&](const std::vector<Step>& schedule) { return ExactDelta(schedule, epsilon); });
      },
      "steps"_a, "epsilon"_a);
  module.def(
      "exact_epsilon",
      [](const nb::sequence& steps, double delta) {
        return AskAbout(steps, [&](const std::vector<Step>& schedule) { return ExactEpsilon(schedule, delta); });
      },
      "steps"_a, "delta"_a);
  module.def(
      "best_delta",
      [](const nb::sequence& steps, double epsilon) {
        return AskAbout(steps, [&](const std::vector<Step>& schedule) { return BestDelta(schedule, epsilon); });
      },
      "steps"_a, "epsilon"_a);
  module.def(
      "calibrate_noise",
      [](const nb::sequence& steps, double epsilon, double delta) {
        const PrivacyBudget budget = Unwrap(PrivacyBudget::Create(epsilon, delta));
        return AskAbout(steps, [&](const std::vector<Step>& schedule) { return CalibrateNoise(schedule, budget); });
      },
      "steps"_a, "epsilon"_a, "delta"_a);
  module.def("scale_noise", &Scaled, "steps"_a, "scale"_a);
}

}  // namespace flaim::python
