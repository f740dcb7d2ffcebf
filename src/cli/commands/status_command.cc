#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/command_line.h"
#include "nlohmann/json.hpp"
#include "runtime/observe/http_address.h"
#include "runtime/observe/status_server.h"
#include "runtime/observe/study_status.h"

namespace flaim {
namespace {

using runtime::FetchStatus;
using runtime::StudyPhase;
using runtime::StudyStatus;

constexpr std::chrono::seconds kWatchInterval{2};
constexpr int kUsualColumns = 80;
constexpr const char* kAddressFile = "status-url";
constexpr const char* kClearScreen = "\x1b[H\x1b[2J";

struct StatusFlags {
  std::string target = ".";
  bool json = false;
  bool watch = false;
};

int TerminalColumns() {
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsualColumns;
}

absl::StatusOr<std::string> ReadAddress(const std::filesystem::path& folder) {
  std::ifstream file(folder / kAddressFile);
  std::string address;
  if (!std::getline(file, address)) {
    return NotFound("{} has no file {}; is it the folder of a study, and was its coordinator ever started?",
                    folder.string(), kAddressFile);
  }
  return address;
}

absl::StatusOr<std::string> AddressOf(const std::string& target) {
  std::error_code ignored;
  if (std::filesystem::is_directory(target, ignored)) return ReadAddress(target);
  if (target.starts_with("http") || runtime::ParseHttpAddress(target).ok()) return target;
  return NotFound("'{}' is neither the folder of a study nor an address like http://127.0.0.1:8088/", target);
}

std::string Format(const StudyStatus& status, const StatusFlags& flags) {
  if (flags.json) return nlohmann::ordered_json::parse(runtime::ToJson(status)).dump(2);
  std::string text = runtime::ToText(status, TerminalColumns());
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

bool HasEnded(const StudyStatus& status) {
  return status.phase == StudyPhase::kFinished || status.phase == StudyPhase::kFailed;
}

// Until the study ends, or somebody presses Ctrl-C, which loses nothing here. A coordinator that does not answer for a
// while is waited for, once it was there.
absl::Status Watch(const std::string& address, const StatusFlags& flags, Console& console) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  ASSIGN_OR_RETURN(StudyStatus status, FetchStatus(address));
  std::string trouble;
  while (true) {
    console.Print(
        fmt::format("{}{}{}", is_terminal ? kClearScreen : "", Format(status, flags), is_terminal ? "" : "\n"));
    if (!trouble.empty()) console.Warn(fmt::format("flaim: {}", trouble));
    if (!console.Flush()) return absl::UnavailableError("standard output cannot be written");
    if (HasEnded(status)) return absl::OkStatus();
    std::this_thread::sleep_for(kWatchInterval);
    absl::StatusOr<StudyStatus> next = FetchStatus(address);
    trouble = next.ok() ? "" : std::string(next.status().message());
    if (next.ok()) status = *std::move(next);
  }
}

absl::Status ShowStatus(const StatusFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const std::string address, AddressOf(flags.target));
  if (flags.watch) return Watch(address, flags, console);
  ASSIGN_OR_RETURN(const StudyStatus status, FetchStatus(address));
  console.Print(Format(status, flags));
  return absl::OkStatus();
}

}  // namespace

void AddStatusCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<StatusFlags>();
  CLI::App* command = program.add_subcommand("status", "How a study stands: its sites, rounds, budget and log");
  command->add_option("STUDY", flags->target, "Folder of the study, or the address of its status page")
      ->capture_default_str();
  CLI::Option* json = command->add_flag("--json", flags->json, "Print JSON");
  command->add_flag("--watch", flags->watch, "Show it again every 2 seconds, until the study ends")->excludes(json);
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return ShowStatus(*flags, console); }; });
}

}  // namespace flaim
