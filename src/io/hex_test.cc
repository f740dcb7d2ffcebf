#include "io/hex.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace flaim {
namespace {

TEST(Hex, HasTwoDigitsInLowerCaseForEachByte) {
  EXPECT_EQ(ToHex(Bytes{0x00, 0x0f, 0xa5, 0xff}), "000fa5ff");
  EXPECT_EQ(ToHex(Bytes()), "");
}

RC_GTEST_PROP(Hex, IsReadAsWritten, (const Bytes& bytes)) { RC_ASSERT(*FromHex(ToHex(bytes)) == bytes); }

TEST(Hex, IsRefusedInAnyOtherSpelling) {
  for (const std::string_view text : {"0", "0g", "g0", "A5", "0F", "0x00", " 00", "00 ", "0\n"}) {
    EXPECT_EQ(FromHex(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace flaim
