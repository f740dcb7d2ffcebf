#include "federation/trust.h"

namespace flaim {

std::string ToString(const TrustModel& trust) {
  if (trust.compute_parties) return "compute parties hold shares and do not collude; a release is noisy";
  if (trust.local_choices) return "secure sums; the server also sees noisy choices of single clients";
  return "secure sums only: the server sees nothing but noisy sums";
}

}  // namespace flaim
