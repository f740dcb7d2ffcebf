#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "data/table/table.h"

namespace flaim::python {

// A column of codes that the caller has, of any integer type and with any stride.
using CodeArray = nanobind::ndarray<nanobind::ro, nanobind::ndim<1>, nanobind::device::cpu>;

// A copy of these codes as a table, in as few bytes as the domain allows. Throws for a column that is missing, of
// another length or of another type, and for a code that the domain does not have.
Table TableOfCodes(const Domain& domain, const std::vector<CodeArray>& columns);

}  // namespace flaim::python
