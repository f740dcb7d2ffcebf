#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace flaim {

// A flag or an argument, as its command declares it.
struct FlagPage {
  std::vector<std::string> names;  // "-o", "--output"; of an argument, its one name
  bool is_argument = false;
  bool is_required = false;
  std::string value;                 // "TEXT", "INT"; empty if it takes none
  std::vector<std::string> choices;  // where only these values are allowed
  std::string bounds;                // "from 1 to 1024", where there are any
  std::string meaning;
  std::string fallback;  // what holds without it
};

// All that is to be said about a command: read off the program, so that no page can differ from what it does.
struct CommandPage {
  std::string name;     // "flaim ledger show"
  std::string summary;  // one sentence
  std::string prose;    // Markdown: what HelpProse has beyond the flags; may be empty
  std::vector<FlagPage> flags;
  std::vector<CommandPage> commands;

  // "flaim fit [OPTIONS] DATA".
  std::string Usage() const;
};

// The page of the program with those of all its commands.
CommandPage PageOf(const CLI::App& program);

// What src/cli/help/NAME.md holds, for the command "flaim ledger show" flaim-ledger-show.md; empty if there is none.
std::string_view HelpProse(std::string_view file);

// "--output": the longest name of a flag.
const std::string& LongName(const FlagPage& flag);

}  // namespace flaim
