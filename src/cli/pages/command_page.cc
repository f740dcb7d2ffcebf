#include "cli/pages/command_page.h"

#include <algorithm>
#include <regex>
#include <utility>

#include "CLI/CLI.hpp"
#include "fmt/format.h"

namespace flaim {
namespace {

// CLI11 writes "INT:INT in [1 - 10]", "TEXT:{a,b}", "TEXT:a|b|c", "FLOAT:0 to 1" or "INT:a whole number from 1 to 10".
void ReadType(const std::string& type, FlagPage& flag) {
  const std::size_t colon = type.find(':');
  flag.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  const std::string limits = type.substr(colon + 1);
  std::smatch match;
  if (std::regex_match(limits, match, std::regex(R"(\{(.*)\})"))) {
    flag.choices = CLI::detail::split(match[1], ',');
  } else if (std::regex_match(limits, match, std::regex(R"(\w+ in \[(.*) - (.*)\])"))) {
    flag.bounds = fmt::format("from {} to {}", match[1].str(), match[2].str());
  } else if (limits.find(' ') != std::string::npos) {
    flag.bounds = limits.starts_with("a ") ? limits : "from " + limits;
  }
}

// A meaning ends with what holds without the flag, in brackets.
void ReadMeaning(const CLI::Option& option, FlagPage& flag) {
  flag.meaning = option.get_description();
  flag.fallback = option.get_default_str();
  std::smatch match;
  const std::string meaning = flag.meaning;
  if (std::regex_match(meaning, match, std::regex(R"((.*) \[([^\]]*)\])"))) {
    flag.meaning = match[1];
    flag.fallback = match[2];
  }
}

FlagPage FlagPageOf(const CLI::Option& option) {
  FlagPage flag;
  flag.is_argument = option.get_positional();
  flag.is_required = option.get_required();
  if (flag.is_argument) {
    flag.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  }
  if (option.get_type_size() != 0) ReadType(option.get_type_name(), flag);
  ReadMeaning(option, flag);
  return flag;
}

std::string ProseOf(const std::string& name) {
  std::string file = name;
  std::replace(file.begin(), file.end(), ' ', '-');
  return std::string(HelpProse(file));
}

CommandPage NamedPageOf(const CLI::App& command, const std::string& name) {
  CommandPage page;
  page.name = name;
  page.summary = command.get_description();
  page.prose = ProseOf(name);
  while (page.summary.ends_with('\n')) page.summary.pop_back();
  for (const CLI::Option* option : command.get_options()) {
    if (option != command.get_help_ptr() && !option->get_group().empty()) page.flags.push_back(FlagPageOf(*option));
  }
  std::stable_partition(page.flags.begin(), page.flags.end(), [](const FlagPage& flag) { return flag.is_argument; });
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    page.commands.push_back(NamedPageOf(*inner, fmt::format("{} {}", name, inner->get_name())));
  }
  return page;
}

}  // namespace

std::string CommandPage::Usage() const {
  std::string usage = name;
  const bool has_options =
      std::any_of(flags.begin(), flags.end(), [](const FlagPage& flag) { return !flag.is_argument; });
  if (has_options) usage += " [OPTIONS]";
  for (const FlagPage& flag : flags) {
    if (!flag.is_argument) continue;
    usage += flag.is_required ? " " + flag.names.front() : fmt::format(" [{}]", flag.names.front());
  }
  if (!commands.empty()) usage += " COMMAND";
  return usage;
}

CommandPage PageOf(const CLI::App& program) { return NamedPageOf(program, program.get_name()); }

const std::string& LongName(const FlagPage& flag) {
  return *std::max_element(flag.names.begin(), flag.names.end(),
                           [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
}

}  // namespace flaim
