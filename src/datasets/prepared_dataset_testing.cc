#include "datasets/prepared_dataset_testing.h"

#include <algorithm>

#include "base/seeded_random_source.h"

namespace flaim {

std::vector<std::vector<std::uint32_t>> SortedRows(const Table& table) {
  std::vector<std::vector<std::uint32_t>> rows(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      rows[row].push_back(table.at(row, attribute));
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::map<std::string, std::int64_t> ClassCounts(const PreparedDataset& dataset) {
  SeededRandomSource unused(1);
  const Column& column = dataset.schema.columns()[static_cast<std::size_t>(dataset.label.value())];
  std::map<std::string, std::int64_t> counts;
  for (const Table* table : {&dataset.train, &dataset.test}) {
    for (std::size_t row = 0; row < table->rows(); ++row) {
      std::string text;
      column.Decode(table->at(row, *dataset.label), unused, text);
      ++counts[text];
    }
  }
  return counts;
}

}  // namespace flaim
