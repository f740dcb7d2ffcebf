#include "privacy/samplers/lazy_uniform.h"

#include <cstdint>

#include "base/check.h"

namespace flaim {
namespace {

constexpr mpfr_prec_t kWordBits = 64;
static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));  // NOLINT(google-runtime-int): MPFR's own type

// Exact. REQUIRES: result has at least 128 bits.
void SetInteger(UInt128 value, mpfr_ptr result) {
  mpfr_set_ui_2exp(result, static_cast<std::uint64_t>(value >> kWordBits), kWordBits, MPFR_RNDN);
  mpfr_add_ui(result, result, static_cast<std::uint64_t>(value), MPFR_RNDN);
}

// MPFR keeps constants such as log 2 for each thread; a thread that ends gives them back.
struct ConstantsOfThisThread {
  ConstantsOfThisThread() = default;
  ~ConstantsOfThisThread() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  ConstantsOfThisThread(const ConstantsOfThisThread&) = delete;
  ConstantsOfThisThread& operator=(const ConstantsOfThisThread&) = delete;
};

}  // namespace

Enclosure::Enclosure(mpfr_prec_t precision_bits) {
  CHECK(precision_bits >= kWordBits);
  mpfr_init2(&lower_, precision_bits);
  mpfr_init2(&upper_, precision_bits);
}

Enclosure::~Enclosure() {
  mpfr_clear(&lower_);
  mpfr_clear(&upper_);
}

void EncloseExp(const WideRational& gamma, Enclosure& result) {
  Enclosure terms(2 * kWordBits);
  SetInteger(gamma.numerator, terms.lower());
  SetInteger(gamma.denominator, terms.upper());
  mpfr_neg(terms.lower(), terms.lower(), MPFR_RNDN);
  mpfr_div(result.lower(), terms.lower(), terms.upper(), MPFR_RNDD);
  mpfr_div(result.upper(), terms.lower(), terms.upper(), MPFR_RNDU);
  mpfr_exp(result.lower(), result.lower(), MPFR_RNDD);
  mpfr_exp(result.upper(), result.upper(), MPFR_RNDU);
}

void MultiplyByInteger(UInt128 factor, Enclosure& result) {
  Enclosure exact(2 * kWordBits);
  SetInteger(factor, exact.lower());
  mpfr_mul(result.lower(), result.lower(), exact.lower(), MPFR_RNDD);
  mpfr_mul(result.upper(), result.upper(), exact.lower(), MPFR_RNDU);
}

void DivideByOneMinus(Enclosure& subtrahend, Enclosure& result) {
  Enclosure difference(subtrahend.precision_bits());
  mpfr_ui_sub(difference.lower(), 1, subtrahend.upper(), MPFR_RNDD);
  mpfr_ui_sub(difference.upper(), 1, subtrahend.lower(), MPFR_RNDU);
  mpfr_div(result.lower(), result.lower(), difference.upper(), MPFR_RNDD);
  mpfr_div(result.upper(), result.upper(), difference.lower(), MPFR_RNDU);
}

bool UniformIsBelow(UInt128 start, const EncloseReal& enclose, RandomSource& random) {
  const thread_local ConstantsOfThisThread constants;
  // After r rounds, Y * 2^(64 r) lies in [known.lower, known.upper] = [d, d + 1] for an integer d.
  Enclosure known(2 * kWordBits);
  SetInteger(start, known.lower());
  for (mpfr_prec_t round = 1;; ++round) {
    const mpfr_prec_t precision_bits = (round + 3) * kWordBits;
    mpfr_prec_round(known.lower(), precision_bits, MPFR_RNDN);
    mpfr_set_prec(known.upper(), precision_bits);
    mpfr_mul_2ui(known.lower(), known.lower(), kWordBits, MPFR_RNDN);
    mpfr_add_ui(known.lower(), known.lower(), random.NextU64(), MPFR_RNDN);
    mpfr_add_ui(known.upper(), known.lower(), 1, MPFR_RNDN);

    Enclosure target(precision_bits);
    enclose(target);
    mpfr_mul_2si(target.lower(), target.lower(), round * kWordBits, MPFR_RNDD);
    mpfr_mul_2si(target.upper(), target.upper(), round * kWordBits, MPFR_RNDU);

    const bool is_below = mpfr_lessequal_p(known.upper(), target.lower()) != 0;
    const bool is_above = mpfr_greaterequal_p(known.lower(), target.upper()) != 0;
    if (is_below || is_above) return is_below;
  }
}

}  // namespace flaim
