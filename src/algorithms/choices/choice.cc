#include "algorithms/choices/choice.h"

#include <algorithm>
#include <cmath>

#include "base/overloaded.h"
#include "fmt/format.h"
#include "io/message_text.h"
#include "io/number_text.h"

namespace flaim {
namespace {

std::vector<std::string_view> NamesIn(const Names& names) {
  std::vector<std::string_view> all;
  for (const NamedValue& value : names.values) all.push_back(value.name);
  return all;
}

const NamedValue* Find(const Names& names, const ChoiceValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return nullptr;
  const auto found = std::find_if(names.values.begin(), names.values.end(),
                                  [&](const NamedValue& candidate) { return candidate.name == *text; });
  return found == names.values.end() ? nullptr : &*found;
}

std::optional<double> RealOf(const RealNumbers& kind, const ChoiceValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && kind.is_text ? ParseReal(*text) : std::nullopt;
}

bool Contains(const RealNumbers& kind, double number) {
  return std::isfinite(number) && (kind.has_low ? number >= kind.low : number > kind.low) &&
         (kind.has_high ? number <= kind.high : number < kind.high);
}

std::string Described(const RealNumbers& kind) {
  if (kind.has_low && kind.has_high) return fmt::format("a number from {} to {}", kind.low, kind.high);
  return fmt::format("a number {} {}, {} {}", kind.has_low ? "from" : "above", kind.low,
                     kind.has_high ? "at most" : "below", kind.high);
}

std::string Quoted(const ChoiceValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return QuoteForMessage(*text);
  return std::visit([](const auto& each) { return fmt::format("{}", each); }, value);
}

}  // namespace

std::string FieldName(const Choice& choice) {
  std::string name(choice.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string WhatBelongs(const Choice& choice) {
  return std::visit(
      Overloaded{
          [](const Names& kind) { return fmt::format("one of {}", fmt::join(NamesIn(kind), ", ")); },
          [](const WholeNumbers& kind) { return fmt::format("a whole number from {} to {}", kind.least, kind.most); },
          [](const RealNumbers& kind) { return Described(kind); }},
      choice.kind);
}

ChoiceValue ValueOfText(const Choice& choice, const std::string& text) {
  if (std::holds_alternative<WholeNumbers>(choice.kind)) {
    if (const auto whole = ParseInteger(text)) return *whole;
  } else if (std::holds_alternative<RealNumbers>(choice.kind)) {
    if (const auto real = ParseReal(text)) return *real;
  }
  return text;
}

std::optional<ChoiceValue> Fitted(const Choice& choice, const ChoiceValue& value) {
  const auto as_it_is = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
  return std::visit(Overloaded{[&](const Names& kind) { return as_it_is(Find(kind, value) != nullptr); },
                               [&](const WholeNumbers& kind) {
                                 const auto* whole = std::get_if<std::int64_t>(&value);
                                 return as_it_is(whole != nullptr && *whole >= kind.least && *whole <= kind.most);
                               },
                               [&](const RealNumbers& kind) -> std::optional<ChoiceValue> {
                                 const std::optional<double> real = RealOf(kind, value);
                                 if (!real || !Contains(kind, *real)) return std::nullopt;
                                 return *real;
                               }},
                    choice.kind);
}

std::string ExplainMisfit(const Choice& choice, const ChoiceValue& value) {
  if (Fitted(choice, value)) return "";
  std::string why = fmt::format("{} is not {}", Quoted(value), WhatBelongs(choice));
  const auto* names = std::get_if<Names>(&choice.kind);
  const auto* text = std::get_if<std::string>(&value);
  if (names == nullptr || text == nullptr) return why;
  return fmt::format("{}.{}", why, SuggestNearest(*text, NamesIn(*names)));
}

std::string TextOf(const ChoiceValue& value) {
  return std::visit(
      Overloaded{[](const std::string& text) { return text; }, [](bool yes) { return std::string(yes ? "yes" : "no"); },
                 [](auto number) { return fmt::format("{:g}", static_cast<double>(number)); }},
      value);
}

std::string_view MeaningOf(const Choice& choice, const ChoiceValue& value) {
  const auto* names = std::get_if<Names>(&choice.kind);
  return names == nullptr ? choice.meaning : Find(*names, value)->meaning;
}

}  // namespace flaim
