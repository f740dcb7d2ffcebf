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

}  // namespace flaim::python
