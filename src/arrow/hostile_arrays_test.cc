// Arrays that break the rules of the layout are refused, as far as the layout allows to tell.

#include <cerrno>
#include <functional>
#include <limits>

#include "arrow/arrow_reader.h"
#include "arrow/arrow_testing.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

Schema Anything() {
  return *ParseSchema("[[column]]\nname = 'x'\ntype = 'categorical'\nvalues = ['a']\nother = 'b'", "s");
}

using Damage = std::function<void(ArrowArray&)>;

std::string ErrorAfter(TestColumn column, const Damage& damage) {
  damage(column.array.get());
  std::vector<ArrowOwner<ArrowArray>> columns;
  columns.push_back(std::move(column.array));
  std::vector<ArrowOwner<ArrowArray>> batches;
  batches.push_back(ExportBatch(2, std::move(columns)));
  ArrowArrayStream stream{};
  ExportStream(TableField({column.field}), std::move(batches), stream);
  return std::string(ReadArrow(stream, Anything()).status().message());
}

std::string ErrorAfterDamagingTheBatch(const Damage& damage) {
  TestColumn column = FixedWidth<std::int64_t>("x", "l", {1, 2});
  std::vector<ArrowOwner<ArrowArray>> columns;
  columns.push_back(std::move(column.array));
  std::vector<ArrowOwner<ArrowArray>> batches;
  batches.push_back(ExportBatch(2, std::move(columns)));
  damage(batches[0].get());
  ArrowArrayStream stream{};
  ExportStream(TableField({column.field}), std::move(batches), stream);
  return std::string(ReadArrow(stream, Anything()).status().message());
}

TestColumn TwoNumbers() { return FixedWidth<std::int64_t>("x", "l", {1, 2}); }
TestColumn TwoTexts(const std::string& format = "u") { return Texts("x", format, {"a", "a text of more than twelve"}); }

TEST(HostileArrays, AreFineWhenUndamaged) {
  EXPECT_EQ(ErrorAfter(TwoNumbers(), [](ArrowArray&) {}), "");
  EXPECT_EQ(ErrorAfter(TwoTexts("vu"), [](ArrowArray&) {}), "");
  EXPECT_EQ(ErrorAfterDamagingTheBatch([](ArrowArray&) {}), "");
}

TEST(HostileArrays, WithAbsurdLengthsAreRefused) {
  for (const std::int64_t absurd : {std::int64_t{-1}, kHuge, -kHuge}) {
    EXPECT_THAT(ErrorAfter(TwoNumbers(), [=](ArrowArray& array) { array.length = absurd; }), HasSubstr("broken"));
    EXPECT_THAT(ErrorAfter(TwoNumbers(), [=](ArrowArray& array) { array.offset = absurd; }), HasSubstr("broken"));
    EXPECT_THAT(ErrorAfterDamagingTheBatch([=](ArrowArray& array) { array.length = absurd; }), HasSubstr("broken"));
    EXPECT_THAT(ErrorAfterDamagingTheBatch([=](ArrowArray& array) { array.offset = absurd; }), HasSubstr("broken"));
  }
  EXPECT_THAT(ErrorAfter(TwoNumbers(), [](ArrowArray& array) { array.length = 1; }), HasSubstr("shorter"));
}

TEST(HostileArrays, WithoutBuffersAreRefused) {
  EXPECT_THAT(ErrorAfter(TwoNumbers(), [](ArrowArray& array) { array.buffers[1] = nullptr; }), HasSubstr("no values"));
  EXPECT_THAT(ErrorAfter(TwoNumbers(), [](ArrowArray& array) { array.buffers = nullptr; }), HasSubstr("no buffers"));
  EXPECT_THAT(ErrorAfter(TwoNumbers(), [](ArrowArray& array) { array.n_buffers = 1; }), HasSubstr("missing"));
  EXPECT_THAT(ErrorAfter(TwoNumbers(), [](ArrowArray& array) { array.null_count = 1; }), HasSubstr("nulls"));
  EXPECT_THAT(ErrorAfter(TwoTexts(), [](ArrowArray& array) { array.buffers[2] = nullptr; }), HasSubstr("no text"));
  EXPECT_THAT(ErrorAfter(TwoTexts("vu"), [](ArrowArray& array) { array.buffers[2] = nullptr; }), HasSubstr("outside"));
  EXPECT_THAT(ErrorAfter(TwoTexts("vu"), [](ArrowArray& array) { array.buffers[3] = nullptr; }), HasSubstr("outside"));
  EXPECT_THAT(ErrorAfter(TwoTexts("vu"), [](ArrowArray& array) { array.n_buffers = 2; }), HasSubstr("missing"));
}

TEST(HostileArrays, WithTextsOutsideTheirBuffersAreRefused) {
  EXPECT_THAT(ErrorAfter(FixedWidth<std::int32_t>("x", "u", {5, 3, 2}),
                         [](ArrowArray& array) {
                           array.length = 2;
                           array.n_buffers = 3;
                         }),
              HasSubstr("do not increase"));
  const std::int64_t too_few = 3;
  EXPECT_THAT(ErrorAfter(TwoTexts("vu"), [&](ArrowArray& array) { array.buffers[3] = &too_few; }),
              HasSubstr("outside"));
}

TEST(HostileArrays, WithoutChildrenOrDictionariesAreRefused) {
  EXPECT_THAT(ErrorAfterDamagingTheBatch([](ArrowArray& array) { array.n_children = 0; }), HasSubstr("broken"));
  EXPECT_THAT(ErrorAfterDamagingTheBatch([](ArrowArray& array) { array.children = nullptr; }), HasSubstr("broken"));
  EXPECT_THAT(ErrorAfterDamagingTheBatch([](ArrowArray& array) { array.children[0] = nullptr; }), HasSubstr("broken"));
  EXPECT_THAT(
      ErrorAfter(WithDictionary(TwoNumbers(), TwoTexts()), [](ArrowArray& array) { array.dictionary = nullptr; }),
      HasSubstr("dictionary is missing"));
}

TEST(HostileArrays, WithRowsThatAreNullAsAWholeAreRefused) {
  static const unsigned char kFirstOnly = 1;
  EXPECT_THAT(ErrorAfterDamagingTheBatch([](ArrowArray& array) {
                array.null_count = -1;
                array.buffers[0] = &kFirstOnly;
              }),
              HasSubstr("row 2 of an Arrow batch is null"));
}

TEST(HostileStreams, PassOnTheirErrors) {
  ArrowArrayStream stream{};
  ExportStream(TableField({TwoNumbers().field}), {}, stream);
  stream.get_next = [](ArrowArrayStream*, ArrowArray*) { return EIO; };
  stream.get_last_error = [](ArrowArrayStream*) { return "the disk is on fire"; };
  EXPECT_THAT(std::string(ReadArrow(stream, Anything()).status().message()), HasSubstr("the disk is on fire"));
  EXPECT_EQ(stream.release, nullptr);
}

TEST(HostileStreams, OfOneColumnOrReadTwiceAreRefused) {
  ArrowArrayStream stream{};
  ExportStream({.format = "l", .name = "x", .children = {}, .dictionary = {}}, {}, stream);
  EXPECT_THAT(std::string(ReadArrow(stream, Anything()).status().message()), HasSubstr("not a table"));
  EXPECT_THAT(std::string(ReadArrow(stream, Anything()).status().message()), HasSubstr("read before"));
}

}  // namespace
}  // namespace flaim
