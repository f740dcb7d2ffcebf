#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "messages.pb.h"
#include "runtime/site/site_agent.h"
#include "runtime/site/site_ledger.h"
#include "runtime/study/manifest_testing.h"
#include "runtime/study/sum_terms.h"

// Any bytes as what a coordinator says to a site: as they are; as the request of a sum whose offer is signed but for
// another; or as a message within that sum. Nothing is paid and no row is read for any of them.

namespace {

using namespace flaim;
using namespace flaim::runtime;

// Nobody's rows may be read for what only looks like a request.
class UntouchableRows final : public PrivateRows {
 public:
  explicit UntouchableRows(const Domain& domain) : domain_(domain) {}
  const Domain& domain() const override { return domain_; }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique>, Parallel&) override { CHECK(false, "rows were counted"); }
  absl::StatusOr<ShareDistance> Distance(const Clique&, const PublicShares&) override {
    CHECK(false, "rows were read");
  }

 private:
  const Domain& domain_;
};

class Site {
 public:
  Site() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (const char* name : {"site-0", "site-1", "site-2"}) {
      roster_.sites.emplace_back(name);
      roster_.keys.push_back(KeyForTest(name).verifying_key());
      roster_.requests.push_back(Sha256(AsBytes(name)));
    }
    ledger_.emplace(
        Ledger::OpenOrCreate(folder_ + "/ledger", SiteLedgerTerms(study_, "a site"), clock_, FollowingPlanOf(study_))
            .value());
    records_.emplace(SiteRecords::Open(folder_ + "/records", study_.domain()).value());
    agent_.emplace(
        SiteParts{.name = "site-0",
                  .software = "flaim test",
                  .study = study_,
                  .signing_key = key_,
                  .rows = rows_,
                  .ledger = *ledger_,
                  .records = *records_,
                  .clock = clock_,
                  .noise = [](const std::string& label) { return std::make_unique<SeededRandomSource>(1, label); },
                  .log = log_,
                  .parallel = parallel_});
    Welcome();
    MakeOffer();
  }

  void Take(std::uint8_t kind, const std::string& bytes) {
    messages::CoordinatorMessage message;
    message.mutable_sum()->set_session(session_.data(), session_.size());
    message.mutable_sum()->set_message(kind % 3 == 1 ? offer_ : bytes);
    if (kind % 3 == 1) message.mutable_sum()->set_request(bytes);
    for (const std::string& answer : agent_->Receive(kind % 3 == 0 ? bytes : message.SerializeAsString())) {
      messages::SiteMessage said;
      CHECK(said.ParseFromString(answer) && said.has_refusal());
    }
    CHECK(ledger_->spent() == Rho() && agent_->RoundsServed() == 0);
    logs_.str("");
  }

 private:
  void Welcome() {
    const std::string roster = Encode(roster_);
    const secagg::Signature signature = KeyForTest("coordinator").Sign(DigestOfRoster(study_.digest, roster));
    messages::CoordinatorMessage out;
    out.mutable_welcome()->set_manifest(manifest_.text);
    out.mutable_welcome()->set_roster(roster);
    out.mutable_welcome()->set_roster_signature(signature.data(), signature.size());
    CHECK(agent_->Receive(out.SerializeAsString()).empty() && agent_->refusal().ok());
  }

  void MakeOffer() {
    const SumRequest request{.body =
                                 CountsRequest{{study_.manifest.id, 1, "counts"}, {Clique({0})}, Rational(1000, 1)}};
    const secagg::Roster keys = secagg::Roster::Make(study_.manifest.server, roster_.keys).value();
    secagg::Offer offer{.deadline_unix_ms = std::int64_t{1} << 60,
                        .terms = TermsOfSum(study_, keys, request, Encode(request), 3).value(),
                        .signature = {}};
    offer.terms.workload[0] ^= 1;  // so that no request is the one
    offer.signature = KeyForTest("coordinator").Sign(secagg::DigestOf(session_, offer));
    const Bytes bytes = secagg::Encode(session_, offer);
    offer_.assign(bytes.begin(), bytes.end());
  }

  const std::string folder_ =
      (std::filesystem::temp_directory_path() / fmt::format("flaim-site-fuzz-{}", getpid())).string();
  const SignedManifest manifest_ = Sign(ManifestForTest(PresetForTest("naive-flaim")), KeyForTest("coordinator"));
  const Study study_ = OpenStudy(manifest_).value();
  const secagg::SigningKey key_ = KeyForTest("site-0");
  const secagg::SessionId session_ = Sha256(AsBytes(std::string("session")));
  StudyRoster roster_;
  UntouchableRows rows_{study_.domain()};
  ManualClock clock_{std::chrono::system_clock::time_point(std::chrono::hours(500'000))};
  std::ostringstream logs_;
  Log log_{logs_, LogFormat::kJson, clock_};
  Parallel parallel_{1};
  std::optional<Ledger> ledger_;
  std::optional<SiteRecords> records_;
  std::optional<SiteAgent> agent_;
  std::string offer_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Site site;
  if (size > 0) site.Take(data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
