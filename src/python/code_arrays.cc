#include "python/code_arrays.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "base/status.h"
#include "io/message_text.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;

// False if a code is negative or not below `size`.
template <typename From, typename To>
bool Narrow(const CodeArray& column, std::int64_t size, std::vector<To>& codes) {
  const From* data = static_cast<const From*>(column.data());
  const std::int64_t stride = column.stride(0);
  bool in_range = true;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    const From value = data[static_cast<std::int64_t>(row) * stride];
    in_range &= value >= From{0} && static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(size);
    codes[row] = static_cast<To>(value);
  }
  return in_range;
}

template <typename To>
bool NarrowAny(const CodeArray& column, std::int64_t size, std::vector<To>& codes) {
  const nb::dlpack::dtype type = column.dtype();
  if (type == nb::dtype<std::uint8_t>()) return Narrow<std::uint8_t>(column, size, codes);
  if (type == nb::dtype<std::uint16_t>()) return Narrow<std::uint16_t>(column, size, codes);
  if (type == nb::dtype<std::uint32_t>()) return Narrow<std::uint32_t>(column, size, codes);
  if (type == nb::dtype<std::uint64_t>()) return Narrow<std::uint64_t>(column, size, codes);
  if (type == nb::dtype<std::int8_t>()) return Narrow<std::int8_t>(column, size, codes);
  if (type == nb::dtype<std::int16_t>()) return Narrow<std::int16_t>(column, size, codes);
  if (type == nb::dtype<std::int32_t>()) return Narrow<std::int32_t>(column, size, codes);
  if (type == nb::dtype<std::int64_t>()) return Narrow<std::int64_t>(column, size, codes);
  throw StatusException(InvalidArgument("codes are whole numbers; give arrays of an integer type"));
}

}  // namespace

Table TableOfCodes(const Domain& domain, const std::vector<CodeArray>& columns) {
  if (columns.size() != static_cast<std::size_t>(domain.size())) {
    ThrowIfError(InvalidArgument("{} columns were given for a domain of {}", columns.size(), domain.size()));
  }
  std::vector<CodeColumn> codes;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    const CodeArray& column = columns[static_cast<std::size_t>(attribute)];
    const auto& [name, size] = domain[attribute];
    if (column.shape(0) != columns.front().shape(0)) {
      ThrowIfError(InvalidArgument("column {} has more or fewer rows than the first", QuoteForMessage(name)));
    }
    codes.push_back(MakeCodeColumn(size, column.shape(0)));
    const std::int64_t below = size;
    if (!std::visit([&](auto& narrow) { return NarrowAny(column, below, narrow); }, codes.back())) {
      ThrowIfError(InvalidArgument("column {} has a code outside 0, ..., {}; correct it, or the size in the domain",
                                   QuoteForMessage(name), size - 1));
    }
  }
  return Table::FromColumns(domain, std::move(codes));
}

}  // namespace flaim::python
