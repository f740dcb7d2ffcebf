#include "data/rows/real_data_testing.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

class LargeDataset : public testing::TestWithParam<DatasetOfReadme> {};

TEST_P(LargeDataset, LoadsWithItsSchema) { ExpectDatasetLoads(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Readme, LargeDataset,
                         testing::Values(DatasetOfReadme{"covtype", 581'012, 55},
                                         DatasetOfReadme{"census", 299'285, 42},
                                         DatasetOfReadme{"intrusion", 494'021, 42}),
                         [](const auto& dataset) { return std::string(dataset.param.name); });

}  // namespace
}  // namespace flaim
