#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "secagg/hostile/hostile_testing.h"

// Participants that do not keep to the protocol. None of them makes a wrong sum that passes for a right one; some can
// prevent a sum.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

constexpr ParticipantId kLiar = 1;

// Five participants of whom one may be missing: three shares recover a secret.
class HostileParticipant : public testing::Test {
 protected:
  // Runs a session in which the liar's messages of one kind are changed.
  template <typename Body>
  void Run(const std::function<void(Body&)>& change, const VanishesAt& vanishes = NobodyVanishes) {
    RunAll<Body>(
        [&](ParticipantId from, Body& body) {
          if (from == kLiar) change(body);
        },
        vanishes);
  }

  template <typename Body>
  void RunAll(const std::function<void(ParticipantId, Body&)>& change, const VanishesAt& vanishes = NobodyVanishes) {
    errors_ = RunTampered(*server_, clients_, {.to_server = On<Body>(change), .vanishes = vanishes});
  }

  void ExpectRefused(const std::string& reason) {
    EXPECT_TRUE(absl::IsInvalidArgument(errors_.of_server[kLiar])) << errors_.of_server[kLiar];
    EXPECT_THAT(std::string(errors_.of_server[kLiar].message()), HasSubstr(reason));
  }

  void ExpectSumOf(const std::vector<ParticipantId>& contributors) {
    ASSERT_TRUE(server_->outcome().ok()) << server_->outcome().status();
    EXPECT_EQ(server_->outcome()->contributors, contributors);
    EXPECT_TRUE(study_.IsExact(*server_->outcome()));
  }

  void ExpectAborted(AbortReason reason) {
    EXPECT_TRUE(absl::IsAborted(server_->outcome().status()));
    EXPECT_EQ(std::string(server_->outcome().status().message()), ToString(reason));
    for (const auto& client : clients_) EXPECT_TRUE(client->IsOver());
  }

  StudyForTest study_{{.participants = 5, .dropouts = 1}};
  std::unique_ptr<SumServer> server_ = study_.MakeServer();
  std::vector<std::unique_ptr<SumClient>> clients_ = study_.MakeClients();
  SessionErrors errors_;
};

