#include "datasets/data_folder.h"

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(DataFolder, IsTheFlagThenTheVariableThenTheFolderBesideTheProject) {
  EXPECT_EQ(DataFolder("flag", "variable"), "flag");
  EXPECT_EQ(DataFolder("", "variable"), "variable");
  EXPECT_EQ(DataFolder("", ""), "../shared/data");
}

}  // namespace
}  // namespace flaim
