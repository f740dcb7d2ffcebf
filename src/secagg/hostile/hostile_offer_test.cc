#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/secure_client.h"
#include "secagg/protocol/secure_server.h"

// Offers that a participant must not take up.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

// The offer as the server signs it after this change.
Bytes OfferAfter(StudyForTest& study, const std::function<void(Invitation&)>& change) {
  Invitation invitation = study.InvitationTo();
  change(invitation);
  return Encode(invitation.session, MakeOffer(invitation));
}

void ExpectRefused(StudyForTest& study, ByteView offer, const std::string& reason) {
  const auto client = study.MakeClient(0);
  const absl::Status refusal = client->Receive(offer).status();
  EXPECT_TRUE(absl::IsInvalidArgument(refusal)) << refusal;
  EXPECT_THAT(std::string(refusal.message()), HasSubstr(reason));
  EXPECT_FALSE(client->IsOver()) << "a right offer may still come";
  EXPECT_EQ(study.AskedOf(0), 0);
  EXPECT_TRUE(study.AnsweredBy(0).Begin(study.InvitationTo().session).ok()) << "the session counts as answered";
}

struct Difference {
  std::string named;
  std::function<void(SessionTerms&)> make;
};

std::vector<Difference> AllDifferences() {
  return {{"the roster", [](SessionTerms& terms) { terms.roster[0] ^= 1; }},
          {"the model", [](SessionTerms& terms) { terms.model[31] ^= 0x80; }},
          {"the workload", [](SessionTerms& terms) { terms.workload[7] ^= 4; }},
          {"the blocks, or their noise", [](SessionTerms& terms) { ++terms.blocks[1].entries; }},
          {"the blocks, or their noise", [](SessionTerms& terms) { terms.blocks[0].sigma_squared = Rational(1, 2); }},
          {"the blocks, or their noise", [](SessionTerms& terms) { terms.blocks.pop_back(); }},
          {"the bound of counts", [](SessionTerms& terms) { ++terms.entry_bound; }},
          {"the bounds on participants", [](SessionTerms& terms) { ++terms.bounds.invited; }},
          {"the bounds on participants", [](SessionTerms& terms) { ++terms.bounds.dropouts; }},
          {"the bounds on participants", [](SessionTerms& terms) { --terms.bounds.colluders; }},
          {"degree or threshold", [](SessionTerms& terms) { --terms.graph.degree; }},
          {"degree or threshold", [](SessionTerms& terms) { --terms.graph.threshold; }},
          {"the bits of the ring", [](SessionTerms& terms) { ++terms.ring_bits; }},
          {"the mask generator", [](SessionTerms& terms) { terms.cipher = MaskCipher::kChaCha20; }}};
}

TEST(HostileOffer, ThatDiffersFromTheAgreedTermsIsRefusedByNamingTheTerm) {
  for (const Difference& difference : AllDifferences()) {
    SCOPED_TRACE(difference.named);
    StudyForTest study({.participants = 6, .dropouts = 1, .colluders = 1});
    ExpectRefused(study, OfferAfter(study, [&](Invitation& invitation) { difference.make(invitation.terms); }),
                  difference.named);
  }
}

TEST(HostileOffer, ThatIsNotSignedIsRefused) {
  StudyForTest study({});
  Offer offer = MakeOffer(study.InvitationTo());
  offer.signature = {};
  ExpectRefused(study, Encode(study.InvitationTo().session, offer), "not signed by the server");
}

TEST(HostileOffer, ThatIsSignedByAParticipantIsRefused) {
  StudyForTest study({});
  Offer offer = MakeOffer(study.InvitationTo());
  offer.signature = study.KeyOf(1).Sign(DigestOf(study.InvitationTo().session, offer));
  ExpectRefused(study, Encode(study.InvitationTo().session, offer), "not signed by the server");
}

TEST(HostileOffer, ThatWasSignedForAnotherSessionIsRefused) {
  StudyForTest study({});
  ExpectRefused(study, Encode(study.InvitationTo(1).session, MakeOffer(study.InvitationTo(2))),
                "not signed by the server");
}

TEST(HostileOffer, WhoseDeadlineWasChangedIsRefused) {
  StudyForTest study({});
  Offer offer = MakeOffer(study.InvitationTo());
  ++offer.deadline_unix_ms;
  ExpectRefused(study, Encode(study.InvitationTo().session, offer), "not signed by the server");
}

