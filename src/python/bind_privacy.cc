#include "python/bindings.h"
#include "python/privacy_bindings.h"

namespace flaim::python {

void BindPrivacy(nanobind::module_& module) {
  BindMechanisms(module);
  BindAccountants(module);
  BindLedger(module);
}

}  // namespace flaim::python
