#include "cli/interruption.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "base/check.h"
#include "cli/exit_code.h"

namespace flaim {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr std::int64_t kPatienceMs = 500;

// Written by the handler, so without locks. 0: not asked yet.
std::atomic<std::int64_t> asked_at_ms{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
bool is_installed = false;

std::int64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000 + 1;
}

void Say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void Handle(int) {
  const int kept_errno = errno;
  std::int64_t never = 0;
  const std::int64_t now = NowMs();
  if (asked_at_ms.compare_exchange_strong(never, now)) {
    Say("\nflaim: stopping at the next safe point; once more to stop at once, at the risk of paying twice\n");
  } else if (now - asked_at_ms.load() > kPatienceMs) {
    _exit(static_cast<int>(ExitCode::kInterrupted));
  }
  errno = kept_errno;
}

void SetHandlers(void (*from)(int), void (*to)(int)) {
  for (const int signal_number : kSignals) {
    struct sigaction action {};
    sigaction(signal_number, nullptr, &action);
    if (action.sa_handler != from) continue;
    action.sa_handler = to;
    action.sa_flags = SA_RESTART;
    sigaction(signal_number, &action, nullptr);
  }
}

}  // namespace

Interruption::Interruption() {
  CHECK(!is_installed, "two of them would undo each other");
  is_installed = true;
  asked_at_ms = 0;
  SetHandlers(SIG_DFL, Handle);
}

Interruption::~Interruption() {
  SetHandlers(Handle, SIG_DFL);
  is_installed = false;
}

bool Interruption::requested() { return asked_at_ms.load() != 0; }

absl::Status Interruption::Check() {
  return requested() ? absl::CancelledError("interrupted; nothing was written") : absl::OkStatus();
}

}  // namespace flaim
