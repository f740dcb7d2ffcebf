#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/choices/choices.h"

namespace flaim {

// A choice of a method as it is shown.
struct ShownChoice {
  const Choice& choice;
  ChoiceValue value;
};

// Every choice that applies to the method, in the order of the table; those of yes or no where they are yes.
std::vector<ShownChoice> ShownChoicesOf(const Method& method);

// Those in which a method differs from the preset of its name, e.g. "accounting paper, rounds 20"; empty if in none.
std::string ChangesFromPreset(const Method& method);

// The value of one choice, e.g. "exact" of "accounting". REQUIRES: the method has a place for it.
std::string ChosenText(std::string_view name, const Method& method);

// What the parties must be trusted with, in one line. Unlike ToString(TrustModel) it knows of one table, and of an
// oracle.
std::string TrustInWords(const Method& method);

// Why the method is NOT private, in words; nothing if it is.
std::vector<std::string> ReasonsNotPrivate(const Method& method);

}  // namespace flaim
