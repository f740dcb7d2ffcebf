#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "data/table/table.h"

namespace flaim {

// A copy of one column, widened: for code that works on one column and need not know how narrow it is stored.
inline std::vector<std::uint32_t> CodesOf(const Table& table, AttributeIndex attribute) {
  return std::visit([](const auto codes) { return std::vector<std::uint32_t>(codes.begin(), codes.end()); },
                    table.column(attribute));
}

}  // namespace flaim
