#pragma once

#include <nanobind/nanobind.h>

namespace flaim::python {

// The parts that BindEngine puts together, a file each.
void BindInference(nanobind::module_& module);
void BindEstimation(nanobind::module_& module);
void BindWorkloads(nanobind::module_& module);
void BindCounting(nanobind::module_& module);

}  // namespace flaim::python
