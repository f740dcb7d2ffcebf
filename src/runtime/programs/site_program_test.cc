#include "runtime/programs/site_program.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/progress.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/hex.h"
#include "nlohmann/json.hpp"
#include "runtime/identity/identity_testing.h"
#include "runtime/identity/private_file.h"
#include "runtime/identity/signing_key_file.h"
#include "runtime/programs/manifest_files.h"
#include "runtime/site/site_records.h"
#include "runtime/study/manifest_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;

constexpr const char* kRows = "a,b,c\nx,y,z\ny,x,w\n";

// The folder of a site that has joined a study, whose coordinator is never there.
class SiteProgramTest : public testing::Test {
 protected:
  SiteProgramTest() {
    SecureRandomSource random;
    const CertificateAuthority authority = *CertificateAuthority::Create("a test", clock_);
    const std::string key = *MakePrivateKey();
    const std::string request = *MakeSigningRequest(key, "site");
    CHECK(CreateSigningKey(File("signing.key"), random).ok() && WritePrivateFile(File("site.key"), key).ok());
    CHECK(WriteTextFile(File("site.csr"), request).ok());
    CHECK(WriteTextFile(File("site.pem"), *authority.IssueForSite(request, "hospital-1", clock_)).ok());
    CHECK(WriteTextFile(File("authority.pem"), authority.certificate()).ok());
    CHECK(WriteTextFile(File("site.json"), R"({"site": "hospital-1", "address": "127.0.0.1:1"})").ok());
    CHECK(WriteManifest(folder_.path(), Sign(manifest_, KeyForTest("coordinator"))).ok());
  }

  std::string File(const std::string& name) const { return folder_.File(name); }

  // Until the site would begin to serve, with consent for these rows. Cancelled if it comes that far.
  absl::Status Run(const std::string& rows) {
    std::ofstream(File("rows.csv")) << rows;
    const SiteFolder folder = SiteFolder::Open(folder_.path()).value();
    CHECK(folder
              .WriteConsent({.manifest = ToHex(folder.manifest().digest()),
                             .rows = CsvRows{File("rows.csv")},
                             .ledger = File("site.ledger")})
              .ok());
    return RunSite(folder, std::chrono::seconds(1),
                   {.software = manifest_.software,
                    .clock = clock_,
                    .log = log_,
                    .parallel = parallel_,
                    .progress = progress_,
                    .is_stopping = [] { return true; },
                    .research_noise = nullptr});
  }

  // As if the site had contributed so many times.
  void Serve(int times) {
    const Study study = StudyForTest(manifest_).value();
    SiteRecords records = SiteRecords::Open(File("records.log"), study.domain()).value();
    for (int i = 0; i < times; ++i) {
      CountsRequest counts;
      counts.name = {manifest_.id, 1, fmt::format("{}", i)};
      counts.cliques = {Clique({0})};
      counts.sigma_squared = Rational(1'000'000, 1);
      const SumRequest request{.body = counts};
      CHECK(records.Serve(Sha256(AsBytes(fmt::format("session {}", i))), Encode(request).request).ok());
    }
  }

  ScratchFolder folder_;
  const Manifest manifest_ = ManifestForTest(PresetForTest("naive-flaim"));
  const SystemClock clock_;
  std::ostringstream logged_;
  Log log_{logged_, LogFormat::kJson, clock_};
  Parallel parallel_{1};
  NoProgress progress_;
};

// The coordinator sees whether a site comes: what it reads must decide nothing.
TEST_F(SiteProgramTest, BeginsWhateverItsRowsHold) {
  for (const char* more : {"", "q,y,z\n", "x,y\n", "x,y,z,z\n", ",,\n", "\"x\"\"\",y,z\n"}) {
    EXPECT_TRUE(absl::IsCancelled(Run(std::string(kRows) + more))) << more;
  }
  EXPECT_TRUE(absl::IsCancelled(Run("a,b,c\n")));
  EXPECT_TRUE(absl::IsFailedPrecondition(Run("a,b\nx,y\n"))) << "the header is no value";
}

TEST_F(SiteProgramTest, KeepsAllOfAConsent) {
  const SiteFolder folder = SiteFolder::Open(folder_.path()).value();
  const SiteFolder::Consent given{.manifest = ToHex(folder.manifest().digest()),
                                  .rows = CsvRows{"rows.csv"},
                                  .ledger = "a.ledger",
                                  .time_unix_s = 1'800'000'000,
                                  .roster = {.roster = Sha256(AsBytes("a roster")), .is_any = true, .known = 3}};
  ASSERT_TRUE(folder.WriteConsent(given).ok());
  const SiteFolder::Consent read = folder.ReadConsent().value();
  EXPECT_EQ(read.manifest, given.manifest);
  EXPECT_EQ(read.ledger, given.ledger);
  EXPECT_EQ(read.time_unix_s, given.time_unix_s);
  EXPECT_EQ(read.roster.roster, given.roster.roster);
  EXPECT_EQ(read.roster.is_any, given.roster.is_any);
  EXPECT_EQ(read.roster.known, given.roster.known);
}

TEST_F(SiteProgramTest, MakesNoNewLedgerAfterItHasContributed) {
  Serve(1);
  const absl::Status status = Run(kRows);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("is gone"));
  EXPECT_FALSE(std::filesystem::exists(File("site.ledger")));
}

TEST_F(SiteProgramTest, TakesNoLedgerThatDidNotPayForItsContributions) {
  ASSERT_TRUE(absl::IsCancelled(Run(kRows)));
  Serve(2);
  const absl::Status status = Run(kRows);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("another ledger"));
}

}  // namespace
}  // namespace flaim::runtime
