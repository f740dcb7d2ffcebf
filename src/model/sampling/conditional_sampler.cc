#include "model/sampling/conditional_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace flaim {
namespace {

constexpr std::int64_t kOutcomesMax = std::int64_t{1} << 32;

// The outcomes of one state, laid out on [0, length).
class Ruler {
 public:
  Ruler(std::span<const double> cumulative, double length) : cumulative_(cumulative), length_(length) {}

  double End(std::size_t outcome) const { return cumulative_[outcome] * length_; }
  double Begin(std::size_t outcome) const { return outcome == 0 ? 0 : End(outcome - 1); }

  // The outcome at a point, which an outcome of length zero never is. REQUIRES: the point is below the length, and not
  // before the beginning of `first`.
  std::size_t Find(double point, std::size_t first) const {
    std::size_t step = 1;
    while (first + step < cumulative_.size() && End(first + step - 1) <= point) {
      first += step;
      step *= 2;
    }
    return FindWithin(point, first, std::min(first + step, cumulative_.size()));
  }

  std::size_t FindWithin(double point, std::size_t first, std::size_t last) const {
    std::size_t count = last - first;
    while (count > 1) {
      const std::size_t half = count / 2;
      first += End(first + half - 1) <= point ? half : 0;
      count -= half;
    }
    return first;
  }

 private:
  std::span<const double> cumulative_;
  double length_;
};

// Bounded numbers from half a random word each: as RandomSource::NextBelow(), at half the price.
class HalfWords {
 public:
  explicit HalfWords(RandomSource& random) : random_(random) {}

  // Uniform in {0, ..., bound - 1}, without bias. REQUIRES: 0 < bound < 2^32.
  std::uint32_t NextBelow(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{Next()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t rejected_below = (0 - bound) % bound;
      while (static_cast<std::uint32_t>(product) < rejected_below) product = std::uint64_t{Next()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  std::uint32_t Next() {
    word_ = has_half_ ? word_ >> 32 : random_.NextU64();
    has_half_ = !has_half_;
    return static_cast<std::uint32_t>(word_);
  }

  RandomSource& random_;
  std::uint64_t word_ = 0;
  bool has_half_ = false;
};

void Shuffle(std::span<std::uint32_t> values, RandomSource& random) {
  HalfWords words(random);
  for (auto i = static_cast<std::uint32_t>(values.size()); i > 1; --i) {
    std::swap(values[i - 1], values[words.NextBelow(i)]);
  }
}

}  // namespace

ConditionalSampler::ConditionalSampler(std::span<const double> joint, std::int64_t outcomes)
    : outcomes_(outcomes),
      states_(std::ssize(joint) / outcomes),
      cumulative_(std::make_unique_for_overwrite<double[]>(joint.size())) {
  CHECK(outcomes_ >= 1 && outcomes_ <= kOutcomesMax && states_ * outcomes_ == std::ssize(joint));
  for (std::int64_t state = 0; state < states_; ++state) {
    const double* const weights = joint.data() + state * outcomes_;
    double* const cumulative = cumulative_.get() + state * outcomes_;
    double sum = 0;
    for (std::int64_t outcome = 0; outcome < outcomes_; ++outcome) cumulative[outcome] = sum += weights[outcome];
    if (sum == 0) continue;
    for (std::int64_t outcome = 0; outcome < outcomes_; ++outcome) cumulative[outcome] /= sum;
  }
}

std::span<const double> ConditionalSampler::CumulativeOf(std::uint32_t state) const {
  const std::span cumulative(cumulative_.get() + state * outcomes_, outcomes_);
  CHECK(state < states_ && cumulative.back() == 1, "no outcome is possible");
  return cumulative;
}

std::uint32_t ConditionalSampler::Draw(std::uint32_t state, RandomSource& random) const {
  const Ruler ruler(CumulativeOf(state), 1);
  return static_cast<std::uint32_t>(ruler.FindWithin(random.NextUnit(), 0, outcomes_));
}

void ConditionalSampler::DrawRounded(std::uint32_t state, std::span<std::uint32_t> drawn, RandomSource& random) const {
  const std::size_t length = drawn.size();
  if (length == 1) {
    drawn[0] = Draw(state, random);
    return;
  }
  const Ruler ruler(CumulativeOf(state), static_cast<double>(length));

  std::size_t entering = ruler.Find(0, 0);
  double begun = 0;              // a: how much of `entering` lay in the interval where it began
  bool was_drawn_there = false;  // and whether that interval drew it
  for (std::size_t k = 0; k < length;) {
    const double end = ruler.End(entering);
    const auto covered = static_cast<std::size_t>(end);
    if (covered > k) {
      std::fill(drawn.begin() + k, drawn.begin() + covered, static_cast<std::uint32_t>(entering));
      k = covered;
      if (k == length) break;
    }
    const double left = static_cast<double>(k);
    const double right = left + 1;
    const double rest = end - left;  // b
    const double again =
        was_drawn_there ? std::max(0.0, (begun + rest - 1) / begun) : std::min(1.0, rest / (1 - begun));
    const double unit = random.NextUnit();
    std::size_t outcome = entering;
    if (unit >= again) {
      const double point = end + (unit - again) / (1 - again) * (right - end);
      outcome = ruler.Find(point < right ? point : std::nextafter(right, 0.0), entering + 1);
    }
    drawn[k++] = static_cast<std::uint32_t>(outcome);
    if (k == length) break;
    entering = ruler.Find(right, std::max(outcome, entering + 1));
    begun = right - ruler.Begin(entering);
    was_drawn_there = outcome == entering;
  }
  Shuffle(drawn, random);
}

}  // namespace flaim
