#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "gtest/gtest.h"

// The benchmark datasets, for tests that say clearly when they are absent.

namespace flaim {

inline std::string DataPath(const std::string& file) { return std::string(FLAIM_DATA_DIR) + "/" + file; }

#define SKIP_IF_ABSENT(file) \
  if (!std::filesystem::exists(::flaim::DataPath(file))) GTEST_SKIP() << ::flaim::DataPath(file) << " is absent"

// A line of the table in the datasets' README.
struct DatasetOfReadme {
  const char* name;
  std::size_t rows;
  int columns;
};

inline void ExpectDatasetLoads(const DatasetOfReadme& dataset) {
  const std::string csv = std::string(dataset.name) + ".csv.xz";
  SKIP_IF_ABSENT(csv);
  const auto schema = LoadSchema(DataPath(std::string(dataset.name) + ".schema.json"));
  ASSERT_TRUE(schema.ok()) << schema.status().message();
  const auto table = ReadTable(DataPath(csv), *schema);
  ASSERT_TRUE(table.ok()) << table.status().message();
  EXPECT_EQ(table->rows(), dataset.rows);
  EXPECT_EQ(table->domain().size(), dataset.columns);
}

}  // namespace flaim
