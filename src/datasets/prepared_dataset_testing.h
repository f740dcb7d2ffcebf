#pragma once

#include <map>
#include <string>
#include <vector>

#include "datasets/prepared_dataset.h"

// What the tests of prepared datasets share.
namespace flaim {

// The codes of all rows, sorted: two tables with the same rows in another order have the same.
std::vector<std::vector<std::uint32_t>> SortedRows(const Table& table);

// How many rows of both parts have each class, by its text.
std::map<std::string, std::int64_t> ClassCounts(const PreparedDataset& dataset);

}  // namespace flaim
