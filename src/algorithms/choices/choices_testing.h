#pragma once

#include <limits>
#include <string>
#include <vector>

#include "algorithms/choices/choices.h"
#include "base/random_source.h"

// For tests only: values of a choice, whatever its kind.
namespace flaim {

template <typename... Cases>
struct Either : Cases... {
  using Cases::operator()...;
};

// Values that belong there, the outermost among them.
inline std::vector<ChoiceValue> InsideOf(const Choice& choice) {
  return std::visit(Either{[](const Names& kind) {
                             std::vector<ChoiceValue> values;
                             for (const NamedValue& value : kind.values) values.emplace_back(std::string(value.name));
                             return values;
                           },
                           [](const WholeNumbers& kind) -> std::vector<ChoiceValue> {
                             return {kind.least, kind.most};
                           },
                           [](const RealNumbers& kind) -> std::vector<ChoiceValue> {
                             const double step = kind.high / 1e6;
                             return {kind.has_low ? kind.low : kind.low + step, kind.high / 2,
                                     kind.has_high ? kind.high : kind.high - step};
                           }},
                    choice.kind);
}

// Values that do not: just beyond the bounds, and of other kinds.
inline std::vector<ChoiceValue> OutsideOf(const Choice& choice) {
  return std::visit(Either{[](const Names&) -> std::vector<ChoiceValue> {
                             return {"strange", "", 1, true};
                           },
                           [](const WholeNumbers& kind) -> std::vector<ChoiceValue> {
                             return {kind.least - 1, kind.most + 1, 1.5,
                                     "some",         true,          std::numeric_limits<std::int64_t>::max()};
                           },
                           [](const RealNumbers& kind) -> std::vector<ChoiceValue> {
                             const double step = kind.high / 1e6;
                             return {kind.has_low ? kind.low - step : kind.low,
                                     kind.has_high ? kind.high + step : kind.high, "some", true};
                           }},
                    choice.kind);
}

inline ChoiceValue SampleOf(const Choice& choice) { return InsideOf(choice).back(); }

inline ChoiceValue RandomValueOf(const Choice& choice, RandomSource& random) {
  return std::visit(Either{[&](const Names& kind) -> ChoiceValue {
                             return std::string(kind.values[random.NextBelow(kind.values.size())].name);
                           },
                           [&](const WholeNumbers& kind) -> ChoiceValue {
                             return kind.least +
                                    static_cast<int>(random.NextBelow(static_cast<std::uint64_t>(kind.most)));
                           },
                           [&](const RealNumbers& kind) -> ChoiceValue {
                             return kind.low + (kind.high - kind.low) * (random.NextUnit() + 1e-3) / 1.01;
                           }},
                    choice.kind);
}

}  // namespace flaim
