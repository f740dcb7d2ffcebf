#include "base/seeded_random_source.h"

#include <sodium.h>

#include "base/sodium_library.h"
#include "fmt/format.h"

namespace flaim {

SeededRandomSource::SeededRandomSource(std::uint64_t seed, std::string_view label)
    : RandomSource(&pool_storage_), seed_(seed) {
  static_assert(crypto_stream_chacha20_KEYBYTES == 32);
  InitialiseSodium();  // without it, the stream is the same but slow
  const std::string name = fmt::format("flaim seeded source {}: {}", seed, label);
  crypto_generichash(key_.data(), key_.size(), reinterpret_cast<const unsigned char*>(name.data()), name.size(),
                     nullptr, 0);
}

std::string SeededRandomSource::Provenance() const { return fmt::format("seeded:{} (NOT PRIVATE)", seed_); }

void SeededRandomSource::Generate(Pool& pool) {
  unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];
  static_assert(sizeof nonce == sizeof block_);
  for (std::size_t i = 0; i < sizeof nonce; ++i) nonce[i] = static_cast<unsigned char>(block_ >> (8 * i));
  ++block_;
  crypto_stream_chacha20(reinterpret_cast<unsigned char*>(pool.bytes), kPoolBytes, nonce, key_.data());
}

}  // namespace flaim
