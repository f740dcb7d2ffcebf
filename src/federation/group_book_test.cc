#include "federation/group_book.h"

#include <algorithm>
#include <set>

#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Clients = std::vector<ClientIndex>;

constexpr GroupRequest kPool{.membership = Membership::kPool};
constexpr GroupRequest kFirst{.is_initialisation = true};

struct Round {
  GroupRequest request;
  Clients came;
};

bool AsksThePresent(const GroupRequest& request) { return request.membership == Membership::kPresent; }

// The rules by their words, from the whole history each time.
struct History {
  GroupRules rules;
  std::vector<Round> rounds = {};

  int Served(ClientIndex client) const {
    return static_cast<int>(std::count_if(rounds.begin(), rounds.end(), [&](const Round& round) {
      return !round.request.is_initialisation && std::count(round.came.begin(), round.came.end(), client) > 0;
    }));
  }
  bool WasThere(ClientIndex client) const {
    return std::any_of(rounds.begin(), rounds.end(), [&](const Round& round) {
      return std::count(round.came.begin(), round.came.end(), client) > 0;
    });
  }
  bool IsRefused(const GroupRequest& request) const {
    const bool somebody_came =
        std::any_of(rounds.begin(), rounds.end(), [](const Round& round) { return !round.came.empty(); });
    return request.is_initialisation && AsksThePresent(request) && somebody_came;
  }
  Clients Candidates(const GroupRequest& request, const Clients& available) const {
    Clients candidates;
    for (const ClientIndex client : available) {
      const bool is_asked = AsksThePresent(request)
                                ? request.is_initialisation || Served(client) < rules.participation_cap
                                : !WasThere(client);
      if (is_asked) candidates.push_back(client);
    }
    const bool is_too_small = static_cast<int>(candidates.size()) < rules.least_members;
    return AsksThePresent(request) && is_too_small ? Clients() : candidates;
  }
  // Of the last round.
  Clients Members(std::size_t clients) const {
    if (AsksThePresent(rounds.back().request)) return rounds.back().came;
    Clients members;
    for (ClientIndex client = 0; client < clients; ++client) {
      if (WasThere(client)) members.push_back(client);
    }
    return members;
  }
  Clients Newcomers() const {
    History before = *this;
    before.rounds.pop_back();
    Clients newcomers = rounds.back().came;
    std::erase_if(newcomers, [&](ClientIndex client) { return before.WasThere(client); });
    return newcomers;
  }
};

Clients RandomPart(const Clients& clients, std::uint64_t one_in, RandomSource& random) {
  Clients part;
  std::copy_if(clients.begin(), clients.end(), std::back_inserter(part),
               [&](ClientIndex) { return random.NextBelow(one_in) == 0; });
  return part;
}

Clients FirstClients(std::size_t count) {
  Clients clients(count);
  for (ClientIndex client = 0; client < count; ++client) clients[client] = client;
  return clients;
}

// Who is there in each round of a study, and its rules.
struct RandomStudy {
  explicit RandomStudy(std::uint64_t seed) : random(seed, "studies") {
    clients = 1 + random.NextBelow(9);
    rules = {.participation_cap = static_cast<int>(1 + random.NextBelow(4)),
             .least_members = static_cast<int>(1 + random.NextBelow(3))};
    for (int round = 0; round < 25; ++round) {
      trace.rounds.push_back(RandomPart(FirstClients(clients), 1 + random.NextBelow(3), random));
    }
  }

  GroupRequest RandomRequest() {
    GroupRequest request;
    if (random.NextBelow(4) == 0) request.membership = Membership::kPool;
    if (random.NextBelow(8) == 0) request.membership = Membership::kOneTable;
    request.is_initialisation = random.NextBelow(3) == 0;
    return request;
  }
  // Of those drawn; over the network some stay away.
  Clients WhoComes(const Clients& drawn, const GroupRequest& request) {
    Clients came = random.NextBelow(2) == 0 ? drawn : RandomPart(drawn, 2, random);
    if (AsksThePresent(request) && std::ssize(came) < rules.least_members) came.clear();
    return came;
  }

