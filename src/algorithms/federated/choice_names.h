#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/methods/method.h"
#include "base/check.h"
#include "nlohmann/json.hpp"

namespace flaim {

// The choices that make up a federated method, under the names that flags and `flaim methods` give them.
template <typename Value>
struct NamedChoice {
  std::string_view name;
  Value value;
  std::string_view meaning;
};

// Whether one-way marginals of the workload are chosen like the others.
enum class OneWayCandidates : std::uint8_t { kKept, kFiltered };

// All values of a kind of choice: Selection, Heterogeneity, OneWays, OneWayCandidates, Weighting, Membership,
// Accounting, LocalStepping.
template <typename Value>
std::span<const NamedChoice<Value>> ChoicesOf();

template <typename Value>
const NamedChoice<Value>& ChoiceOf(Value value) {
  for (const NamedChoice<Value>& choice : ChoicesOf<Value>()) {
    if (choice.value == value) return choice;
  }
  CHECK(false, "a choice has no name");
}

// REQUIRES: one of the names.
template <typename Value>
Value ValueNamed(std::string_view name) {
  for (const NamedChoice<Value>& choice : ChoicesOf<Value>()) {
    if (choice.name == name) return choice.value;
  }
  CHECK(false, "'{}' is not a choice", std::string(name));
}

template <typename Value>
std::vector<std::string> NamesOf() {
  std::vector<std::string> names;
  for (const NamedChoice<Value>& choice : ChoicesOf<Value>()) names.emplace_back(choice.name);
  return names;
}

// One choice of a method as it is shown: the flag that overrides it, without its dashes.
struct ShownChoice {
  std::string flag;
  nlohmann::json value;
  std::string meaning;

  std::string ValueText() const;
};

// Whether anything is left to do after the one-way marginals.
bool HasRounds(const Method& method);

// Every choice that matters to the method, in the order of the flags.
std::vector<ShownChoice> ShownChoicesOf(const Method& method);

// Those in which a method differs from the preset of its name, e.g. "accounting paper, rounds 20"; empty if in none.
std::string ChangesFromPreset(const Method& method);

// What the parties must be trusted with, in one line. Unlike ToString(TrustModel) it knows of central methods.
std::string TrustInWords(const Method& method);

// Why the method is NOT private, in words; nothing if it is.
std::vector<std::string> ReasonsNotPrivate(const Method& method);

}  // namespace flaim
