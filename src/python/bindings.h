#pragma once

#include <nanobind/nanobind.h>

namespace flaim::python {

// The parts of flaim._flaim, a file each.
void BindExceptions(nanobind::module_& module);
void BindTables(nanobind::module_& module);
void BindPrivacy(nanobind::module_& module);
void BindEngine(nanobind::module_& module);
void BindModels(nanobind::module_& module);
void BindJobs(nanobind::module_& module);
void BindCounts(nanobind::module_& module);

// The parts that BindPrivacy puts together.
void BindMechanisms(nanobind::module_& module);
void BindAccountants(nanobind::module_& module);
void BindLedger(nanobind::module_& module);

// The parts that BindEngine puts together.
void BindInference(nanobind::module_& module);
void BindEstimation(nanobind::module_& module);
void BindWorkloads(nanobind::module_& module);
void BindCounting(nanobind::module_& module);

}  // namespace flaim::python
