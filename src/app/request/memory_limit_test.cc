#include "app/request/memory_limit.h"

#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(MemoryLimit, ReadsSizesAsPeopleWriteThem) {
  for (const char* text : {"2G", "2g", "2GB", "2GiB", "2048M", "2147483648", "2097152K"}) {
    const auto limit = MemoryLimit::Parse(text);
    ASSERT_TRUE(limit.ok()) << text;
    EXPECT_EQ(limit->bytes(), std::int64_t{2} << 30) << text;
  }
  EXPECT_EQ(MemoryLimit::Parse("1.5G")->bytes(), std::int64_t{3} << 29);
}

TEST(MemoryLimit, RefusesWhatIsNoSize) {
  for (const char* text : {"", "G", "two", "-1G", "0", "nan", "inf", "1e99", "2X", "2GG", "1 G", "100K", "99999T"}) {
    EXPECT_FALSE(MemoryLimit::Parse(text).ok()) << text;
  }
}

TEST(MemoryLimit, LeavesHalfOfTheMemoryForOtherThings) {
  const MemoryLimit limit = *MemoryLimit::Parse("1G");
  EXPECT_LE(limit.max_model_cells() * 8 * MemoryLimit::kDoublesPerCell, limit.bytes() / 2);
  EXPECT_LE(limit.max_kept_cells() * 8, limit.bytes() / 4);
}

}  // namespace
}  // namespace flaim
