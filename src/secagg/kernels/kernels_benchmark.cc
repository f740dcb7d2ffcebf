#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "base/seeded_random_source.h"
#include "secagg/crypto/key_agreement.h"
#include "secagg/crypto/key_derivation.h"
#include "secagg/crypto/mask_stream.h"
#include "secagg/crypto/mask_stream_testing.h"
#include "secagg/crypto/shamir.h"
#include "secagg/crypto/signature.h"
#include "secagg/kernels/field61.h"
#include "secagg/kernels/field61_testing.h"
#include "secagg/kernels/packing.h"
#include "secagg/kernels/packing_testing.h"

namespace flaim::secagg {
namespace {

constexpr std::size_t kWords = 1000000;
// What ChooseGraph gives for a thousand participants.
constexpr int kThreshold = 37;
constexpr std::size_t kNeighbours = 52;

template <typename Word>
std::vector<Word> RandomWords(std::size_t count) {
  SeededRandomSource random(1);
  std::vector<Word> words(count);
  random.Fill(std::as_writable_bytes(std::span(words)));
  return words;
}

Secret32 RandomSecret(RandomSource& random) {
  Secret32 secret;
  random.Fill(std::as_writable_bytes(secret.bytes()));
  return secret;
}

template <typename Word, MaskCipher kCipher, bool kNaive>
void Mask(benchmark::State& state) {
  SeededRandomSource random(2);
  const Secret32 seed = RandomSecret(random);
  std::vector<Word> words = RandomWords<Word>(kWords);
  for ([[maybe_unused]] auto _ : state) {
    if constexpr (kNaive) {
      ApplyMaskNaive(kCipher, seed, MaskSign::kAdd, std::span(words));
    } else {
      ApplyMask(kCipher, seed, MaskSign::kAdd, std::span(words));
    }
    benchmark::DoNotOptimize(words.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kWords * sizeof(Word)));
}
BENCHMARK(Mask<std::uint32_t, MaskCipher::kAes128Ctr, false>)->Name("ApplyMask/aes/32")->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint32_t, MaskCipher::kAes128Ctr, true>)
    ->Name("ApplyMaskNaive/aes/32")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint64_t, MaskCipher::kAes128Ctr, false>)->Name("ApplyMask/aes/64")->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint64_t, MaskCipher::kAes128Ctr, true>)
    ->Name("ApplyMaskNaive/aes/64")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint32_t, MaskCipher::kChaCha20, false>)
    ->Name("ApplyMask/chacha/32")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint32_t, MaskCipher::kChaCha20, true>)
    ->Name("ApplyMaskNaive/chacha/32")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint64_t, MaskCipher::kChaCha20, false>)
    ->Name("ApplyMask/chacha/64")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(Mask<std::uint64_t, MaskCipher::kChaCha20, true>)
    ->Name("ApplyMaskNaive/chacha/64")
    ->Unit(benchmark::kMicrosecond);

void PackWords(benchmark::State& state) {
  const int bits = static_cast<int>(state.range(0));
  const std::vector<std::uint32_t> words = RandomWords<std::uint32_t>(kWords);
  std::vector<std::uint8_t> packed(PackedBytes(kWords, bits));
  for ([[maybe_unused]] auto _ : state) {
    Pack(words, bits, packed);
    benchmark::DoNotOptimize(packed.data());
  }
}
BENCHMARK(PackWords)->Name("Pack/32")->ArgName("bits")->Arg(20)->Arg(32)->Unit(benchmark::kMicrosecond);

void PackWordsNaive(benchmark::State& state) {
  const int bits = static_cast<int>(state.range(0));
  const std::vector<std::uint64_t> words = RandomWords<std::uint64_t>(kWords);
  std::vector<std::uint8_t> packed(PackedBytes(kWords, bits));
  for ([[maybe_unused]] auto _ : state) {
    PackNaive(words, bits, packed);
    benchmark::DoNotOptimize(packed.data());
  }
}
BENCHMARK(PackWordsNaive)->Name("PackNaive/64")->ArgName("bits")->Arg(20)->Arg(32)->Unit(benchmark::kMicrosecond);

template <typename Word>
void AddPackedWords(benchmark::State& state) {
  const int bits = static_cast<int>(state.range(0));
  const std::vector<std::uint8_t> packed = RandomWords<std::uint8_t>(PackedBytes(kWords, bits));
  std::vector<Word> sums(kWords);
  for ([[maybe_unused]] auto _ : state) {
    AddPacked(packed, bits, std::span(sums));
    benchmark::DoNotOptimize(sums.data());
  }
}
BENCHMARK(AddPackedWords<std::uint32_t>)
    ->Name("AddPacked/32")
    ->ArgName("bits")
    ->Arg(20)
    ->Arg(32)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(AddPackedWords<std::uint64_t>)
    ->Name("AddPacked/64")
    ->ArgName("bits")
    ->Arg(32)
    ->Arg(60)
    ->Arg(64)
    ->Unit(benchmark::kMicrosecond);

