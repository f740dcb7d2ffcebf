#include "runtime/messages/study_roster.h"

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "messages.pb.h"

namespace flaim::runtime {
namespace {

StudyRoster RandomRoster(RandomSource& random) {
  StudyRoster roster;
  for (std::uint64_t site = 0; site <= random.NextBelow(10); ++site) {
    roster.sites.push_back(fmt::format("site {} {}", site, random.NextU64()));
    random.Fill(std::as_writable_bytes(std::span(roster.keys.emplace_back())));
    random.Fill(std::as_writable_bytes(std::span(roster.requests.emplace_back())));
  }
  return roster;
}

TEST(StudyRoster, IsReadAsItWasWritten) {
  SeededRandomSource random(1, "rosters");
  for (int repeat = 0; repeat < 100; ++repeat) {
    const StudyRoster roster = RandomRoster(random);
    EXPECT_EQ(DecodeRoster(Encode(roster)).value(), roster);
  }
}

TEST(StudyRoster, IsRefusedWhereNamesKeysAndRequestsDoNotFitTogether) {
  SeededRandomSource random(2, "rosters");
  messages::Roster right;
  ASSERT_TRUE(right.ParseFromString(Encode(RandomRoster(random))));
  messages::Roster nobody;
  messages::Roster key_too_many = right;
  key_too_many.add_verifying_keys(std::string(32, 'k'));
  messages::Roster name_too_many = right;
  name_too_many.add_sites("one more");
  messages::Roster short_key = right;
  short_key.mutable_verifying_keys(0)->pop_back();
  messages::Roster long_key = right;
  long_key.mutable_verifying_keys(0)->push_back('k');
  messages::Roster twice = right;
  twice.add_sites(right.sites(0));
  twice.add_verifying_keys(std::string(32, 'k'));
  twice.add_request_digests(std::string(32, 'r'));
  messages::Roster no_requests = right;
  no_requests.clear_request_digests();
  messages::Roster short_request = right;
  short_request.mutable_request_digests(0)->pop_back();
  for (const messages::Roster& wrong :
       {nobody, key_too_many, name_too_many, short_key, long_key, twice, no_requests, short_request}) {
    EXPECT_TRUE(absl::IsInvalidArgument(DecodeRoster(wrong.SerializeAsString()).status()));
  }
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeRoster("\xff\xff").status()));
}

TEST(StudyRoster, IsSignedForOneManifest) {
  SeededRandomSource random(3, "rosters");
  const std::string roster = Encode(RandomRoster(random));
  const std::string other = Encode(RandomRoster(random));
  const Digest manifest = Sha256(AsBytes(std::string("manifest")));
  const Digest other_manifest = Sha256(AsBytes(std::string("other manifest")));
  EXPECT_EQ(DigestOfRoster(manifest, roster), DigestOfRoster(manifest, roster));
  EXPECT_NE(DigestOfRoster(manifest, roster), DigestOfRoster(manifest, other));
  EXPECT_NE(DigestOfRoster(manifest, roster), DigestOfRoster(other_manifest, roster));
}

}  // namespace
}  // namespace flaim::runtime
