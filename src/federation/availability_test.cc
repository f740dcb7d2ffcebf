#include "federation/availability.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Clients = std::vector<ClientIndex>;

AvailabilitySchedule ScheduleOf(const Availability& availability, std::size_t clients) {
  return AvailabilitySchedule::Create(availability, clients).value();
}

Clients FirstClients(std::size_t count) {
  Clients clients(count);
  std::iota(clients.begin(), clients.end(), ClientIndex{0});
  return clients;
}

Probabilities Binomial(std::int64_t trials, long double probability) {
  Probabilities probabilities;
  for (std::int64_t k = 0; k <= trials; ++k) {
    const long double ways = std::lgamma(trials + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(trials - k + 1.0L);
    probabilities[k] = std::exp(ways + k * std::log(probability) + (trials - k) * std::log1p(-probability));
  }
  return probabilities;
}

TEST(Availability, OfEverybodyIsEverybody) {
  SeededRandomSource random(1, "everybody");
  AvailabilitySchedule schedule = ScheduleOf(Everybody{}, 4);
  for (int round = 0; round < 3; ++round) EXPECT_EQ(schedule.Next(random), FirstClients(4));
}

// Clients that came together more or less often than independent ones would give another distribution of sizes.
TEST(PoissonAvailability, GivesGroupsWhoseSizesAreBinomial) {
  constexpr int kClients = 30;
  for (const double rate : {0.05, 0.1, 0.5, 0.9}) {
    SeededRandomSource random(2, "group sizes");
    AvailabilitySchedule schedule = ScheduleOf(Poisson{rate}, kClients);
    const Counts sizes = CountDraws(40'000, [&] { return schedule.Next(random).size(); });
    EXPECT_GT(ChiSquaredPValue(sizes, Binomial(kClients, rate)), kTestAlpha) << rate;
  }
}

TEST(PoissonAvailability, HasEachClientAsOftenAsItsRateSays) {
  constexpr int kClients = 7;
  constexpr int kRounds = 40'000;
  SeededRandomSource random(3, "clients");
  AvailabilitySchedule schedule = ScheduleOf(Poisson{0.3}, kClients);
  std::vector<int> times(kClients);
  for (int round = 0; round < kRounds; ++round) {
    for (const ClientIndex client : schedule.Next(random)) ++times[client];
  }
  for (const int served : times) {
    const Counts came = {{0, kRounds - served}, {1, served}};
    EXPECT_GT(ChiSquaredPValue(came, {{0, 0.7L}, {1, 0.3L}}), kTestAlpha) << served;
  }
}

TEST(PoissonAvailability, WithRateZeroIsNobodyAndWithRateOneEverybody) {
  SeededRandomSource random(4, "extremes");
  AvailabilitySchedule nobody = ScheduleOf(Poisson{0}, 50);
  AvailabilitySchedule everybody = ScheduleOf(Poisson{1}, 50);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THAT(nobody.Next(random), IsEmpty());
    EXPECT_EQ(everybody.Next(random), FirstClients(50));
  }
}

// Rate, and the rounds that one pass over all clients takes.
class TakingTurnsOf : public testing::TestWithParam<std::tuple<double, int>> {};

TEST_P(TakingTurnsOf, HasEveryClientExactlyOnceInAPass) {
  const auto [rate, rounds] = GetParam();
  for (const std::size_t clients : {1, 2, 3, 7, 10, 99, 100, 1234}) {
    SeededRandomSource random(5, "turns");
    AvailabilitySchedule schedule = ScheduleOf(TakingTurns{rate}, clients);
    for (int pass = 0; pass < 5; ++pass) {
      Clients seen;
      for (int round = 0; round < rounds; ++round) {
        const Clients present = schedule.Next(random);
        EXPECT_TRUE(std::is_sorted(present.begin(), present.end()));
        EXPECT_LE(static_cast<double>(present.size()), rate * static_cast<double>(clients) + 1);
        if (round + 1 < rounds) {
          EXPECT_GE(static_cast<double>(present.size()), std::floor(rate * static_cast<double>(clients)));
        }
        seen.insert(seen.end(), present.begin(), present.end());
      }
      std::sort(seen.begin(), seen.end());
      EXPECT_EQ(seen, FirstClients(clients)) << "pass " << pass << " over " << clients << " clients";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, TakingTurnsOf,
                         testing::Values(std::tuple(0.1, 10), std::tuple(0.3, 4), std::tuple(1.0 / 7, 7),
                                         std::tuple(1.0 / 3, 3), std::tuple(0.05, 20), std::tuple(0.01, 100),
                                         std::tuple(0.7, 2), std::tuple(1.0, 1)));

// Seven times this rate is a little less than one: the hair that is forgiven must not cost anybody its turn.
TEST(TakingTurns, LeaveNobodyOutWhenTheRateIsAWrittenSeventh) {
  constexpr std::size_t kClients = 1'000'000;
  SeededRandomSource random(6, "a written seventh");
  AvailabilitySchedule schedule = ScheduleOf(TakingTurns{0.1428571428}, kClients);
  std::vector<int> times(kClients);
  for (int round = 0; round < 7; ++round) {
    for (const ClientIndex client : schedule.Next(random)) ++times[client];
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), kClients);
}

TEST(TakingTurns, WithRateZeroIsNobody) {
  SeededRandomSource random(7, "no turns");
  AvailabilitySchedule schedule = ScheduleOf(TakingTurns{0}, 50);
  for (int round = 0; round < 100; ++round) EXPECT_THAT(schedule.Next(random), IsEmpty());
}

TEST(TakingTurns, PutEveryPairOfClientsTogetherEquallyOften) {
  SeededRandomSource random(8, "pairs");
  AvailabilitySchedule schedule = ScheduleOf(TakingTurns{0.4}, 5);
  Counts pairs;
  for (int pass = 0; pass < 20'000; ++pass) {
    const Clients first = schedule.Next(random);
    ASSERT_EQ(first.size(), 2U);
    ++pairs[first[0] * 5 + first[1]];
    schedule.Next(random);
    schedule.Next(random);
  }
  Probabilities probabilities;
  for (int one = 0; one < 5; ++one) {
    for (int other = one + 1; other < 5; ++other) probabilities[one * 5 + other] = 0.1L;
  }
  EXPECT_GT(ChiSquaredPValue(pairs, probabilities), kTestAlpha);
}

TEST(TraceAvailability, IsWhatTheTraceSaysAndThenNobody) {
  SeededRandomSource random(9, "trace");
  AvailabilitySchedule schedule = ScheduleOf(Trace{{{3, 0, 3}, {}, {1}}}, 4);
  EXPECT_THAT(schedule.Next(random), ElementsAre(0, 3));
  EXPECT_THAT(schedule.Next(random), IsEmpty());
  EXPECT_THAT(schedule.Next(random), ElementsAre(1));
  EXPECT_THAT(schedule.Next(random), IsEmpty());
}

TEST(Availability, RefusesWhatHasNoMeaning) {
  EXPECT_TRUE(absl::IsInvalidArgument(AvailabilitySchedule::Create(Everybody{}, 0).status()));
  for (const double rate : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(AvailabilitySchedule::Create(Poisson{rate}, 3).status())) << rate;
    EXPECT_TRUE(absl::IsInvalidArgument(AvailabilitySchedule::Create(TakingTurns{rate}, 3).status())) << rate;
  }
  const absl::Status stranger = AvailabilitySchedule::Create(Trace{{{0}, {2, 3}}}, 3).status();
  EXPECT_TRUE(absl::IsInvalidArgument(stranger));
  EXPECT_THAT(std::string(stranger.message()), HasSubstr("round 2 of the trace has client 3"));
}

TEST(ParseTrace, ReadsOneRoundFromEachLine) {
  const Trace trace = ParseTrace("# office hours\n0 2\t7\n\n 5 # alone\r\n4294967295", "hours.txt").value();
  EXPECT_THAT(trace.rounds, ElementsAre(ElementsAre(0, 2, 7), IsEmpty(), ElementsAre(5), ElementsAre(4294967295)));
}

TEST(ParseTrace, SaysWhereItCannotRead) {
  for (const std::string line : {"1 x", "-1", "1.5", "1,2", "4294967296", "0x1"}) {
    const absl::Status status = ParseTrace("0 1\n# fine\n" + line + "\n2\n", "hours.txt").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << line;
    EXPECT_THAT(std::string(status.message()), HasSubstr("hours.txt, line 3")) << line;
  }
}

TEST(ParseTrace, RefusesATraceWithoutRounds) {
  for (const std::string text : {"", "# nothing yet\n"}) {
    const absl::Status status = ParseTrace(text, "hours.txt").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_THAT(std::string(status.message()), HasSubstr("hours.txt"));
  }
}

}  // namespace
}  // namespace flaim
