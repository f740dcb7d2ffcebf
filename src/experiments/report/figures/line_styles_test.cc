#include "experiments/report/figures/line_styles.h"

#include <set>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

std::vector<std::string> Names(int first, int count) {
  std::vector<std::string> names;
  for (int number = first; number < first + count; ++number) names.push_back(fmt::format("method {}", number));
  return names;
}

TEST(LineStyles, AreTheSameOnTheWholePageWhileThereAreColours) {
  const std::vector<std::string> page = Names(0, 8);
  EXPECT_EQ(AssignStyles(page, Names(0, 8)).at("method 5"),
            AssignStyles(page, {"method 5", "method 2"}).at("method 5"));
}

TEST(LineStyles, DifferAmongLinesThatAreDrawnTogether) {
  const std::vector<std::string> page = Names(0, 30);
  for (int count = 1; count <= 20; ++count) {
    std::set<int> styles;
    for (const auto& [name, style] : AssignStyles(page, Names(3, count))) styles.insert(style);
    EXPECT_EQ(styles.size(), static_cast<std::size_t>(count));
  }
  const LineStyles far_apart = AssignStyles(page, {"method 1", "method 9"});
  EXPECT_NE(far_apart.at("method 1") % 8, far_apart.at("method 9") % 8) << "colours are left, so they differ";
}

}  // namespace
}  // namespace flaim
