#include "io/calendar_format.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

CalendarFormat Iso(TimeKind kind) { return *CalendarFormat::Create(kind, std::nullopt); }

TEST(CalendarFormat, CountsSecondsFromTheStartOf1970) {
  EXPECT_EQ(ParseIso("1970-01-01"), 0);
  EXPECT_EQ(ParseIso("1970-01-02"), kSecondsPerDay);
  EXPECT_EQ(ParseIso("2000-02-29T12:34:56"), 951827696);
  EXPECT_EQ(ParseIso("0001-01-01"), kFirstCalendarSecond);
  EXPECT_EQ(ParseIso("9999-12-31T23:59:59"), kLastCalendarSecond);
}

TEST(CalendarFormat, AcceptsTheUsualVariantsOfIso8601) {
  const CalendarFormat format = Iso(TimeKind::kDateTime);
  const auto expected = format.Parse("2024-02-29T13:05:00");
  ASSERT_TRUE(expected);
  for (const char* text :
       {"2024-02-29 13:05:00", "2024-02-29T13:05", "2024-02-29T13:05:00Z", "2024-02-29T13:05:00.999"}) {
    EXPECT_EQ(format.Parse(text), expected) << text;
  }
}

TEST(CalendarFormat, RefusesDatesThatDoNotExist) {
  for (const char* text : {"2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "0000-01-01",
                           "24-01-01", "2024-1-1", "2024-01-01x", "", "2024/01/01"}) {
    EXPECT_FALSE(Iso(TimeKind::kDate).Parse(text)) << text;
  }
  for (const char* text : {"2024-01-01T24:00:00", "2024-01-01T23:60:00", "2024-01-01T23:59:60", "2024-01-01",
                           "2024-01-01T12:00:00+02:00", "2024-01-01T12", "2024-01-01T12:00:00."}) {
    EXPECT_FALSE(Iso(TimeKind::kDateTime).Parse(text)) << text;
  }
}

TEST(CalendarFormat, ReadsBackEveryDayThatItWrites) {
  const CalendarFormat iso = Iso(TimeKind::kDate);
  const CalendarFormat pattern = *CalendarFormat::Create(TimeKind::kDate, "%d%m%Y%%");
  for (std::int64_t day = kFirstCalendarSecond / kSecondsPerDay; day <= kLastCalendarSecond / kSecondsPerDay;
       day += 7) {
    for (const CalendarFormat* format : {&iso, &pattern}) {
      std::string text;
      format->Format(day * kSecondsPerDay, text);
      ASSERT_EQ(format->Parse(text), day * kSecondsPerDay) << text;
    }
  }
}

TEST(CalendarFormat, FollowsAPattern) {
  const CalendarFormat format = *CalendarFormat::Create(TimeKind::kDateTime, "%d.%m.%Y %H:%M");
  EXPECT_EQ(format.resolution_seconds(), kSecondsPerMinute);
  EXPECT_EQ(format.Parse("3.7.2024 08:05"), ParseIso("2024-07-03T08:05:00"));
  std::string text;
  format.Format(*ParseIso("2024-07-03T08:05:00"), text);
  EXPECT_EQ(text, "03.07.2024 08:05");
}

TEST(CalendarFormat, RefusesPatternsThatLoseOrRepeatAPart) {
  for (const char* pattern : {"%Y-%m", "%Y-%m-%d-%d", "%Y-%m-%d %H", "%y-%m-%d", "%Y-%m-%d%", "%Y-%m-%d %M"}) {
    EXPECT_FALSE(CalendarFormat::Create(TimeKind::kDate, pattern).ok()) << pattern;
  }
  for (const char* pattern : {"%Y-%m-%d", "%Y-%m-%d %M", "%Y-%m-%d %H %S"}) {
    EXPECT_FALSE(CalendarFormat::Create(TimeKind::kDateTime, pattern).ok()) << pattern;
  }
  EXPECT_THAT(CalendarFormat::Create(TimeKind::kDate, "%Y-%m-%d %H").status().message(), HasSubstr("datetime"));
}

}  // namespace
}  // namespace flaim
