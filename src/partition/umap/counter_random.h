#pragma once

#include <cstddef>
#include <cstdint>

namespace flaim {

// A few random numbers for one step of one point, from the numbers of step and point: so that results do not depend on
// which thread does what when. SplitMix64: fast, well mixed, predictable. For layouts and orders, never for noise.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t key, std::uint64_t step, std::uint64_t point)
      : state_(Mix(Mix(key + kIncrement * (step + 1)) + kIncrement * (point + 1))) {}

  std::uint64_t Next() { return Mix(state_ += kIncrement); }

  // Nearly uniform in {0, ..., bound - 1}: off by at most bound / 2^32. REQUIRES: 0 < bound <= 2^32.
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>((Next() >> 32) * bound >> 32); }

  // Uniform in [-1, 1]: rounding to a float can give 1 itself.
  float Signed() { return static_cast<float>(static_cast<double>(Next() >> 11) * 0x1p-52 - 1); }

 private:
  static constexpr std::uint64_t kIncrement = 0x9e3779b97f4a7c15;

  static std::uint64_t Mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }

  std::uint64_t state_;
};

}  // namespace flaim
