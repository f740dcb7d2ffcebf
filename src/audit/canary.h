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
};

// The schema of all canaries: three columns of two values each, one that clamps and one with an `other`. With equal
// halves, noise in the one-ways moves all scores of pairs alike, so that choices stay open.
const Schema& CanarySchema();

// Alone in its cells; opposed scores; the empty table; clamped and `other`.
std::vector<Canary> AllCanaries();

// REQUIRES: one of their names.
Canary FindCanary(const std::string& name);

}  // namespace flaim
