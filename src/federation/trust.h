#pragma once

#include <string>

namespace flaim {

// What the parties of a study must be trusted with: which operations of the port it may use.
struct TrustModel {
  bool sums = true;              // secure sums with noise inside: the server sees noisy sums only
  bool local_choices = false;    // the server sees which marginals single clients chose (at a price in privacy)
  bool compute_parties = false;  // parties of which enough are honest compute on secret shares of the sum

  bool operator==(const TrustModel&) const = default;
};

// In one line, for people.
std::string ToString(const TrustModel& trust);

}  // namespace flaim
