#include "python/bindings.h"

namespace flaim::python {

void BindEngine(nanobind::module_& module) {
  BindInference(module);
  BindEstimation(module);
  BindWorkloads(module);
  BindCounting(module);
}

}  // namespace flaim::python
