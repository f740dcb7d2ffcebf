#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "runtime/coordinator/networked_federation.h"
#include "runtime/identity/enrolment_desk.h"
#include "runtime/observe/status_server.h"
#include "runtime/programs/coordinator_folder.h"
#include "runtime/programs/network_exchange.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

struct CoordinatorOptions {
  std::string listen;         // host:port for sites; empty: all interfaces, the port of the study's address
  std::string status_listen;  // host:port of the status page; empty: none
  std::chrono::milliseconds timeout{30'000};
};

// What comes from outside the program.
struct CoordinatorWorld {
  std::string software;  // the version of this program
  const Clock& clock;
  Log& log;
  Parallel& parallel;
  std::function<bool()> is_stopping;  // asked now and then, from any thread
  ScheduleRandom schedule_random;
  std::string research_provenance;  // of noise from the manifest's seed
};

// The coordinator: opens its port, enrols sites, and runs the study. Stopped at any point and started again on the same
// folder, it goes on where it was.
class CoordinatorProgram final : private EnrolmentService {
 public:
  static absl::StatusOr<std::unique_ptr<CoordinatorProgram>> Start(CoordinatorFolder folder,
                                                                   const CoordinatorOptions& options,
                                                                   CoordinatorWorld world);
  ~CoordinatorProgram() override;

  const Study& study() const { return study_; }
  int port() const { return switchboard_->port(); }
  // Empty if there is no status page.
  std::string status_url() const { return status_server_ ? status_server_->url() : ""; }

  // Enrols sites until it is asked to stop.
  absl::Status Serve();
  // Begins the study with the sites that are approved, or goes on with it; writes the model. Cancelled if it is asked
  // to stop.
  absl::Status Run();
  // Keeps the status page up until it is asked to stop.
  void Linger();

 private:
  CoordinatorProgram(CoordinatorFolder folder, Study study, const CoordinatorOptions& options, CoordinatorWorld world);

  absl::StatusOr<Reception> Enrol(const EnrolmentService::Application& application) override;
  absl::StatusOr<EnrolmentService::Collection> Collect(const std::string& invite_secret,
                                                       const std::string& verifying_key) override;

  absl::Status Open();
  absl::Status ShowSites();
  absl::StatusOr<StudyRoster> RosterOfApproved();
  absl::Status RunStudy(StudyJournal& journal, const StudyRoster& roster);
  absl::Status WaitForSites(std::size_t all);
  void ShowTraffic();
  void Fail(const absl::Status& why);

  CoordinatorFolder folder_;
  Study study_;
  CoordinatorOptions options_;
  CoordinatorWorld world_;
  StatusBoard board_;
  std::unique_ptr<EnrolmentDesk> desk_;
  NetworkExchange exchange_;
  std::atomic<bool> is_enrolling_ = false;  // read by threads of the transport
  std::unique_ptr<StatusServer> status_server_;
  std::unique_ptr<Switchboard> switchboard_;
};

}  // namespace flaim::runtime