TEST_F(HostileParticipant, WhoDoesNotSignItsKeysIsLeftOut) {
  Run<Advertise>([](Advertise& advertisement) { advertisement.signature[0] ^= 1; });
  ExpectRefused("not signed by participant 1");
  ExpectSumOf({0, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoSignsForAnotherIsLeftOut) {
  Run<Advertise>([this](Advertise& advertisement) {
    advertisement.signature = study_.KeyOf(kLiar).Sign(DigestOf(2, advertisement));
  });
  ExpectRefused("not signed by participant 1");
  ExpectSumOf({0, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoAnswersAnotherOfferIsLeftOut) {
  Run<Advertise>([this](Advertise& advertisement) {
    advertisement.offer[0] ^= 1;
    advertisement.signature = study_.KeyOf(kLiar).Sign(DigestOf(kLiar, advertisement));
  });
  ExpectRefused("answers another offer");
  ExpectSumOf({0, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoAdvertisesALowOrderKeyIsLeftOut) {
  for (const AgreementPublicKey& weak : LowOrderKeys()) {
    for (const bool is_mask_key : {true, false}) {
      StudyForTest study({.participants = 5, .dropouts = 1});
      const auto server = study.MakeServer();
      const Advertise honest = BodyOf<Advertise>(study.MakeClient(kLiar)->Receive(server->MessageFor(kLiar)).value());
      const Advertise advertisement =
          AdvertiseAs(study.KeyOf(kLiar), kLiar, honest.offer, is_mask_key ? weak : honest.mask_key,
                      is_mask_key ? honest.sealing_key : weak);
      const absl::Status refusal = server->Receive(kLiar, Encode(study.InvitationTo().session, advertisement));
      EXPECT_TRUE(absl::IsInvalidArgument(refusal));
      EXPECT_THAT(std::string(refusal.message()), HasSubstr("low order"));
    }
  }
}

TEST_F(HostileParticipant, WhoSendsTooFewBoxesIsLeftOut) {
  Run<Shares>([](Shares& shares) { shares.boxes.pop_back(); });
  ExpectRefused("3 boxes for 4 neighbours");
  ExpectSumOf({0, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoSpoilsOneBoxLosesItsReceiver) {
  Run<Shares>([](Shares& shares) { shares.boxes[0][10] ^= 1; });
  EXPECT_TRUE(absl::IsInvalidArgument(errors_.of_client[0]));
  EXPECT_EQ(study_.AskedOf(0), 0);
  ExpectSumOf({1, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoSpoilsAllBoxesPreventsTheSumAndNobodyIsAskedForCounts) {
  Run<Shares>([](Shares& shares) {
    for (SealedShares& box : shares.boxes) box[0] ^= 1;
  });
  ExpectAborted(AbortReason::kTooFewParticipants);
  for (const ParticipantId honest : {0, 2, 3, 4}) EXPECT_EQ(study_.AskedOf(honest), 0);
}

TEST_F(HostileParticipant, WhoSwapsBoxesOfTwoReceiversLosesBoth) {
  Run<Shares>([](Shares& shares) { std::swap(shares.boxes[0], shares.boxes[1]); });
  ExpectAborted(AbortReason::kTooFewParticipants);
  EXPECT_TRUE(absl::IsInvalidArgument(errors_.of_client[0]));
  EXPECT_TRUE(absl::IsInvalidArgument(errors_.of_client[2]));
  EXPECT_TRUE(errors_.of_client[3].ok());
}

TEST_F(HostileParticipant, WhoSendsAVectorOfAnotherLengthIsLeftOut) {
  Run<Masked>([](Masked& masked) { masked.packed.push_back(0); });
  ExpectRefused("a masked vector of");
  ExpectSumOf({0, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoSignsOtherSurvivorsIsNotShownToOthersAndTheSumIsRight) {
  Run<Confirm>([this](Confirm& confirm) { confirm.signature = study_.KeyOf(kLiar).Sign(Digest{}); });
  ExpectRefused("did not sign these survivors");
  ExpectSumOf({0, 1, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoGivesAWrongSeedIsUnmaskedByItsNeighboursShares) {
  Run<Unmask>([](Unmask& unmask) { unmask.seed.bytes()[0] ^= 1; });
  ExpectSumOf({0, 1, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoGivesAWrongShareDoesNoHarmWhereThereAreMoreThanNeeded) {
  const VanishesAt last_vanishes_with_its_seed = [](ParticipantId id, int stage) { return id == 4 && stage == 4; };
  Run<Unmask>([](Unmask& unmask) { unmask.entries.back().share.bytes()[3] ^= 0x10; }, last_vanishes_with_its_seed);
  ExpectSumOf({0, 1, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoGivesAShareThatIsNotInTheFieldDoesNoHarmEither) {
  const VanishesAt last_vanishes_with_its_seed = [](ParticipantId id, int stage) { return id == 4 && stage == 4; };
  Run<Unmask>(
      [](Unmask& unmask) {
        for (std::uint8_t& byte : unmask.entries.back().share.bytes()) byte = 0xff;
      },
      last_vanishes_with_its_seed);
  ExpectSumOf({0, 1, 2, 3, 4});
}

TEST_F(HostileParticipant, WhoGivesAWrongShareOfSomebodyWhoVanishedBeforeTheSumDoesNoHarmWithASurplus) {
  Run<Unmask>([](Unmask& unmask) { unmask.entries.back().share.bytes()[3] ^= 0x10; },
              [](ParticipantId id, int stage) { return id == 4 && stage == 2; });
  ExpectSumOf({0, 1, 2, 3});
}

TEST_F(HostileParticipant, WhoGivesAWrongSharePreventsTheSumWhereNoneIsToSpare) {
  RunAll<Unmask>(
      [](ParticipantId from, Unmask& unmask) {
        if (from == kLiar) unmask.entries.back().share.bytes()[3] ^= 0x10;
      },
      [](ParticipantId id, int stage) { return (id == 4 || id == 3) && stage == 4; });
  EXPECT_TRUE(absl::IsAborted(server_->outcome().status()));
  EXPECT_EQ(std::string(server_->outcome().status().message()), ToString(AbortReason::kWrongShares));
}

// Whatever byte of whichever share is wrong: the sum is right, or there is none.
TEST_F(HostileParticipant, NeverMakesAWrongSumByWrongShares) {
  SeededRandomSource random(3);
  int sums = 0;
  int aborts = 0;
  for (int trial = 0; trial < 40; ++trial) {
    StudyForTest study({.participants = 5, .dropouts = 2});
    const auto server = study.MakeServer();
    const ParticipantId gone = static_cast<ParticipantId>(random.NextBelow(5));
    const int stage = 2 + static_cast<int>(random.NextBelow(3));
    RunTampered(*server, study.MakeClients(),
                {.to_server = On<Unmask>([&](ParticipantId, Unmask& unmask) {
                   if (random.NextBelow(2) == 0) return;
                   for (Unmask::Entry& entry : unmask.entries) {
                     if (random.NextBelow(3) == 0) entry.share.bytes()[random.NextBelow(40)] ^= 1;
                   }
                   if (random.NextBelow(3) == 0) unmask.seed.bytes()[random.NextBelow(32)] ^= 1;
                 }),
                 .vanishes = [&](ParticipantId id, int at) { return id == gone && at == stage; }});
    if (!server->outcome().ok()) {
      ++aborts;
      continue;
    }
    ++sums;
    EXPECT_TRUE(study.IsExact(*server->outcome()));
  }
  EXPECT_GT(sums, 5);
  EXPECT_GT(aborts, 5);
}

TEST_F(HostileParticipant, WhoGivesSharesOfTheWrongKindBothKindsOrTooFewIsRefused) {
  const auto refuse = [](const std::function<void(Unmask&)>& change) {
    StudyForTest study({.participants = 5, .dropouts = 1});
    const auto server = study.MakeServer();
    const SessionErrors errors =
        RunTampered(*server, study.MakeClients(), {.to_server = On<Unmask>([&](ParticipantId from, Unmask& unmask) {
                                                     if (from == kLiar) change(unmask);
                                                   })});
    EXPECT_TRUE(absl::IsInvalidArgument(errors.of_server[kLiar])) << errors.of_server[kLiar];
    ASSERT_TRUE(server->outcome().ok()) << server->outcome().status();
    EXPECT_EQ(server->outcome()->contributors.size(), 5U);
    EXPECT_TRUE(study.IsExact(*server->outcome()));
  };
  refuse([](Unmask& unmask) { unmask.entries[0].kind = ShareKind::kMaskKey; });
  refuse([](Unmask& unmask) {
    Unmask::Entry second;
    second.of = unmask.entries.back().of;
    second.kind = ShareKind::kMaskKey;
    unmask.entries.push_back(std::move(second));
  });
  refuse([](Unmask& unmask) { unmask.entries.pop_back(); });
  refuse([](Unmask& unmask) { unmask.entries[0].of = kLiar; });
  refuse([](Unmask& unmask) { std::swap(unmask.entries[0], unmask.entries[1]); });
}

}  // namespace
}  // namespace flaim::secagg
