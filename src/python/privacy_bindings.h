#pragma once

#include <nanobind/nanobind.h>

namespace flaim::python {

// The parts that BindPrivacy puts together, a file each.
void BindMechanisms(nanobind::module_& module);
void BindAccountants(nanobind::module_& module);
void BindLedger(nanobind::module_& module);

}  // namespace flaim::python
