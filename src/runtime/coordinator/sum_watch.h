#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "federation/federation.h"
#include "runtime/messages/request_codec.h"
#include "secagg/messages/roster.h"

namespace flaim::runtime {

// Who watches a coordinator at work: status pages and logs. Nothing depends on what it does.
class CoordinatorWatch {
 public:
  virtual ~CoordinatorWatch() = default;
  virtual void OnGathered(const Group&, const std::vector<secagg::ParticipantId>&) {}
  virtual void OnSumBegun(const SumRequest&, int /*invited*/) {}
  // After each answer: which stage, and how many of those who are asked have answered.
  virtual void OnStage(const std::string&, std::size_t /*answered*/, std::size_t /*expected*/) {}
  virtual void OnRefusal(secagg::ParticipantId, const std::string&) {}
  // Also for sums that an earlier run of the coordinator has made.
  virtual void OnSumDone(const SumRequest&, const std::vector<secagg::ParticipantId>& /*contributors*/,
                         bool /*is_replayed*/) {}
  virtual void OnSumFailed(const SumRequest&, const std::string&) {}
};

}  // namespace flaim::runtime
