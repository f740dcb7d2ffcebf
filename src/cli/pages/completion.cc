#include "cli/pages/completion.h"

#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace flaim {
namespace {

std::string LastWord(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

std::vector<std::string> WordsAfter(const CommandPage& command) {
  std::vector<std::string> words;
  for (const CommandPage& inner : command.commands) words.push_back(LastWord(inner.name));
  for (const FlagPage& flag : command.flags) {
    if (!flag.is_argument) words.push_back(LongName(flag));
  }
  words.emplace_back("--help");
  return words;
}

// The arms of the shell functions' case statements, which bash and zsh write alike.
struct Cases {
  std::string commands;  // 'flaim fit' | 'flaim ledger' | ...
  std::string words;     // what may follow a command
  std::string values;    // what may follow a flag with fixed values
};

void AddCases(const CommandPage& command, Cases& cases) {
  cases.commands += fmt::format("{}'{}'", cases.commands.empty() ? "" : " | ", command.name);
  cases.words += fmt::format("    '{}') offered='{}' ;;\n", command.name, fmt::join(WordsAfter(command), " "));
  for (const FlagPage& flag : command.flags) {
    if (flag.choices.empty()) continue;
    cases.values +=
        fmt::format("    '{} {}') offered='{}' ;;\n", command.name, LongName(flag), fmt::join(flag.choices, " "));
  }
  for (const CommandPage& inner : command.commands) AddCases(inner, cases);
}

// Finds the command among the words so far, and in `offered` what may follow.
std::string ShellRules(const CommandPage& program) {
  Cases cases;
  AddCases(program, cases);
  return fmt::format(R"(  local command='' offered='' word
  for word in "${{before[@]}}"; do
    word=${{word##*/}}
    case "${{command:+$command }}$word" in
      {}) command="${{command:+$command }}$word" ;;
    esac
  done
  case "$command" in
{}  esac
  case "$command $word" in
{}  esac
)",
                     cases.commands, cases.words, cases.values);
}

std::string FishQuoted(const std::string& text) {
  std::string quoted;
  for (const char character : text)
    quoted += character == '\'' || character == '\\' ? std::string{'\\', character} : std::string(1, character);
  return "'" + quoted + "'";
}

// Holds on a command line that has these words and none of the commands below.
std::string FishCondition(const CommandPage& command) {
  std::string condition;
  std::string words = command.name.substr(command.name.find(' ') + 1);
  if (command.name.find(' ') == std::string::npos) {
    condition = "__fish_use_subcommand";
  } else {
    for (std::size_t start = 0; start != std::string::npos;) {
      const std::size_t end = words.find(' ', start);
      condition += fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ",
                               words.substr(start, end - start));
      start = end == std::string::npos ? end : end + 1;
    }
  }
  if (command.commands.empty() || command.name.find(' ') == std::string::npos) return condition;
  std::vector<std::string> inner;
  for (const CommandPage& below : command.commands) inner.push_back(LastWord(below.name));
  return fmt::format("{}; and not __fish_seen_subcommand_from {}", condition, fmt::join(inner, " "));
}

void AddFishLines(const CommandPage& command, std::string& lines) {
  const std::string condition = FishCondition(command);
  for (const CommandPage& inner : command.commands) {
    lines += fmt::format("complete -c flaim -n '{}' -f -a {} -d {}\n", condition, LastWord(inner.name),
                         FishQuoted(inner.summary));
  }
  for (const FlagPage& flag : command.flags) {
    if (flag.is_argument) continue;
    lines += fmt::format("complete -c flaim -n '{}' -l {}", condition, LongName(flag).substr(2));
    if (!flag.value.empty())
      lines += flag.choices.empty() ? " -r" : fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
    lines += fmt::format(" -d {}\n", FishQuoted(flag.meaning));
  }
  for (const CommandPage& inner : command.commands) AddFishLines(inner, lines);
}

}  // namespace

std::string BashCompletion(const CommandPage& program) {
  return "# What bash offers after `flaim`; written by `flaim help --files`.\n_flaim() {\n"
         "  local before=(\"${COMP_WORDS[@]:0:COMP_CWORD}\")\n" +
         ShellRules(program) +
         "  mapfile -t COMPREPLY < <(compgen -W \"$offered\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\n"
         "complete -o default -F _flaim flaim\n";
}

std::string ZshCompletion(const CommandPage& program) {
  return "#compdef flaim\n# What zsh offers after `flaim`; written by `flaim help --files`.\n"
         "local before=(\"${(@)words[1,CURRENT-1]}\")\n" +
         ShellRules(program) + "compadd -- ${=offered}\n_files\n";
}

std::string FishCompletion(const CommandPage& program) {
  std::string lines = "# What fish offers after `flaim`; written by `flaim help --files`.\n";
  AddFishLines(program, lines);
  return lines;
}

}  // namespace flaim
