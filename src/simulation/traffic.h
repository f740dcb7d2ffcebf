#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "federation/availability.h"

namespace flaim {

// What a client sends and receives, and how many messages it answers.
struct ClientTraffic {
  std::int64_t sent_bytes = 0;
  std::int64_t received_bytes = 0;
  std::int64_t exchanges = 0;
};

// How many bytes a value takes on the wire, packed. What secure aggregation, shares or gRPC add around them is not in
// here: it is measured where it happens.
struct WireSizes {
  static constexpr std::int64_t kSummedEntry = 4;  // sums are modulo 2^32
  static constexpr std::int64_t kSharedCell = 8;   // a correction word; the other two shares are seeds
  static constexpr std::int64_t kSeed = 16;
  static constexpr std::int64_t kModelCell = 8;
  static constexpr std::int64_t kQuery = 4;  // its number in the public list
};

// The bytes of every client, counted at the edge of the simulation.
class Traffic {
 public:
  explicit Traffic(std::size_t clients) : of_client_(clients) {}

  void Exchange(std::span<const ClientIndex> members, std::int64_t sent_bytes, std::int64_t received_bytes) {
    for (const ClientIndex member : members) {
      ClientTraffic& traffic = of_client_[member];
      traffic.sent_bytes += sent_bytes;
      traffic.received_bytes += received_bytes;
      ++traffic.exchanges;
    }
  }

  std::span<const ClientTraffic> of_client() const { return of_client_; }

 private:
  std::vector<ClientTraffic> of_client_;
};

}  // namespace flaim