TEST(HostileOffer, ThatHasExpiredIsRefused) {
  StudyForTest study({});
  const Bytes offer = OfferAfter(study, [](Invitation&) {});
  study.clock().Advance(std::chrono::milliseconds(60'001));
  ExpectRefused(study, offer, "expired");
}

TEST(HostileOffer, IsTakenUpToItsDeadline) {
  StudyForTest study({});
  const Bytes offer = OfferAfter(study, [](Invitation&) {});
  study.clock().Advance(std::chrono::milliseconds(60'000));
  EXPECT_TRUE(study.MakeClient(0)->Receive(offer).ok());
}

TEST(HostileOffer, OfASumThatMayBeMadeFromTooFewIsRefused) {
  StudyForTest study({.participants = 5, .dropouts = 1, .least_participants = 5});
  ExpectRefused(study, OfferAfter(study, [](Invitation&) {}), "insists on 5");
}

TEST(HostileOffer, ForAnotherRosterIsRefusedEvenIfThatWasAgreed) {
  StudyForTest study({});
  StudyForTest other({.seed = 2});
  Participation participation = study.ParticipationOf(0);
  participation.agreed.roster = other.roster().digest();
  const auto client = MakeSecureClient(participation, study.SurroundingsOf(0));
  ASSERT_TRUE(client.ok());
  const Bytes offer = OfferAfter(study, [&](Invitation& i) { i.terms.roster = other.roster().digest(); });
  EXPECT_THAT(std::string((*client)->Receive(offer).status().message()), HasSubstr("another roster"));
}

TEST(HostileOffer, OfTermsWhoseSumDoesNotFitTheRingIsNeitherMadeNorAgreedTo) {
  StudyForTest study({});
  Participation participation = study.ParticipationOf(0);
  --participation.agreed.ring_bits;
  EXPECT_TRUE(absl::IsInvalidArgument(MakeSecureClient(participation, study.SurroundingsOf(0)).status()));
  Invitation invitation = study.InvitationTo();
  --invitation.terms.ring_bits;
  EXPECT_TRUE(absl::IsInvalidArgument(MakeSecureServer(invitation, study.parallel()).status()));
  invitation.terms.ring_bits = 64;
  invitation.terms.entry_bound = std::int64_t{1} << 62;
  const absl::Status too_wide = MakeSecureServer(invitation, study.parallel()).status();
  EXPECT_TRUE(absl::IsInvalidArgument(too_wide));
  EXPECT_THAT(std::string(too_wide.message()), HasSubstr("64 bits"));
}

// A server with two models, and participants who were made to agree each to its own.
TEST(DifferentModels, AreNoticedByNeighboursBeforeAnyCountsAreAsked) {
  StudyForTest study({.participants = 4, .dropouts = 1});
  Invitation other = study.InvitationTo();
  other.terms.model.fill(0x99);
  std::vector<std::unique_ptr<SumClient>> clients;
  for (ParticipantId id = 0; id < 4; ++id) {
    Participation participation = study.ParticipationOf(id);
    if (id >= 2) participation.agreed = other.terms;
    clients.push_back(MakeSecureClient(participation, study.SurroundingsOf(id)).value());
  }
  const Offer first_offer = MakeOffer(study.InvitationTo());
  const Offer second_offer = MakeOffer(other);
  KeyList list;
  std::vector<Advertise> advertisements;
  for (ParticipantId id = 0; id < 4; ++id) {
    const Offer& offer = id < 2 ? first_offer : second_offer;
    advertisements.push_back(BodyOf<Advertise>(clients[id]->Receive(Encode(other.session, offer)).value()));
    list.everyone.push_back({.id = id, .advertisement = DigestOf(id, advertisements[id])});
  }
  for (ParticipantId id = 0; id < 4; ++id) {
    KeyList shown = list;
    for (ParticipantId neighbour = 0; neighbour < 4; ++neighbour) {
      if (neighbour != id) shown.neighbours.push_back(advertisements[neighbour]);
    }
    const absl::Status refusal = clients[id]->Receive(Encode(other.session, shown)).status();
    EXPECT_THAT(std::string(refusal.message()), HasSubstr("answered another offer"));
    EXPECT_TRUE(clients[id]->IsOver());
    EXPECT_EQ(study.AskedOf(id), 0);
  }
}

}  // namespace
}  // namespace flaim::secagg
