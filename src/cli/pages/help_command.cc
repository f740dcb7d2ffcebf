#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/pages/command_page.h"
#include "cli/pages/completion.h"
#include "cli/pages/man_page.h"
#include "cli/pages/markdown.h"
#include "io/byte_sink.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

struct HelpFlags {
  std::vector<std::string> command;
  std::string files;
};

absl::Status WriteText(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return Unavailable("{} cannot be made: {}", file.parent_path().string(), error.message());
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(file.string()));
  RETURN_IF_ERROR(sink->Write(text));
  return sink->Commit();
}

absl::Status WriteManPages(const CommandPage& page, const fs::path& folder) {
  RETURN_IF_ERROR(WriteText(folder / ManFileOf(page), ManPageOf(page, FLAIM_VERSION)));
  for (const CommandPage& command : page.commands) {
    RETURN_IF_ERROR(WriteText(folder / ManFileOf(command), ManPageOf(command, FLAIM_VERSION)));
  }
  return absl::OkStatus();
}

absl::Status WriteFiles(const CommandPage& program, const fs::path& folder) {
  RETURN_IF_ERROR(WriteManPages(program, folder / "man/man1"));
  RETURN_IF_ERROR(WriteText(folder / "bash-completion/completions/flaim", BashCompletion(program)));
  RETURN_IF_ERROR(WriteText(folder / "zsh/site-functions/_flaim", ZshCompletion(program)));
  return WriteText(folder / "fish/vendor_completions.d/flaim.fish", FishCompletion(program));
}

absl::StatusOr<CommandPage> FindPage(const CommandPage& program, const std::vector<std::string>& words) {
  CommandPage page = program;
  for (const std::string& word : words) {
    const std::string name = page.name + " " + word;
    const auto found = std::find_if(page.commands.begin(), page.commands.end(),
                                    [&](const CommandPage& inner) { return inner.name == name; });
    if (found == page.commands.end())
      return InvalidArgument("there is no command '{}'; `flaim --help` lists them", name);
    page = CommandPage(*found);
  }
  return page;
}

absl::Status ShowHelp(const CLI::App& app, const HelpFlags& flags, Console& console) {
  const CommandPage program = PageOf(app);
  if (!flags.files.empty()) return WriteFiles(program, flags.files);
  std::string text;
  if (flags.command.empty()) {
    text = MarkdownOfAll(program);
  } else {
    ASSIGN_OR_RETURN(const CommandPage page, FindPage(program, flags.command));
    text = MarkdownOf(page);
  }
  text.pop_back();
  console.Print(text);
  return absl::OkStatus();
}

}  // namespace

void AddHelpCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<HelpFlags>();
  CLI::App* command =
      program.add_subcommand("help", "All about a command, with examples; without one, about every command");
  command->add_option("COMMAND", flags->command, "Such as: fit, or: ledger show");
  command->add_option("--files", flags->files, "Write man pages and completions for shells into this folder instead");
  command->callback([flags, &program, &chosen] {
    chosen = [flags, &program](Console& console) { return ShowHelp(program, *flags, console); };
  });
}

}  // namespace flaim
