#include <nanobind/nanobind.h>

#include "privacy/budget/budget_refusal.h"
#include "python/bindings.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;

// Made once, when the module is loaded, and never released: an exception type lives as long as the interpreter.
struct ExceptionTypes {
  PyObject* base = nullptr;
  PyObject* input = nullptr;
  PyObject* budget = nullptr;
  PyObject* damaged = nullptr;
  PyObject* system = nullptr;
};

ExceptionTypes& Types() {
  static ExceptionTypes types;
  return types;
}

PyObject* MakeType(nb::module_& module, const char* name, const char* doc, nb::handle bases) {
  const nb::str qualified = nb::str("flaim.{}").format(name);
  PyObject* type = PyErr_NewExceptionWithDoc(qualified.c_str(), doc, bases.ptr(), nullptr);
  if (type == nullptr) throw nb::python_error();
  module.attr(name) = nb::handle(type);
  return type;
}

PyObject* TypeFor(const absl::Status& status) {
  if (IsBudgetRefusal(status)) return Types().budget;
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return Types().input;
    case absl::StatusCode::kDataLoss:
      return Types().damaged;
    case absl::StatusCode::kCancelled:
      return PyExc_KeyboardInterrupt;
    default:
      return Types().system;
  }
}

}  // namespace

void BindExceptions(nb::module_& module) {
  ExceptionTypes& types = Types();
  types.base =
      MakeType(module, "FlaimError", "Everything that FLAIM refuses or cannot do.", nb::handle(PyExc_Exception));
  const nb::handle base(types.base);
  types.input = MakeType(module, "InputError", "The data, the schema or a parameter is not acceptable.",
                         nb::make_tuple(base, nb::handle(PyExc_ValueError)));
  types.budget = MakeType(module, "BudgetError", "The privacy budget does not allow it.", base);
  types.damaged = MakeType(module, "DamagedFileError", "A ledger or a model is damaged or was altered.", base);
  types.system = MakeType(module, "FileError", "A file could not be read or written, or memory did not suffice.",
                          nb::make_tuple(base, nb::handle(PyExc_OSError)));
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const StatusException& error) {
      PyErr_SetString(TypeFor(error.status()), error.what());
    }
  });
}

}  // namespace flaim::python
