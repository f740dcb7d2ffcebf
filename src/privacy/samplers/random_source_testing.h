#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/random_source.h"

// For tests only: random sources that a test can steer or watch.

namespace flaim {

// Hands out the given words, then zeros.
class ScriptedRandomSource final : public RandomSource {
 public:
  explicit ScriptedRandomSource(std::vector<std::uint64_t> words) : RandomSource(&storage_), words_(std::move(words)) {}

  std::string Provenance() const override { return "scripted (NOT PRIVATE)"; }
  bool IsSecure() const override { return false; }
  std::size_t words_used() const { return generated_ - storage_.remaining / sizeof(std::uint64_t); }

 private:
  void Generate(Pool& pool) override {
    std::memset(pool.bytes, 0, sizeof pool.bytes);
    constexpr std::size_t kPoolWords = kPoolBytes / sizeof(std::uint64_t);
    if (generated_ < words_.size()) {
      const std::size_t count = std::min(kPoolWords, words_.size() - generated_);
      std::memcpy(pool.bytes, words_.data() + generated_, count * sizeof(std::uint64_t));
    }
    generated_ += kPoolWords;
  }

  std::vector<std::uint64_t> words_;
  std::size_t generated_ = 0;
  Pool storage_{};
};

// Passes another source on and counts the words that it hands out.
class CountingRandomSource final : public RandomSource {
 public:
  explicit CountingRandomSource(RandomSource& inner) : RandomSource(&storage_), inner_(inner) {}

  std::string Provenance() const override { return inner_.Provenance(); }
  bool IsSecure() const override { return inner_.IsSecure(); }
  std::size_t words_used() const { return (generated_bytes_ - storage_.remaining) / sizeof(std::uint64_t); }

 private:
  void Generate(Pool& pool) override {
    inner_.Fill(pool.bytes);
    generated_bytes_ += kPoolBytes;
  }

  RandomSource& inner_;
  std::size_t generated_bytes_ = 0;
  Pool storage_{};
};

}  // namespace flaim
