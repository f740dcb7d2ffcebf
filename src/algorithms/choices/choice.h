#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "algorithms/methods/method.h"

namespace flaim {

// The value of a choice as flags, experiment files, manifests and Python write it.
using ChoiceValue = std::variant<bool, std::int64_t, double, std::string>;

// What belongs into a choice.
struct NamedValue {
  std::string_view name;
  std::string_view meaning;
};
struct Names {
  std::vector<NamedValue> values;
};
struct WholeNumbers {
  int least = 0;
  int most = 0;
};
struct RealNumbers {
  double low = 0;
  double high = 0;
  bool has_low = true;  // whether the ends themselves belong to it
  bool has_high = true;
  bool is_text = false;  // manifests and Python write the number in quotes
};
using ChoiceKind = std::variant<Names, WholeNumbers, RealNumbers>;

// The methods to which a choice makes a difference.
struct Scope {
  bool (*includes)(const Method& method);
  std::string_view in_words;  // "it is for ..."
};

// One of the choices that make up a method: a row of the table in choices.h.
struct Choice {
  std::string_view name;  // with dashes: of the flag, and in experiment files
  std::string_view meaning;
  ChoiceKind kind;
  Scope scope;
  // Nothing where the method has no place for it, as rounds that are all alike have none for choosing rounds.
  std::function<std::optional<ChoiceValue>(const Method&)> get;
  // REQUIRES: a value that fits. Without effect where the method has no place for it.
  std::function<void(Method&, const ChoiceValue&)> set;
  std::string_view title = "";      // in reports, if not its name
  std::string_view symbol = "";     // in papers
  std::string_view bare_flag = "";  // the value of the flag when it stands alone; empty if it cannot
  // Whether there is anything to choose where somebody holds all rows, and no client could choose, wait or decline.
  bool is_for_one_table = false;
};

// The name with underscores: of manifests and Python.
std::string FieldName(const Choice& choice);

// "one of keep, filter", "a whole number from 1 to 100", "a number above 0, at most 1".
std::string WhatBelongs(const Choice& choice);

// What a text, such as a flag's, means as a value; the text itself if it is not of the choice's kind.
ChoiceValue ValueOfText(const Choice& choice, const std::string& text);

// The value in the one form that its kind has, or nothing if it does not belong there: a whole number is a real one,
// too.
std::optional<ChoiceValue> Fitted(const Choice& choice, const ChoiceValue& value);

// "0 is not a whole number from 1 to 100". Empty if the value belongs there.
std::string ExplainMisfit(const Choice& choice, const ChoiceValue& value);

// "proxy", "0.1", "yes".
std::string TextOf(const ChoiceValue& value);

// What this value of the choice means; of a number, what the choice means.
std::string_view MeaningOf(const Choice& choice, const ChoiceValue& value);

}  // namespace flaim
