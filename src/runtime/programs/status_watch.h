#pragma once

#include <functional>
#include <string>

#include "algorithms/loop/run.h"
#include "runtime/coordinator/sum_watch.h"
#include "runtime/messages/study_roster.h"
#include "runtime/observe/log.h"
#include "runtime/observe/study_status.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

// Tells the log and the status board what a coordinator does. Public values only.
class StatusWatch final : public CoordinatorWatch, public RoundSink {
 public:
  // `show_traffic` is called after each sum.
  StatusWatch(const Study& study, const StudyRoster& roster, const Clock& clock, Log& log, StatusBoard& board,
              std::function<void()> show_traffic)
      : study_(study),
        roster_(roster),
        clock_(clock),
        log_(log),
        board_(board),
        show_traffic_(std::move(show_traffic)),
        round_began_(clock.Now()) {}

  void OnGathered(const Group& group, const std::vector<secagg::ParticipantId>& members) override;
  void OnSumBegun(const SumRequest& request, int invited) override;
  void OnStage(const std::string& stage, std::size_t answered, std::size_t expected) override;
  void OnRefusal(secagg::ParticipantId site, const std::string& why) override;
  void OnSumDone(const SumRequest& request, const std::vector<secagg::ParticipantId>& contributors,
                 bool is_replayed) override;
  void OnSumFailed(const SumRequest& request, const std::string& why) override;
  void Report(const RoundReport& report, const Model& model) override;

 private:
  const Study& study_;
  const StudyRoster& roster_;
  const Clock& clock_;
  Log& log_;
  StatusBoard& board_;
  const std::function<void()> show_traffic_;
  std::chrono::system_clock::time_point round_began_;
};

}  // namespace flaim::runtime
