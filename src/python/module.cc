#include <nanobind/nanobind.h>

#include "python/bindings.h"

NB_MODULE(_flaim, module) {
  // Whoever keeps objects until the interpreter ends, as pytest does with exceptions, is not to be told of leaks.
  nanobind::set_leak_warnings(false);
  module.doc() = "The C++ library underneath the package flaim.";
  module.attr("__version__") = FLAIM_VERSION;
  flaim::python::BindExceptions(module);
  flaim::python::BindTables(module);
  flaim::python::BindEngine(module);
  flaim::python::BindPrivacy(module);
  flaim::python::BindCounts(module);
  flaim::python::BindJobs(module);
  flaim::python::BindModels(module);
}