  SeededRandomSource random;
  std::size_t clients = 0;
  GroupRules rules;
  Trace trace;
};

TEST(GroupBook, AsksAndKeepsWhomTheRulesSayWhateverHappens) {
  int refused = 0;
  int stayed_away = 0;
  int were_too_few = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStudy study(seed);
    GroupBook book = GroupBook::Create(study.trace, study.clients, study.rules).value();
    History history{study.rules};
    for (const Clients& available : study.trace.rounds) {
      const GroupRequest request = study.RandomRequest();
      const absl::StatusOr<Clients> drawn = book.Draw(request, study.random);
      ASSERT_EQ(drawn.ok(), !history.IsRefused(request));
      if (!drawn.ok()) {
        ++refused;
        ASSERT_EQ(book.round(), std::ssize(history.rounds)) << "a refusal is no round";
        break;
      }
      ASSERT_EQ(*drawn, history.Candidates(request, available));
      were_too_few += AsksThePresent(request) && drawn->empty() && !available.empty();
      const Clients came = study.WhoComes(*drawn, request);
      stayed_away += came.size() < drawn->size();
      const Group group = book.Enter(came).value();
      history.rounds.push_back({request, came});

      ASSERT_EQ(group.round, std::ssize(history.rounds));
      ASSERT_EQ(book.round(), group.round);
      ASSERT_EQ(book.members(), history.Members(study.clients));
      ASSERT_EQ(group.members, std::ssize(book.members()));
      ASSERT_EQ(book.newcomers(), history.Newcomers());
      ASSERT_EQ(group.newcomers, std::ssize(book.newcomers()));
      ASSERT_EQ(book.is_initialisation(), request.is_initialisation);
      ASSERT_EQ(book.is_pool(), !AsksThePresent(request));
      for (ClientIndex client = 0; client < study.clients; ++client) {
        ASSERT_EQ(book.participations()[client], history.Served(client));
      }
    }
  }
  EXPECT_GT(refused, 50) << "the test has no power";
  EXPECT_GT(stayed_away, 50) << "the test has no power";
  EXPECT_GT(were_too_few, 50) << "the test has no power";
}

TEST(GroupBook, HasNobodyServeMoreOftenThanTheCap) {
  for (int cap = 1; cap <= 4; ++cap) {
    SeededRandomSource random(static_cast<std::uint64_t>(cap), "caps");
    GroupBook book = GroupBook::Create(Poisson{0.5}, 7, {.participation_cap = cap}).value();
    std::vector<int> served(7);
    for (int round = 0; round < 200; ++round) {
      const Clients drawn = book.Draw({}, random).value();
      ASSERT_TRUE(book.Enter(drawn).ok());
      for (const ClientIndex client : drawn) ++served[client];
    }
    EXPECT_THAT(served, Each(cap));
  }
}

// A coordinator that was stopped draws from the same seed, and tells the book who had come.
TEST(GroupBook, StandsWhereAnEarlierOneStoodOnceItWasToldTheSame) {
  const std::vector<Availability> availabilities = {Everybody{}, Poisson{0.4}, TakingTurns{0.3}};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStudy study(seed);
    const Availability& availability = availabilities[seed % 3];
    GroupBook before = GroupBook::Create(availability, study.clients, study.rules).value();
    GroupBook after = GroupBook::Create(availability, study.clients, study.rules).value();
    for (int round = 0; round < 20; ++round) {
      const GroupRequest request{.is_initialisation = round == 0};
      ASSERT_EQ(before.NextDrawLabel(), after.NextDrawLabel());
      SeededRandomSource random(seed, before.NextDrawLabel());
      SeededRandomSource again(seed, after.NextDrawLabel());
      const Clients drawn = before.Draw(request, random).value();
      ASSERT_EQ(after.Draw(request, again).value(), drawn);
      const Clients came = study.WhoComes(drawn, request);
      ASSERT_EQ(before.Enter(came).value().newcomers, after.Enter(came).value().newcomers);
      ASSERT_EQ(before.members(), after.members());
    }
    EXPECT_TRUE(
        std::equal(before.participations().begin(), before.participations().end(), after.participations().begin()));
  }
}

