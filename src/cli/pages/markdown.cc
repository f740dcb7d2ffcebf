#include "cli/pages/markdown.h"

#include <algorithm>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace flaim {
namespace {

std::string InCell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string NamesOf(const FlagPage& flag) {
  return fmt::format("`{}{}{}`", fmt::join(flag.names, ", "), flag.value.empty() || flag.is_argument ? "" : " ",
                     flag.is_argument ? "" : flag.value);
}

std::string MeaningOf(const FlagPage& flag) {
  std::string meaning = flag.meaning;
  if (!flag.choices.empty()) meaning += fmt::format(": `{}`", fmt::join(flag.choices, "`, `"));
  if (!flag.bounds.empty()) meaning += fmt::format(" ({})", flag.bounds);
  return InCell(meaning);
}

std::string TableOf(const std::vector<FlagPage>& flags) {
  std::string table = "| flag | meaning | without it |\n| --- | --- | --- |\n";
  for (const FlagPage& flag : flags) {
    table += fmt::format("| {} | {} | {} |\n", NamesOf(flag), MeaningOf(flag),
                         flag.is_required ? "*must be given*" : InCell(flag.fallback));
  }
  return table;
}

std::string SectionOf(const CommandPage& command) {
  std::string section = fmt::format("## `{}`\n\n{}.\n\n    {}\n", command.name, command.summary, command.Usage());
  if (!command.prose.empty()) section += fmt::format("\n{}", command.prose);
  if (!command.flags.empty()) section += fmt::format("\n{}", TableOf(command.flags));
  return section;
}

}  // namespace

std::string MarkdownOf(const CommandPage& command) {
  std::string text = SectionOf(command);
  for (const CommandPage& inner : command.commands) text += fmt::format("\n{}", MarkdownOf(inner));
  return text;
}

std::string MarkdownOfAll(const CommandPage& program) {
  std::string text =
      "# Commands\n\n<!-- Written by `flaim help`: change the help texts of the program instead. -->\n\n";
  text += program.prose + "\n" + TableOf(program.flags) + "\n| command | what it does |\n| --- | --- |\n";
  for (const CommandPage& command : program.commands) {
    text += fmt::format("| [`{}`](#{}) | {} |\n", command.name, fmt::format("flaim-{}", command.name.substr(6)),
                        InCell(command.summary));
  }
  for (const CommandPage& command : program.commands) text += fmt::format("\n{}", MarkdownOf(command));
  return text;
}

}  // namespace flaim
