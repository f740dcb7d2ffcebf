// Serves the status page of a made-up study, for the test that looks at it in a browser. Says its address on standard
// output, obeys the commands on standard input, a line each, and ends with it.
//
//   status_page_server HOST:PORT

#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "base/clock.h"
#include "fmt/format.h"
#include "runtime/observe/status_server.h"
#include "runtime/observe/study_status_testing.h"

namespace {

using namespace flaim;
using namespace flaim::runtime;

std::int64_t NowMs(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.Now().time_since_epoch()).count();
}

// As if the study had begun a minute ago.
StudyStatus StartedNow(int sites, const Clock& clock) {
  StudyStatus status = testing_support::ExampleStatus(sites);
  const std::int64_t shift = NowMs(clock) - status.now_unix_ms;
  status.started_unix_ms += shift;
  for (SiteStatus& site : status.sites) site.last_seen_unix_ms += shift;
  constexpr std::array<const char*, 7> kQueries = {"age × income",      "diagnosis × ward", "age × diagnosis",
                                                   "income × smoker",   "sex × diagnosis",  "age × stay_days",
                                                   "diagnosis × drug_1"};
  for (std::size_t i = 0; i < status.rounds.size(); ++i) status.rounds[i].chosen = {kQueries[i], kQueries[(i + 3) % 7]};
  return status;
}

void BeHostile(StudyStatus& status) {
  status.study = "<script>alert('study')</script>";
  status.sites[0].name = "<img src=x onerror=alert(1)>";
  status.sites[1].name = std::string(300, 'w');
  status.sites[2].name = "\xE2\x80\xAE turned around";
  status.sites[5].is_approved = false;
  status.sites[5].is_online = false;
  status.rounds.back().chosen = {"<b>bold</b>", std::string(200, 'q'), "a × b"};
  status.sum->name = "<i>sum</i>";
  status.failure = "<u>failure</u>";
}

void FinishRound(StudyStatus& status) {
  RoundStatus round = status.rounds.back();
  ++round.round;
  status.rounds.push_back(round);
  status.share_spent = static_cast<double>(status.rounds.size()) / static_cast<double>(status.rounds_planned);
}

void Finish(StudyStatus& status) {
  status.phase = StudyPhase::kFinished;
  status.share_spent = 1;
  status.sum.reset();
  status.result = "study/model.flaim";
}

}  // namespace

int main(int argc, char** argv) {
  const SystemClock clock;
  std::ostringstream written;
  Log log(written, LogFormat::kJson, clock);
  StatusBoard board(clock, log);
  const std::map<std::string, std::function<void(StudyStatus&)>> commands = {
      {"few", [&](StudyStatus& status) { status = StartedNow(6, clock); }},
      {"many", [&](StudyStatus& status) { status = StartedNow(40, clock); }},
      {"hostile", BeHostile},
      {"research", [](StudyStatus& status) { status.is_research = true; }},
      {"round", FinishRound},
      {"finish", Finish},
      {"empty", [](StudyStatus& status) { status = StudyStatus{}; }},
  };
  board.Update(commands.at("few"));
  log.Info("study started", {{"study", "stroke-outcomes-2030"}, {"sites", 6}});
  log.Info("round finished", {{"round", 6}, {"sites", 5}, {"seconds", 8.0}});
  log.Warning("site lost", {{"site", "hospital-3"}});
  log.Info("round finished", {{"round", 7}, {"sites", 5}, {"seconds", 8.1}});

  const auto server = StatusServer::Start(argc > 1 ? argv[1] : "127.0.0.1:0", board);
  if (!server.ok()) {
    std::cerr << server.status().message() << std::endl;
    return 1;
  }
  std::cout << (*server)->url() << std::endl;
  for (std::string command; std::getline(std::cin, command);) {
    board.Update(commands.at(command));
    log.Info("command obeyed", {{"command", command}});
    std::cout << command << std::endl;
  }
  return 0;
}
