#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "messages.pb.h"
#include "secagg/messages/roster.h"

namespace flaim::runtime {

// Something that happened at a site of the study.
struct SiteEvent {
  enum class Kind : std::uint8_t {
    kReady,    // connected, greeted, and consenting to the study
    kGone,     // the connection is lost
    kMessage,  // it said something
  };
  Kind kind = Kind::kMessage;
  secagg::ParticipantId site = 0;
  messages::SiteMessage message;  // what it said
};

// How a coordinator reaches the sites of its roster: over the network, or in a test's own way. For one thread.
class SiteExchange {
 public:
  virtual ~SiteExchange() = default;

  virtual bool IsReady(secagg::ParticipantId site) const = 0;
  // Takes a serialized CoordinatorMessage. Lost if the site is not there.
  virtual void Send(secagg::ParticipantId site, std::string message) = 0;
  // What happened next; nothing if that takes longer than until then. Cancelled if the coordinator is asked to stop.
  virtual absl::StatusOr<std::optional<SiteEvent>> Next(std::chrono::system_clock::time_point until) = 0;
};

}  // namespace flaim::runtime
