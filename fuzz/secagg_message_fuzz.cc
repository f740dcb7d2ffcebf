#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "secagg/messages/messages.h"

// Any bytes as a message of secure aggregation. What is accepted has one form: written again, it is the same bytes.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flaim;
  using namespace flaim::secagg;
  const ByteView input(data, size);
  const absl::StatusOr<Message> message = Decode(input);
  if (message.ok()) CHECK(std::ranges::equal(Encode(message->session, message->body), input));
  return 0;
}
