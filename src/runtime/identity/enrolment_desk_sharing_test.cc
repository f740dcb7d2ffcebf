#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/identity/enrolment_desk.h"
#include "runtime/identity/identity_testing.h"

// One book, many hands: threads of one process, desks of several.

namespace flaim::runtime {
namespace {

constexpr int kHands = 4;
constexpr const char* kAddress = "flaim.example.org:7443";

// Runs `body` in several processes at once; how many returned true, or -1 if one of them broke.
template <typename Body>
int CountSuccesses(const Body& body) {
  std::vector<pid_t> children;
  for (int hand = 0; hand < kHands; ++hand) {
    const pid_t child = fork();
    if (child == 0) _exit(body(hand) ? 1 : 0);
    children.push_back(child);
  }
  int successes = 0;
  bool all_ended_well = true;
  for (const pid_t child : children) {
    int status = 0;
    all_ended_well &= waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) <= 1;
    successes += WEXITSTATUS(status);
  }
  return all_ended_well ? successes : -1;
}

struct Study {
  ScratchFolder folder;
  ManualClock clock{kNoon};
  SecureRandomSource random;
  CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  std::string path = folder.File("sites");

  std::unique_ptr<EnrolmentDesk> Desk() const { return *EnrolmentDesk::Open(path, authority, clock); }
};

TEST(EnrolmentDeskSharing, ASecondDeskSeesAtOnceWhatTheFirstOneDid) {
  Study study;
  const std::unique_ptr<EnrolmentDesk> serve = study.Desk();
  const std::unique_ptr<EnrolmentDesk> command = study.Desk();
  const InviteCode code = *command->Invite("a", kAddress, study.random);
  const SiteKeys keys = MakeSiteKeys(study.random);
  ASSERT_EQ(*serve->Apply(ApplicationOf(code, keys)), "a");
  ASSERT_EQ(command->Approve("a"), absl::OkStatus());
  const std::string certificate = serve->Collect(SecretOf(code), ApplicationOf(code, keys).verifying_key)->certificate;
  EXPECT_EQ(serve->Admit("a", *CertificateFingerprint(certificate)), absl::OkStatus());
  ASSERT_EQ(command->Reject("a"), absl::OkStatus());
  EXPECT_FALSE(serve->Admit("a", *CertificateFingerprint(certificate)).ok());
}

TEST(EnrolmentDeskSharing, ProcessesThatCreateTheBookAtOnceAllSucceed) {
  const Study study;
  const auto invite = [&](int hand) {
    SecureRandomSource random;
    const absl::StatusOr<std::unique_ptr<EnrolmentDesk>> desk =
        EnrolmentDesk::Open(study.path, study.authority, study.clock);
    return desk.ok() && (*desk)->Invite(fmt::format("site-{}", hand), kAddress, random).ok();
  };
  EXPECT_EQ(CountSuccesses(invite), kHands);
  EXPECT_EQ(study.Desk()->Sites()->size(), static_cast<std::size_t>(kHands));
}

TEST(EnrolmentDeskSharing, OfProcessesThatUseOneCodeWithDifferentKeysExactlyOneSucceeds) {
  Study study;
  const InviteCode code = *study.Desk()->Invite("a", kAddress, study.random);
  const auto apply = [&](int) {
    SecureRandomSource random;
    return study.Desk()->Apply(ApplicationOf(code, MakeSiteKeys(random))).ok();
  };
  EXPECT_EQ(CountSuccesses(apply), 1);
}

TEST(EnrolmentDeskSharing, OfProcessesThatUseDifferentCodesWithOneKeyExactlyOneSucceeds) {
  Study study;
  const SiteKeys keys = MakeSiteKeys(study.random);
  std::vector<InviteCode> codes;
  for (int hand = 0; hand < kHands; ++hand) {
    codes.push_back(*study.Desk()->Invite(fmt::format("site-{}", hand), kAddress, study.random));
  }
  const auto apply = [&](int hand) {
    return study.Desk()->Apply(ApplicationOf(codes[static_cast<std::size_t>(hand)], keys)).ok();
  };
  EXPECT_EQ(CountSuccesses(apply), 1);
}

TEST(EnrolmentDeskSharing, ProcessesThatApproveAtOnceIssueOneCertificate) {
  Study study;
  const InviteCode code = *study.Desk()->Invite("a", kAddress, study.random);
  const SiteKeys keys = MakeSiteKeys(study.random);
  ASSERT_TRUE(study.Desk()->Apply(ApplicationOf(code, keys)).ok());
  const auto approve = [&](int) {
    const std::unique_ptr<EnrolmentDesk> desk = study.Desk();
    if (!desk->Approve("a").ok()) return false;
    const Digest first = desk->Sites()->front().certificate_fingerprint;
    return desk->Admit("a", first).ok();
  };
  EXPECT_EQ(CountSuccesses(approve), kHands);
}

TEST(EnrolmentDeskSharing, ThreadsMayUseOneDesk) {
  Study study;
  const std::unique_ptr<EnrolmentDesk> desk = study.Desk();
  std::vector<InviteCode> codes;
  for (int hand = 0; hand < kHands; ++hand) {
    codes.push_back(*desk->Invite(fmt::format("site-{}", hand), kAddress, study.random));
  }
  std::atomic<int> admitted = 0;
  std::vector<std::thread> threads;
  for (int hand = 0; hand < kHands; ++hand) {
    threads.emplace_back([&, hand] {
      SecureRandomSource random;
      const SiteKeys keys = MakeSiteKeys(random);
      const Application application = ApplicationOf(codes[static_cast<std::size_t>(hand)], keys);
      const absl::StatusOr<std::string> name = desk->Apply(application);
      if (!name.ok() || !desk->Approve(*name).ok() || !desk->Sites().ok()) return;
      const auto collection = desk->Collect(application.invite_secret, application.verifying_key);
      if (!collection.ok() || collection->is_pending) return;
      if (desk->Admit(*name, *CertificateFingerprint(collection->certificate)).ok()) ++admitted;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admitted, kHands);
}

}  // namespace
}  // namespace flaim::runtime
