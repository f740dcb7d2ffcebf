#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "federation/client_answer.h"
#include "runtime/messages/request_codec.h"

// Any bytes as a request and its model: the first two say how long the request is. What is taken makes sense over the
// domain, and is the same after it has been written and read again.

namespace {

using namespace flaim;
using namespace flaim::runtime;

constexpr RequestLimits kLimits{.max_model_cells = 1000, .max_entries = 1000};

void CheckMakesSense(const ReceivedRequest& received, const Domain& domain) {
  Parallel parallel(1);
  std::int64_t entries = 0;
  for (const std::uint32_t block : EntriesOf(received.request.body, domain)) entries += block;
  CHECK(entries > 0 && entries <= kLimits.max_entries);
  CHECK(received.request.attempt >= 1 && !received.request.name().run.empty());
  if (const auto* scores = std::get_if<ScoresRequest>(&received.request.body)) {
    CHECK(SharesFor(*scores, parallel)->of_candidates.size() == scores->candidates.size());
  }
  if (const auto* local = std::get_if<LocalSelection>(&received.request.body)) {
    CHECK(SharesFor(*local, parallel)->of_candidates.size() == local->candidates.size() && !local->refit);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Domain domain = Domain::Create({{"a", 3}, {"b", 2}, {"c", 4}, {"d", 2}}).value();
  static Parallel alone(1);
  if (size < 2) return 0;
  const std::size_t request_bytes = std::min<std::size_t>(data[0] + 256U * data[1], size - 2);
  const char* text = reinterpret_cast<const char*>(data) + 2;
  const EncodedRequest encoded{.request = std::string(text, request_bytes),
                               .model = std::string(text + request_bytes, size - 2 - request_bytes)};
  auto received = Decode(encoded, domain, kLimits, alone);
  if (!received.ok()) return 0;
  CheckMakesSense(*received, domain);
  const EncodedRequest again = Encode(received->request);
  auto second = Decode(again, domain, kLimits, alone);
  CHECK(second.ok());
  CHECK(Encode(second->request).request == again.request && Encode(second->request).model == again.model);
  return 0;
}
