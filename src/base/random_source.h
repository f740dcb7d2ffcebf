#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "base/check.h"

namespace flaim {

// A stream of uniform random bytes, passed in wherever randomness is needed. Not thread-safe: one source per thread.
//
// Two kinds exist. SecureRandomSource is for every release of private data. SeededRandomSource repeats itself on
// purpose: it is for research and tests, and everything drawn from it is stamped with its Provenance().
class RandomSource {
 public:
  RandomSource(const RandomSource&) = delete;
  RandomSource& operator=(const RandomSource&) = delete;
  virtual ~RandomSource() = default;

  // "secure", or for a seeded source a text that says so and names the seed. Recorded beside each release.
  virtual std::string Provenance() const = 0;
  // True only for a source whose output an adversary cannot predict.
  virtual bool IsSecure() const = 0;

  std::uint64_t NextU64() {
    if (pool_->remaining < sizeof(std::uint64_t)) [[unlikely]]
      Refill();
    std::uint64_t value;
    std::byte* next = pool_->bytes + kPoolBytes - pool_->remaining;
    std::memcpy(&value, next, sizeof value);
    std::memset(next, 0, sizeof value);  // a byte that was handed out is not kept
    pool_->remaining -= sizeof value;
    return value;
  }

  // Uniform in {0, ..., bound - 1}, without bias. REQUIRES: bound > 0.
  std::uint64_t NextBelow(std::uint64_t bound);

  // Uniform in [0, 1) with 53 random bits. For synthetic rows and simulated schedules, never for noise on counts.
  double NextUnit() { return static_cast<double>(NextU64() >> 11) * 0x1p-53; }

  void Fill(std::span<std::byte> out);

 protected:
  static constexpr std::size_t kPoolBytes = 4032;

  // Bytes that are drawn but not yet handed out: the last `remaining` of `bytes`. All-zero memory is a valid empty
  // pool, so a page that the kernel wipes on fork() simply asks to be refilled.
  struct Pool {
    std::size_t remaining;
    std::byte bytes[kPoolBytes];
  };

  // The derived class owns the memory of its pool, which outlives the base.
  explicit RandomSource(Pool* pool) : pool_(pool) {}

  // Fills all of pool.bytes with fresh output. Called when the pool is empty.
  virtual void Generate(Pool& pool) = 0;

 private:
  void Refill() {
    Generate(*pool_);
    pool_->remaining = kPoolBytes;
  }

  Pool* pool_;
};

}  // namespace flaim
