#pragma once

#include <mpfr.h>

#include <functional>

#include "base/int128.h"
#include "base/random_source.h"
#include "privacy/numbers/wide_rational.h"

namespace flaim {

// Two numbers of a given precision that hold a real number between them.
class Enclosure {
 public:
  // REQUIRES: precision_bits >= 64.
  explicit Enclosure(mpfr_prec_t precision_bits);
  ~Enclosure();
  Enclosure(const Enclosure&) = delete;
  Enclosure& operator=(const Enclosure&) = delete;

  mpfr_ptr lower() { return &lower_; }
  mpfr_ptr upper() { return &upper_; }
  mpfr_prec_t precision_bits() const { return mpfr_get_prec(&lower_); }

 private:
  __mpfr_struct lower_;
  __mpfr_struct upper_;
};

// The steps that build an enclosure, each rounded outward.
void EncloseExp(const WideRational& gamma, Enclosure& result);  // result holds exp(-gamma)
void MultiplyByInteger(UInt128 factor, Enclosure& result);
void DivideByOneMinus(Enclosure& subtrahend, Enclosure& result);  // REQUIRES: subtrahend holds a number in [0, 1)

// Encloses one fixed real number at the precision that `result` has.
using EncloseReal = std::function<void(Enclosure& result)>;

// Decides Y < x for a Y that is uniform on [start, start + 1) and a real x that `enclose` encloses: true with
// probability exactly x - start, clamped to [0, 1]. Draws 64 more bits of Y and encloses x more tightly until the
// enclosure lies on one side of all that Y can still be. The two are equal with probability 0, and each round leaves
// the question open with probability about 2^-64.
//
// MPFR's working memory is given back, but not wiped.
bool UniformIsBelow(UInt128 start, const EncloseReal& enclose, RandomSource& random);

}  // namespace flaim
