#include "cli/flags/method_flags.h"

#include <cctype>

#include "CLI/CLI.hpp"
#include "algorithms/choices/scopes.h"
#include "app/fit_settings.h"
#include "cli/flags/number_range.h"
#include "io/number_text.h"

namespace flaim {
namespace {

std::string Capitalised(std::string_view text) {
  std::string capitalised(text);
  capitalised[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capitalised[0])));
  return capitalised;
}

// What belongs there, for the help, and for the completions of a shell where only some words do.
std::string LimitsOf(const Choice& choice) {
  const auto* names = std::get_if<Names>(&choice.kind);
  if (names == nullptr) return WhatBelongs(choice);
  std::string words;
  for (const NamedValue& value : names->values) {
    words += fmt::format("{}{}", words.empty() ? "" : ",", value.name);
  }
  return fmt::format("{{{}}}", words);
}

CLI::Validator FitsInto(const Choice& choice) {
  return CLI::Validator([&choice](const std::string& text) { return ExplainMisfit(choice, ValueOfText(choice, text)); },
                        LimitsOf(choice));
}

const char* TypeOf(const Choice& choice) {
  if (std::holds_alternative<WholeNumbers>(choice.kind)) return "INT";
  return std::holds_alternative<RealNumbers>(choice.kind) ? "FLOAT" : "TEXT";
}

// What it does, and in which methods if not in all of those that the command has.
std::string AboutOf(const Choice& choice, bool is_for_all) {
  const std::string about = Capitalised(choice.meaning);
  return is_for_all ? about : fmt::format("{}; for {}", about, choice.scope.in_words);
}

void AddChoiceFlag(CLI::App& command, const Choice& choice, bool is_for_all, MethodChanges& changes) {
  const auto set = [&choice, &changes](const std::string& text) {
    changes.Set(choice.name, ValueOfText(choice, text));
  };
  const std::string flag = fmt::format("--{}", choice.name);
  const std::string about = AboutOf(choice, is_for_all);
  if (!choice.bare_flag.empty()) {
    const std::string with_value = fmt::format("{}{{{}}}", flag, choice.bare_flag);
    const std::string with_usage =
        fmt::format("{}: {}, or {}=N [{}]", AboutOf(choice, true), flag, flag, choice.bare_flag);
    command.add_flag(with_value, with_usage)->check(FitsInto(choice))->each(set);
  } else {
    command.add_option_function<std::string>(flag, set, about + " [the method's]")
        ->check(FitsInto(choice))
        ->type_name(TypeOf(choice));
  }
}

std::string ExplainBadRate(const std::string& text) {
  const std::optional<double> rate = ParseReal(text);
  if (rate && *rate > 0 && *rate <= 1) return "";
  if (rate && *rate == 0) return "with a rate of 0 nobody would ever take part: give more than 0, and at most 1";
  return fmt::format("{} is not a rate: give more than 0, and at most 1", text);
}

}  // namespace

void AddMethodFlags(CLI::App& command, MethodChanges& changes) {
  command.add_option("--method", changes.preset, "The method: `flaim methods` lists them")
      ->required()
      ->check(CLI::Validator(ExplainUnknownMethod, "NAME"));
  for (const Choice& choice : AllChoices()) {
    AddChoiceFlag(command, choice, choice.scope.in_words == scopes::kEveryMethod.in_words, changes);
  }
}

void AddOneTableMethodFlags(CLI::App& command, MethodChanges& changes) {
  command.add_option("--method", changes.preset, "The method: aim, or aim-paper with the paper's constants [aim]")
      ->check(CLI::Validator(ExplainUnknownMethod, "NAME"));
  for (const Choice& choice : AllChoices()) {
    if (IsOpenToFits(choice)) AddChoiceFlag(command, choice, true, changes);
  }
}

void AddParticipationFlags(CLI::App& command, RunRequest& request) {
  command
      .add_option("--participation", request.participation,
                  fmt::format("The share of the clients that is there in a round [{}]", kDefaultParticipation))
      ->check(CLI::Validator(ExplainBadRate, "0 to 1"));
  command
      .add_option("--availability", request.availability,
                  "Who is there: poisson (each client by chance), turns (in a random order), all, or trace:FILE (a "
                  "line of clients for each round) [turns; poisson with --accounting paper; all with "
                  "--participation 1]")
      ->check(CLI::Validator(ExplainBadAvailability, "poisson|turns|all|trace:FILE"));
}

void AddGroupFlags(CLI::App& command, GroupFlags& flags) {
  constexpr const char* kGroup = "As over the network";
  command.add_option("--minimum-sites", flags.minimum_sites, "The fewest sites whose numbers are ever added up")
      ->check(CLI::Range(2, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--dropouts", flags.bounds.dropout_share,
                  "The share of a round's sites that may vanish while a sum is made; one more, and it is not made")
      ->check(Between(0, 1))
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--colluders", flags.bounds.colluders,
                  "How many sites may work with the coordinator against the others; paid for with more noise")
      ->check(CLI::Range(0, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
}

}  // namespace flaim
