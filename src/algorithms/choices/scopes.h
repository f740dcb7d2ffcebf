#pragma once

#include "algorithms/choices/choice.h"

// Which methods a choice makes a difference to.
namespace flaim::scopes {

extern const Scope kEveryMethod;
extern const Scope kChoiceFromOwnRows;
extern const Scope kChoiceByClients;
extern const Scope kSeveralLocalSteps;
extern const Scope kScores;
extern const Scope kPool;
extern const Scope kCap;
extern const Scope kFixedRounds;
extern const Scope kAnnealedRounds;
extern const Scope kChooseThenMeasure;

}  // namespace flaim::scopes

namespace flaim {

// Whether anything is left to do after the one-way marginals.
bool HasRounds(const Method& method);

// Whether it is open how many: a pool that waits for everybody then does all in one round.
bool HasRoundsToChoose(const Method& method);

}  // namespace flaim
