#include "base/secure_random_source.h"

#include <sodium.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/sodium_library.h"

namespace flaim {

struct SecureRandomSource::State {
  Pool pool;
  bool keyed;
  unsigned char key[crypto_stream_chacha20_ietf_KEYBYTES];
};

namespace {

void* MapWipedOnFork(std::size_t size) {
  InitialiseSodium();
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED, "no memory for the random source");
  CHECK(madvise(memory, size, MADV_WIPEONFORK) == 0,
        "this kernel cannot wipe memory on fork (Linux 4.14 or later can)");
  madvise(memory, size, MADV_DONTDUMP);
  mlock(memory, size);  // best effort: an unprivileged limit may forbid it
  return memory;
}

}  // namespace

SecureRandomSource::SecureRandomSource() : SecureRandomSource(static_cast<State*>(MapWipedOnFork(sizeof(State)))) {}

SecureRandomSource::SecureRandomSource(State* state) : RandomSource(&state->pool), state_(state) {}

SecureRandomSource::~SecureRandomSource() {
  sodium_memzero(state_, sizeof(State));
  munmap(state_, sizeof(State));
}

void SecureRandomSource::Generate(Pool& pool) {
  if (!state_->keyed) {
    randombytes_buf(state_->key, sizeof state_->key);
    state_->keyed = true;
  }
  // One keystream under a key used once: its head becomes the next key, its tail the output. The nonce may be fixed
  // because no key ever sees a second message.
  constexpr unsigned char kNonce[crypto_stream_chacha20_ietf_NONCEBYTES] = {};
  unsigned char stream[sizeof state_->key + kPoolBytes];
  crypto_stream_chacha20_ietf(stream, sizeof stream, kNonce, state_->key);
  std::memcpy(state_->key, stream, sizeof state_->key);
  std::memcpy(pool.bytes, stream + sizeof state_->key, kPoolBytes);
  sodium_memzero(stream, sizeof stream);
}

}  // namespace flaim
