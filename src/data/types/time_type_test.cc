#include "data/types/time_type.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

TimeSpec Spec(TimeKind kind, std::string_view min, std::string_view max, TimeSpec::Bins bins = {}) {
  TimeSpec spec;
  spec.kind = kind;
  spec.min = *ParseIso(min);
  spec.max = *ParseIso(max);
  spec.bins = bins;
  return spec;
}

TEST(TimeType, MonthBinsFollowTheCalendar) {
  const TimeType type = *TimeType::Create(Spec(TimeKind::kDate, "2023-12-15", "2024-03-01", CalendarUnit::kMonth));
  EXPECT_EQ(type.size(), 4U);
  EXPECT_EQ(type.Encode("2023-12-31").code, 0U);
  EXPECT_EQ(type.Encode("2024-01-01").code, 1U);
  EXPECT_EQ(type.Encode("2024-02-29").code, 2U);
  EXPECT_EQ(type.Encode("2024-03-01"), (Encoded{3}));
}

TEST(TimeType, WeeksStartOnMonday) {
  const TimeType type = *TimeType::Create(Spec(TimeKind::kDate, "2024-01-03", "2024-01-20", CalendarUnit::kWeek));
  EXPECT_EQ(type.Encode("2024-01-07").code, 0U) << "a Sunday";
  EXPECT_EQ(type.Encode("2024-01-08").code, 1U) << "a Monday";
  EXPECT_EQ(type.size(), 3U);
}

TEST(TimeType, YearsHoursAndMinutesWorkBefore1970) {
  EXPECT_EQ(TimeType::Create(Spec(TimeKind::kDate, "1899-12-31", "1902-01-01", CalendarUnit::kYear))->size(), 4U);
  const auto hours =
      TimeType::Create(Spec(TimeKind::kDateTime, "1969-12-31T22:30", "1970-01-01T01:00", CalendarUnit::kHour));
  EXPECT_EQ(hours->size(), 4U);
  EXPECT_EQ(hours->Encode("1969-12-31T23:00:00").code, 1U);
}

TEST(TimeType, WithoutBinsEveryDayOfAShortSpanIsACode) {
  EXPECT_EQ(TimeType::Create(Spec(TimeKind::kDate, "2024-01-01", "2024-01-31"))->size(), 31U);
  EXPECT_THAT(TimeType::Create(Spec(TimeKind::kDate, "2020-01-01", "2024-01-31")).status().message(),
              HasSubstr("state 'bin'"));
}

TEST(TimeType, TellsBelowAboveAndMalformedApart) {
  const TimeType type = *TimeType::Create(Spec(TimeKind::kDate, "2024-01-01", "2024-01-31"));
  EXPECT_EQ(type.Encode("2023-12-31"), (Encoded{0, EncodeOutcome::kBelow}));
  EXPECT_EQ(type.Encode("2024-02-01"), (Encoded{30, EncodeOutcome::kAbove}));
  EXPECT_EQ(type.Encode("2024-01-32").outcome, EncodeOutcome::kMalformed);
}

TEST(TimeType, RefusesImpossibleSpecifications) {
  EXPECT_FALSE(TimeType::Create(Spec(TimeKind::kDate, "2024-02-01", "2024-01-01")).ok());
  EXPECT_FALSE(TimeType::Create(Spec(TimeKind::kDate, "2024-01-01", "2024-01-05", CalendarUnit::kHour)).ok());
  EXPECT_FALSE(TimeType::Create(Spec(TimeKind::kDate, "2024-01-01T10:00", "2024-01-05")).ok());
  EXPECT_FALSE(TimeType::Create(Spec(TimeKind::kDate, "2024-01-01", "2024-01-05", std::int64_t{6})).ok());
  EXPECT_FALSE(TimeType::Create(Spec(TimeKind::kDateTime, "0001-01-01", "9999-12-31", CalendarUnit::kMinute)).ok());
}

TEST(CalendarUnit, NamesReadBack) {
  for (const CalendarUnit unit : {CalendarUnit::kMinute, CalendarUnit::kHour, CalendarUnit::kDay, CalendarUnit::kWeek,
                                  CalendarUnit::kMonth, CalendarUnit::kYear}) {
    EXPECT_EQ(CalendarUnitNamed(NameOf(unit)), unit);
  }
  EXPECT_EQ(CalendarUnitNamed("fortnight"), std::nullopt);
}

}  // namespace
}  // namespace flaim
