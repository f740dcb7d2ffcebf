#include "python/bindings.h"

namespace flaim::python {

void BindPrivacy(nanobind::module_& module) {
  BindMechanisms(module);
  BindAccountants(module);
  BindLedger(module);
}

}  // namespace flaim::python
