#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "secagg/protocol/study_testing.h"

// A session of three whose messages are tampered with as the input says. It ends with the right sum or with none, and
// nobody's counts are asked for twice. Masked vectors are delivered as they are or not at all: a participant may lie
// about its own counts, and nobody could tell.

namespace {

using namespace flaim;
using namespace flaim::secagg;

// The input, read as a list of small decisions; zeros when it is used up.
class Decisions {
 public:
  Decisions(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  std::uint8_t Next() {
    if (rest_.empty()) return 0;
    const std::uint8_t next = rest_.front();
    rest_ = rest_.subspan(1);
    return next;
  }

  std::size_t Place(std::size_t size) { return (std::size_t{Next()} * 256 + Next()) % size; }

  Bytes Raw() {
    const std::size_t size = std::min<std::size_t>(Next(), rest_.size());
    const Bytes raw(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size));
    rest_ = rest_.subspan(size);
    return raw;
  }

 private:
  ByteView rest_;
};

bool IsMasked(const Bytes& message) {
  const absl::StatusOr<Message> decoded = Decode(message);
  return decoded.ok() && std::holds_alternative<Masked>(decoded->body);
}

// What arrives in place of `message`: mostly itself.
std::vector<Bytes> Tampered(Bytes message, Decisions& decisions) {
  const std::uint8_t kind = decisions.Next() % 8;
  if (kind == 1) return {};
  if (kind == 2) return {message, message};
  if (kind >= 3 && IsMasked(message)) return {message};
  if (kind == 3) {
    message[decisions.Place(message.size())] ^= decisions.Next();
  } else if (kind == 4) {
    message.resize(decisions.Place(message.size() + 1));
  } else if (kind == 5) {
    const Bytes more = decisions.Raw();
    message.insert(message.end(), more.begin(), more.end());
  } else if (kind == 6) {
    // Behind the header, so that it is read.
    const Bytes body = decisions.Raw();
    message.resize(std::min<std::size_t>(message.size(), 34));
    message.insert(message.end(), body.begin(), body.end());
    if (IsMasked(message)) return {};
  } else if (kind == 7) {
    std::swap(message[decisions.Place(message.size())], message[decisions.Place(message.size())]);
  }
  return {message};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Decisions decisions(data, size);
  StudyForTest study({.participants = 3, .dropouts = 1});
  const auto clients = study.MakeClients();
  const auto server = study.MakeServer();
  while (!server->IsOver()) {
    for (const ParticipantId id : server->Recipients()) {
      for (const Bytes& message : Tampered(server->MessageFor(id), decisions)) {
        const absl::StatusOr<Bytes> answer = clients[id]->Receive(message);
        if (!answer.ok() || answer->empty()) continue;
        for (const Bytes& arrived : Tampered(*answer, decisions)) (void)server->Receive(id, arrived);
      }
    }
    server->CloseStage();
  }
  for (ParticipantId id = 0; id < 3; ++id) {
    CHECK(study.AskedOf(id) <= 1);
  }
  if (!server->outcome().ok()) return 0;
  CHECK(server->outcome()->contributors.size() >= 2);
  CHECK(study.IsExact(*server->outcome()));
  return 0;
}
