#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace flaim::python {

// A numpy array that owns the numbers: nothing is copied.
template <typename Number>
nanobind::object ToNumpy(std::vector<Number> numbers, const std::vector<std::size_t>& shape) {
  auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
  Number* const data = owned->data();
  const nanobind::capsule owner(owned.release(),
                                [](void* vector) noexcept { delete static_cast<std::vector<Number>*>(vector); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, Number>(data, shape.size(), shape.data(), owner));
}

}  // namespace flaim::python
