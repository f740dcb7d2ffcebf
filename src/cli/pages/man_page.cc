#include "cli/pages/man_page.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace flaim {
namespace {

std::string ManName(const std::string& name) {
  std::string text = name;
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

// Backslashes and minus signs as they are; no line begins a request.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '\\') {
      escaped += "\\e";
    } else if (character == '-') {
      escaped += "\\-";
    } else {
      escaped += character;
    }
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string Styled(const std::string& line) {
  std::string text = std::regex_replace(line, std::regex(R"(\[([^\]]*)\]\(([^)]*)\))"), "$1");
  text = Escaped(text);
  text = std::regex_replace(text, std::regex(R"(\*\*([^*]*)\*\*)"), "\\fB$1\\fR");
  text = std::regex_replace(text, std::regex(R"(\*([^* ][^*]*)\*)"), "\\fI$1\\fR");
  return std::regex_replace(text, std::regex("`([^`]*)`"), "\\fB$1\\fR");
}

// "| a | b |" is an entry a with the text b; the line below the titles is nothing.
std::string TableLine(const std::string& line) {
  if (line.starts_with("| ---")) return "";
  const std::size_t second = line.find(" | ", 2);
  const std::size_t end = line.rfind(" |");
  if (second == std::string::npos || end <= second) return Styled(line) + "\n";
  return fmt::format(".TP\n{}\n{}\n", Styled(line.substr(2, second - 2)),
                     Styled(line.substr(second + 3, end - second - 3)));
}

std::string FlagEntry(const FlagPage& flag) {
  std::string text = fmt::format(".TP\n\\fB{}\\fR", Escaped(fmt::format("{}", fmt::join(flag.names, ", "))));
  if (!flag.value.empty() && !flag.is_argument) text += fmt::format(" \\fI{}\\fR", flag.value);
  text += fmt::format("\n{}", Styled(flag.meaning));
  if (!flag.choices.empty()) text += Escaped(fmt::format(": {}", fmt::join(flag.choices, ", ")));
  if (!flag.bounds.empty()) text += Escaped(fmt::format(" ({})", flag.bounds));
  if (flag.is_required) return text + ". Must be given.\n";
  return text + (flag.fallback.empty() ? "." : Escaped(fmt::format(". Without it: {}.", flag.fallback))) + "\n";
}

std::string FlagsOf(const CommandPage& command) {
  std::string text;
  for (const FlagPage& flag : command.flags) text += FlagEntry(flag);
  return text;
}

std::string InnerCommands(const CommandPage& command) {
  std::string text;
  for (const CommandPage& inner : command.commands) {
    text += fmt::format(".SS {}\n{}.\n.PP\n{}{}", Escaped(inner.Usage()), Styled(inner.summary), RoffOf(inner.prose),
                        FlagsOf(inner));
    text += InnerCommands(inner);
  }
  return text;
}

}  // namespace

std::string RoffOf(const std::string& markdown) {
  std::istringstream lines(markdown);
  std::string text;
  bool is_fenced = false;
  bool is_block = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_fence = line.starts_with("```");
    if (is_fence) is_fenced = !is_fenced;
    const bool in_block = !is_fence && (is_fenced || line.starts_with("    "));
    if (in_block != is_block) text += in_block ? ".PP\n.nf\n.RS 4\n" : ".RE\n.fi\n.PP\n";
    is_block = in_block;
    if (is_fence) continue;
    if (in_block) {
      text += Escaped(is_fenced ? line : line.substr(4)) + "\n";
    } else if (line.empty()) {
      text += ".PP\n";
    } else if (line.starts_with("#")) {
      text += ".PP\n\\fB" + Escaped(line.substr(line.find(' ') + 1)) + "\\fR\n.PP\n";
    } else if (line.starts_with("- ")) {
      text += ".IP \\(bu 2\n" + Styled(line.substr(2)) + "\n";
    } else {
      text += line.starts_with("| ") ? TableLine(line) : Styled(line) + "\n";
    }
  }
  return text + (is_block ? ".RE\n.fi\n.PP\n" : "");
}

std::string ManFileOf(const CommandPage& command) { return ManName(command.name) + ".1"; }

std::string ManPageOf(const CommandPage& command, const std::string& version) {
  std::string text = fmt::format(".TH \"{}\" 1 \"\" \"flaim {}\" \"FLAIM\"\n", ManName(command.name), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", Escaped(ManName(command.name)), Styled(command.summary));
  text += fmt::format(".SH SYNOPSIS\n{}\n", Escaped(command.Usage()));
  if (!command.prose.empty()) text += ".SH DESCRIPTION\n" + RoffOf(command.prose);
  if (!command.flags.empty()) text += ".SH OPTIONS\n" + FlagsOf(command);
  if (!command.commands.empty()) text += ".SH COMMANDS\n" + InnerCommands(command);
  return text;
}

}  // namespace flaim
