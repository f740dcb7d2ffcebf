#pragma once

#include <string>
#include <vector>

#include "data/schema/schema.h"
#include "data/table/table.h"

namespace flaim {

// Two tables that differ by one record, made up so that the record is as easy to find as can be.
struct Canary {
  std::string name;
  std::string why;  // a phrase: what makes it easy to find
  Table without;
  Table with;  // the record is the last row
  std::vector<std::uint32_t> record;
  // Whether a method is to spend nearly all on choices: then it is choices that give the record away.
  bool is_about_choices = false;
  // Whether there are many other clients, whose rows the attacker knows: among_others.h.
  bool is_among_others = false;
};

// The schema of AllCanaries: three columns of two values each, one that clamps and one with an `other`. With equal
// halves, noise in the one-ways moves all scores of pairs alike, so that choices stay open.
const Schema& CanarySchema();

// Alone in its cells; opposed scores; the empty table; clamped and `other`.
std::vector<Canary> AllCanaries();

// "opposed" for clients that choose by themselves, by scores of AugFLAIM. These compare a client's rows with
// everybody's shares twice, and the record moves the two distances in opposite directions: for the first two of four
// columns the marginal's grows by 1.75 and the one-ways' shrink by 1.75, for the last two it is the other way round.
// The most that there can be is 2 each.
Canary OpposedAtHome();

// REQUIRES: one of the names of AllCanaries.
Canary FindCanary(const std::string& name);

}  // namespace flaim
