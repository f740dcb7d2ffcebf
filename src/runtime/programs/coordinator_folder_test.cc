#include "runtime/programs/coordinator_folder.h"

#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"
#include "runtime/study/manifest_testing.h"

namespace flaim::runtime {
namespace {

TEST(CoordinatorFolder, HandsBackTheStudyThatItsManifestSays) {
  const ScratchFolder scratch;
  const SystemClock clock;
  const absl::StatusOr<Study> made = CoordinatorFolder::Create(
      scratch.File("study"), ManifestForTest(PresetForTest("naive-flaim")), "127.0.0.1:1", {}, clock);
  ASSERT_TRUE(made.ok()) << made.status();
  const Study opened = OpenStudy(CoordinatorFolder::Open(scratch.File("study"))->manifest()).value();
  EXPECT_EQ(made->digest, opened.digest);
  EXPECT_EQ(made->manifest.server, opened.manifest.server);
  EXPECT_EQ(Explain(*made), Explain(opened));
}

TEST(CoordinatorFolder, IsNotMadeForAStudyThatIsRefused) {
  const ScratchFolder scratch;
  const SystemClock clock;
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  manifest.epsilon = 0;
  EXPECT_FALSE(CoordinatorFolder::Create(scratch.File("study"), manifest, "127.0.0.1:1", {}, clock).ok());
  EXPECT_TRUE(absl::IsNotFound(CoordinatorFolder::Open(scratch.File("study")).status()));
}

}  // namespace
}  // namespace flaim::runtime
