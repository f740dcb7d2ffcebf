#include "algorithms/choices/choices_markdown.h"

#include "algorithms/choices/method_words.h"
#include "algorithms/methods/presets.h"
#include "fmt/format.h"

namespace flaim {
namespace {

std::string ValuesOf(const Choice& choice) {
  const auto* names = std::get_if<Names>(&choice.kind);
  if (names == nullptr) return WhatBelongs(choice);
  std::string values;
  for (const auto& [name, meaning] : names->values) {
    values += fmt::format("{}`{}`: {}", values.empty() ? "" : "<br>", name, meaning);
  }
  return values;
}

std::string ChosenIn(const Method& method) {
  std::string chosen;
  for (const auto& [choice, value] : ShownChoicesOf(method)) {
    chosen += fmt::format("{}{} `{}`", chosen.empty() ? "" : ", ", choice.name, TextOf(value));
  }
  return chosen;
}

}  // namespace

std::string ChoicesInMarkdown() {
  std::string text = "| choice | what it decides | values | for |\n| --- | --- | --- | --- |\n";
  for (const Choice& choice : AllChoices()) {
    text +=
        fmt::format("| `{}` | {} | {} | {} |\n", choice.name, choice.meaning, ValuesOf(choice), choice.scope.in_words);
  }
  text += "\n| method | what it has chosen |\n| --- | --- |\n";
  for (const Method& method : AllMethods()) text += fmt::format("| `{}` | {} |\n", method.name, ChosenIn(method));
  return text;
}

}  // namespace flaim
