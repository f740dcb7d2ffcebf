#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger_disk_testing.h"
#include "privacy/ledger/ledger_kill_testing.h"
#include "privacy/ledger/ledger_script_testing.h"

// The promise of "The ledger and crashes" in docs/PRIVACY.md: cut off at every point, a run that is resumed resends
// identical bytes or pays again, and two noisy values for one debit never occur. Once for processes that are killed, on
// the real file system, and once for lost power, on a simulated disk.

namespace flaim {
namespace {

using testing_support::KillingFileSystem;
using testing_support::LedgerScript;
using testing_support::ScratchPath;
using testing_support::SentValue;
using testing_support::SimulatedDisk;
using testing_support::Witness;

// What a child sends to its parent: fixed-size words and the value, in one write, which a pipe does not split.
struct Message {
  std::int64_t round;
  std::int64_t is_selection;
  std::int64_t debit;
  std::int64_t size;
  std::byte bytes[128];
};

void SendTo(int pipe, const SentValue& sent) {
  Message message{
      sent.name.round, sent.name.query == "select", sent.debit, static_cast<std::int64_t>(sent.bytes.size()), {}};
  CHECK(sent.bytes.size() <= sizeof message.bytes);
  std::memcpy(message.bytes, sent.bytes.data(), sent.bytes.size());
  CHECK(::write(pipe, &message, sizeof message) == sizeof message);
}

SentValue Received(const Message& message) {
  return {{"run", message.round, message.is_selection != 0 ? "select" : "measure"},
          message.debit,
          {message.bytes, message.bytes + message.size}};
}

enum class Outcome { kFinished, kKilled, kFailed };

// Runs the script in a process of its own, which is killed at the stated operation (0: never).
Outcome RunInChild(const LedgerScript& script, std::int64_t killing_operation, Witness& witness) {
  int ends[2];
  CHECK(::pipe(ends) == 0);
  const pid_t child = ::fork();
  CHECK(child >= 0);
  if (child == 0) {
    KillingFileSystem::Install(killing_operation);
    SecureRandomSource noise;
    const absl::Status status = script.Run(noise, [&](const SentValue& sent) { SendTo(ends[1], sent); });
    if (!status.ok()) fmt::print(stderr, "{}\n", std::string(status.message()));
    ::_exit(status.ok() ? 0 : 1);
  }
  ::close(ends[1]);
  Message message;
  while (::read(ends[0], &message, sizeof message) == sizeof message) witness.Saw(Received(message));
  ::close(ends[0]);
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  if (!WIFEXITED(status)) return Outcome::kFailed;
  if (WEXITSTATUS(status) == KillingFileSystem::kKilled) return Outcome::kKilled;
  return WEXITSTATUS(status) == 0 ? Outcome::kFinished : Outcome::kFailed;
}

TEST(LedgerCrash, AKilledRunResumesWithTheSameValuesFromEveryPoint) {
  const ScratchPath path("killed");
  const LedgerScript script{.path = path};
  SeededRandomSource random(20240601);
  std::int64_t operation = 1;
  for (;; ++operation) {
    path.Remove();
    Witness witness;
    const Outcome first = RunInChild(script, operation, witness);
    ASSERT_NE(first, Outcome::kFailed) << operation;
    witness.Check(path, script.total);
    if (first == Outcome::kFinished) break;
    const auto second_operation = static_cast<std::int64_t>(1 + random.NextBelow(40));
    ASSERT_NE(RunInChild(script, second_operation, witness), Outcome::kFailed) << operation;
    witness.Check(path, script.total);
    ASSERT_EQ(RunInChild(script, 0, witness), Outcome::kFinished) << operation;
    witness.Check(path, script.total);
    if (HasFatalFailure()) FAIL() << "killed at operation " << operation << ", then at " << second_operation;
    ASSERT_EQ(witness.sent(), 2 * LedgerScript::kRounds);
  }
  EXPECT_GT(operation, 13 * 8) << "13 commits must have taken more operations than that";
}

TEST(LedgerCrash, ARunThatLostPowerResumesWithTheSameValuesFromEveryPoint) {
  const ScratchPath path("power");
  SecureRandomSource noise;
  SeededRandomSource random(20240602);
  std::int64_t finished = 0;
  for (std::int64_t operation = 1; finished == 0; ++operation) {
    for (const auto loss : {SimulatedDisk::Loss::kAllPending, SimulatedDisk::Loss::kSomePending,
                            SimulatedDisk::Loss::kSomePending, SimulatedDisk::Loss::kNothing}) {
      SimulatedDisk disk;
      Witness witness;
      const LedgerScript script{.path = path};
      const auto send = [&](const SentValue& sent) { witness.Saw(sent); };
      const std::int64_t second_operation = static_cast<std::int64_t>(1 + random.NextBelow(60));
      for (const std::int64_t cut : {operation, second_operation, std::int64_t{0}}) {
        if (cut > 0) disk.CutPowerAt(cut);
        const absl::Status status = script.Run(noise, send);
        ASSERT_TRUE(status.ok() || disk.IsDead()) << status;
        if (cut == operation && status.ok()) ++finished;
        disk.Restart(loss, random);
        witness.Check(path, script.total);
        if (HasFatalFailure()) FAIL() << "power lost at operation " << operation << ", then at " << second_operation;
      }
      ASSERT_EQ(witness.sent(), 2 * LedgerScript::kRounds);
    }
  }
}

TEST(LedgerCrash, ARunOutOfBudgetAfterACrashStopsWithinIt) {
  const ScratchPath path("power-tight");
  SecureRandomSource noise;
  SeededRandomSource random(20240603);
  int refused = 0;
  for (std::int64_t operation = 1; operation < 160; ++operation) {
    SimulatedDisk disk;
    Witness witness;
    const LedgerScript script{.path = path, .total = Rho::FromUnits(LedgerScript::kUnits)};
    const auto send = [&](const SentValue& sent) { witness.Saw(sent); };
    disk.CutPowerAt(operation);
    script.Run(noise, send).IgnoreError();
    disk.Restart(SimulatedDisk::Loss::kSomePending, random);
    const absl::Status status = script.Run(noise, send);
    ASSERT_TRUE(status.ok() || absl::IsResourceExhausted(status)) << status;
    refused += status.ok() ? 0 : 1;
    witness.Check(path, script.total);
    if (HasFatalFailure()) FAIL() << "power lost at operation " << operation;
  }
  EXPECT_GT(refused, 0) << "no crash ever lost a debit, so this test tested nothing";
}

}  // namespace
}  // namespace flaim
