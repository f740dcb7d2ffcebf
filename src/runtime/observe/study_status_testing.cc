#include "runtime/observe/study_status_testing.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "fmt/format.h"

namespace flaim::runtime::testing_support {
namespace {

constexpr std::int64_t kStart = 1'893'456'000'000;  // 2030-01-01

SiteStatus ExampleSite(int number) {
  const bool is_gone = number == 3;
  return {.name = fmt::format("hospital-{}", number),
          .is_online = !is_gone,
          .is_approved = true,
          .fingerprint = "1f3a 90bc 77d1 02e4 5566 a8b9 c0d1 e2f3",
          .last_seen_unix_ms = is_gone ? kStart + 17'000 : kStart + 61'000,
          .rounds_served = is_gone ? 3 : 7,
          .rho_spent = is_gone ? 0.0081 : 0.0189,
          .sent_bytes = static_cast<std::uint64_t>(1'234'567 + 1000 * number),
          .received_bytes = static_cast<std::uint64_t>(4'345'678 + 1000 * number)};
}

std::string RandomText(RandomSource& random) {
  constexpr std::array<const char*, 12> kPieces = {"a", "site", "\"", "\\",  "\n", "\x01",
                                                   "é", "日本", "😀",  "<b>", "",   " "};
  std::string text;
  for (std::uint64_t left = random.NextBelow(5); left > 0; --left) text += kPieces[random.NextBelow(kPieces.size())];
  return text;
}

std::int64_t RandomInteger(RandomSource& random) {
  return static_cast<std::int64_t>(random.NextU64() >> random.NextBelow(64)) * (random.NextBelow(2) == 0 ? 1 : -1);
}

double RandomFiniteNumber(RandomSource& random) {
  const auto number = std::bit_cast<double>(random.NextU64());
  if (random.NextBelow(4) == 0 || !std::isfinite(number)) return static_cast<double>(random.NextBelow(10));
  return number;
}

double RandomNumber(RandomSource& random) {
  if (random.NextBelow(20) > 0) return RandomFiniteNumber(random);
  return std::numeric_limits<double>::infinity() * (random.NextBelow(2) == 0 ? 1 : -1);
}

bool RandomTruth(RandomSource& random) { return random.NextBelow(2) == 0; }

template <typename T>
std::vector<T> RandomList(RandomSource& random, T (*make)(RandomSource&)) {
  std::vector<T> list;
  for (std::uint64_t left = random.NextBelow(6); left > 0; --left) list.push_back(make(random));
  return list;
}

LogLine RandomLine(RandomSource& random) {
  LogLine line{RandomInteger(random), static_cast<LogLevel>(random.NextBelow(3)), RandomText(random), {}};
  std::set<std::string> names;
  for (std::uint64_t left = random.NextBelow(5); left > 0; --left) {
    const std::string name = RandomText(random);
    if (!names.insert(name).second) continue;
    const std::array<LogValue, 4> values = {RandomText(random), RandomInteger(random), RandomFiniteNumber(random),
                                            RandomTruth(random)};
    line.fields.emplace_back(name, values[random.NextBelow(values.size())]);
  }
  return line;
}

SiteStatus RandomSite(RandomSource& random) {
  return {.name = RandomText(random),
          .is_online = RandomTruth(random),
          .is_approved = RandomTruth(random),
          .fingerprint = RandomText(random),
          .last_seen_unix_ms = RandomInteger(random),
          .rounds_served = RandomInteger(random),
          .rho_spent = RandomNumber(random),
          .sent_bytes = random.NextU64(),
          .received_bytes = random.NextU64()};
}

RoundStatus RandomRound(RandomSource& random) {
  return {.round = RandomInteger(random),
          .members = RandomInteger(random),
          .chosen = RandomList(random, RandomText),
          .sigma = RandomNumber(random),
          .records = RandomNumber(random),
          .seconds = RandomNumber(random)};
}

}  // namespace

StudyStatus ExampleStatus(int sites) {
  StudyStatus status{.study = "stroke-outcomes-2030",
                     .method = "AugFLAIM (Private)",
                     .software = "flaim 0.1.0",
                     .manifest = "9c1185a5c5e9fc54612808977ee8f548",
                     .roster = "51d0c6f7a3be4fa2a8a8b6a1d8d3f0b7",
                     .phase = StudyPhase::kRunning,
                     .is_research = false,
                     .epsilon = 1,
                     .delta = 1e-6,
                     .rho_allowance = 0.027,
                     .share_spent = 0.7,
                     .started_unix_ms = kStart,
                     .now_unix_ms = kStart + 62'000,
                     .seconds_left = 24.0,
                     .minimum_sites = 3,
                     .rounds_planned = 10,
                     .sites = {},
                     .rounds = {},
                     .sum = SumStatus{"marginals of round 8", "masked vectors", sites - 2, sites - 1},
                     .result = "",
                     .failure = "",
                     .log = {},
                     .log_counts = {12, 1, 0}};
  for (int number = 1; number <= sites; ++number) status.sites.push_back(ExampleSite(number));
  for (std::int64_t round = 1; round <= 7; ++round) {
    status.rounds.push_back({round,
                             sites - (round > 3 ? 1 : 0),
                             {"age × income", "diagnosis × ward"},
                             61.3,
                             48'842 - static_cast<double>(round),
                             8});
    status.log.push_back({kStart + 8000 * round, LogLevel::kInfo, "round finished", {{"round", round}}});
  }
  status.log.push_back({kStart + 25'000, LogLevel::kWarning, "site lost", {{"site", std::string("hospital-3")}}});
  return status;
}

StudyStatus RandomStatus(RandomSource& random) {
  StudyStatus status;
  for (std::string* text : {&status.study, &status.method, &status.software, &status.manifest, &status.roster,
                            &status.result, &status.failure}) {
    *text = RandomText(random);
  }
  for (double* number : {&status.epsilon, &status.delta, &status.rho_allowance, &status.share_spent}) {
    *number = RandomNumber(random);
  }
  for (std::int64_t* number :
       {&status.started_unix_ms, &status.now_unix_ms, &status.minimum_sites, &status.rounds_planned,
        &status.log_counts.infos, &status.log_counts.warnings, &status.log_counts.errors}) {
    *number = RandomInteger(random);
  }
  status.phase = static_cast<StudyPhase>(random.NextBelow(5));
  status.is_research = RandomTruth(random);
  if (RandomTruth(random)) status.seconds_left = RandomNumber(random);
  if (RandomTruth(random)) {
    status.sum = SumStatus{RandomText(random), RandomText(random), RandomInteger(random), RandomInteger(random)};
  }
  status.sites = RandomList(random, RandomSite);
  status.rounds = RandomList(random, RandomRound);
  status.log = RandomList(random, RandomLine);
  return status;
}

}  // namespace flaim::runtime::testing_support