void AddPackedWordsNaive(benchmark::State& state) {
  const int bits = static_cast<int>(state.range(0));
  const std::vector<std::uint8_t> packed = RandomWords<std::uint8_t>(PackedBytes(kWords, bits));
  std::vector<std::uint64_t> sums(kWords);
  for ([[maybe_unused]] auto _ : state) {
    AddPackedNaive(packed, bits, sums);
    benchmark::DoNotOptimize(sums.data());
  }
}
BENCHMARK(AddPackedWordsNaive)
    ->Name("AddPackedNaive/64")
    ->ArgName("bits")
    ->Arg(20)
    ->Arg(32)
    ->Arg(64)
    ->Unit(benchmark::kMicrosecond);

std::vector<std::uint64_t> PointsUpTo(std::size_t count) {
  std::vector<std::uint64_t> points(count);
  std::iota(points.begin(), points.end(), std::uint64_t{1});
  return points;
}

template <auto kEvaluate>
void Evaluate(benchmark::State& state) {
  std::vector<std::uint64_t> coefficients = RandomWords<std::uint64_t>(kThreshold);
  for (std::uint64_t& coefficient : coefficients) coefficient %= kFieldPrime;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(kEvaluate(coefficients, coefficients[0]));
}
BENCHMARK(Evaluate<FieldEvaluate>)->Name("FieldEvaluate/37");
BENCHMARK(Evaluate<FieldEvaluateNaive>)->Name("FieldEvaluateNaive/37");

template <auto kLagrange>
void Lagrange(benchmark::State& state) {
  const std::vector<std::uint64_t> points = PointsUpTo(kThreshold);
  std::vector<std::uint64_t> coefficients(points.size());
  for ([[maybe_unused]] auto _ : state) {
    kLagrange(points, coefficients);
    benchmark::DoNotOptimize(coefficients.data());
  }
}
BENCHMARK(Lagrange<LagrangeAtZero>)->Name("LagrangeAtZero/37")->Unit(benchmark::kMicrosecond);
BENCHMARK(Lagrange<LagrangeAtZeroNaive>)->Name("LagrangeAtZeroNaive/37")->Unit(benchmark::kMicrosecond);

void ShamirSplit(benchmark::State& state) {
  SeededRandomSource random(3);
  const Secret32 secret = RandomSecret(random);
  const std::vector<SharePoint> points = PointsUpTo(kNeighbours);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(SplitSecret(secret, kThreshold, points, random));
}
BENCHMARK(ShamirSplit)->Name("SplitSecret/37of52")->Unit(benchmark::kMicrosecond);

void ShamirCombine(benchmark::State& state) {
  SeededRandomSource random(4);
  const std::vector<SharePoint> points = PointsUpTo(kNeighbours);
  const std::vector<Share> shares = SplitSecret(RandomSecret(random), kThreshold, points, random);
  std::vector<HeldShare> held;
  for (std::size_t i = 0; i < kThreshold; ++i) held.push_back({points[i], &shares[i]});
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(CombineShares(held));
}
BENCHMARK(ShamirCombine)->Name("CombineShares/37of52")->Unit(benchmark::kMicrosecond);

void Agreement(benchmark::State& state) {
  SeededRandomSource random(5);
  const AgreementKey mine = AgreementKey::Generate(random);
  const AgreementKey theirs = AgreementKey::Generate(random);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(mine.Agree(theirs.public_key()));
}
BENCHMARK(Agreement)->Name("X25519Agree")->Unit(benchmark::kMicrosecond);

void Derivation(benchmark::State& state) {
  SeededRandomSource random(6);
  const Secret32 secret = RandomSecret(random);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(DeriveKey32(secret, AsBytes("a session of 32 bytes, as it were"), AsBytes("mask")));
  }
}
BENCHMARK(Derivation)->Name("HkdfDeriveKey32")->Unit(benchmark::kMicrosecond);

void Verification(benchmark::State& state) {
  SeededRandomSource random(7);
  const SigningKey key = SigningKey::Generate(random);
  const Bytes message(32);
  const Signature signature = key.Sign(message);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(IsSignedBy(key.verifying_key(), message, signature));
}
BENCHMARK(Verification)->Name("Ed25519Verify")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace flaim::secagg