TEST(GroupBook, DrawsEachRoundFromAStreamOfItsOwn) {
  GroupBook book = GroupBook::Create(Everybody{}, 2, {.participation_cap = 9}).value();
  SeededRandomSource random(1, "unused");
  std::set<std::string> labels;
  for (int round = 1; round <= 5; ++round) {
    labels.insert(book.NextDrawLabel());
    EXPECT_EQ(book.NextDrawLabel(), fmt::format("availability, round {}", round));
    ASSERT_TRUE(book.Draw({}, random).ok());
  }
  EXPECT_EQ(labels.size(), 5U);
}

TEST(GroupBook, RefusesWhoeverWasNotAskedAndForgetsThatTheyCame) {
  SeededRandomSource random(1, "strangers");
  GroupBook book = GroupBook::Create(Trace{{{0, 2, 3, 5}}}, 6, {.least_members = 2}).value();
  ASSERT_THAT(book.Draw({}, random).value(), ElementsAre(0, 2, 3, 5));
  for (const Clients& strangers : {Clients{1, 2}, Clients{0, 4}, Clients{2, 2}, Clients{3, 0}, Clients{2, 700}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(book.Enter(strangers).status()));
  }
  const absl::Status too_few = book.Enter(Clients{3}).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(too_few));
  EXPECT_THAT(std::string(too_few.message()), HasSubstr("2 is the least"));
  EXPECT_THAT(book.members(), IsEmpty());
  EXPECT_THAT(book.participations(), Each(0));
  EXPECT_EQ(book.Enter(Clients{2, 5}).value().newcomers, 2);
  EXPECT_THAT(book.members(), ElementsAre(2, 5));
}

TEST(GroupBook, LetsNobodyComeToARound) {
  SeededRandomSource random(1, "nobody");
  GroupBook book = GroupBook::Create(Trace{{{0, 1}, {0, 1}}}, 2, {.least_members = 2}).value();
  ASSERT_THAT(book.Draw(kFirst, random).value(), ElementsAre(0, 1));
  EXPECT_EQ(book.Enter({}).value().members, 0);
  EXPECT_TRUE(book.Draw(kFirst, random).ok()) << "nobody has initialised the study yet";
}

TEST(GroupBook, KeepsAPoolThatIsSmallerThanAGroupMayBe) {
  SeededRandomSource random(1, "pool");
  GroupBook book = GroupBook::Create(Trace{{{4}, {}, {1, 4}}}, 5, {.least_members = 3}).value();
  const std::vector<Clients> expected = {{4}, {4}, {1, 4}};
  for (const Clients& members : expected) {
    const Clients drawn = book.Draw(kPool, random).value();
    ASSERT_TRUE(book.Enter(drawn).ok());
    EXPECT_EQ(book.members(), members);
  }
}

TEST(GroupBook, RefusesRulesWithoutMeaning) {
  const auto refusal = [](const Availability& availability, std::size_t clients, const GroupRules& rules) {
    const absl::Status status = GroupBook::Create(availability, clients, rules).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(refusal(Everybody{}, 2, {.participation_cap = 0}), HasSubstr("cap of 0"));
  EXPECT_THAT(refusal(Everybody{}, 2, {.least_members = 0}), HasSubstr("at least 1"));
  EXPECT_THAT(refusal(Everybody{}, 0, {}), HasSubstr("at least one client"));
  EXPECT_THAT(refusal(Poisson{2}, 2, {}), HasSubstr("not between 0 and 1"));
}

TEST(GroupBookDeathTest, IsNotEnteredBeforeADraw) {
  SeededRandomSource random(1, "order");
  GroupBook book = GroupBook::Create(Everybody{}, 2, {}).value();
  EXPECT_DEATH((void)book.Enter({}), "");
  ASSERT_TRUE(book.Enter(book.Draw({}, random).value()).ok());
  EXPECT_DEATH((void)book.Enter({}), "");
}

}  // namespace
}  // namespace flaim
