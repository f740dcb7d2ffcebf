#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "algorithms/choices/choice_json.h"
#include "algorithms/choices/choices_markdown.h"
#include "algorithms/choices/method_words.h"
#include "algorithms/methods/presets.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/method_flags.h"

namespace flaim {
namespace {

struct MethodsFlags {
  std::string method;
  bool json = false;
  bool markdown = false;
};

nlohmann::json ToJson(const Method& method) {
  return {{"name", method.name},
          {"summary", method.summary},
          {"trust", TrustInWords(method)},
          {"is_private", IsPrivate(method)},
          {"choices", ToJson(ShownChoicesOf(method))}};
}

void PrintAll(Console& console) {
  std::vector<std::vector<std::string>> lines;
  for (const Method& method : AllMethods()) {
    lines.push_back({method.name, IsPrivate(method) ? "yes" : "NO", method.summary});
    lines.push_back({"", "", "trust: " + TrustInWords(method)});
  }
  console.PrintTable({"method", "private", "what it does, and whom it needs to trust"}, lines);
  console.Note("\nflaim methods NAME shows the choices of a method; flaim simulate can change each of them.");
}

void PrintOne(const Method& method, Console& console) {
  console.Print(fmt::format("{}: {}", method.name, method.summary));
  console.Print("trust: " + TrustInWords(method));
  for (const std::string& reason : ReasonsNotPrivate(method)) console.Print("NOT private: " + reason);
  console.Print("");
  std::vector<std::vector<std::string>> lines;
  for (const auto& [choice, value] : ShownChoicesOf(method)) {
    lines.push_back({fmt::format("--{}", choice.name), TextOf(value), std::string(MeaningOf(choice, value))});
  }
  console.PrintTable({"choice", "value", "meaning"}, lines);
}

absl::Status ShowMethods(const MethodsFlags& flags, Console& console) {
  if (flags.markdown) {
    console.Print(ChoicesInMarkdown());
    return absl::OkStatus();
  }
  if (!flags.method.empty()) {
    ASSIGN_OR_RETURN(const Method method, FindMethod(flags.method));
    flags.json ? console.Print(ToJson(method).dump(2)) : PrintOne(method, console);
    return absl::OkStatus();
  }
  if (!flags.json) {
    PrintAll(console);
    return absl::OkStatus();
  }
  nlohmann::json list = nlohmann::json::array();
  for (const Method& method : AllMethods()) list.push_back(ToJson(method));
  console.Print(list.dump(2));
  return absl::OkStatus();
}

}  // namespace

void AddMethodsCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<MethodsFlags>();
  CLI::App* command =
      program.add_subcommand("methods", "The methods that fit and simulate know, and whom each needs to trust");
  command->add_option("NAME", flags->method, "Show every choice of this one")
      ->check(CLI::Validator(ExplainUnknownMethod, ""));
  CLI::Option* json = command->add_flag("--json", flags->json, "Print JSON");
  command->add_flag("--markdown", flags->markdown, "Print all choices and presets as tables, as in docs/METHODS.md")
      ->excludes(json);
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return ShowMethods(*flags, console); }; });
}

}  // namespace flaim
