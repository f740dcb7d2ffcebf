#pragma once

#include <memory>
#include <string>

#include "base/provenance.h"
#include "base/random_source.h"

namespace flaim {

// The only source for noise that protects people: ChaCha20 (libsodium), keyed from the operating system.
//
// Guarantees: the key is replaced with every refill, so a captured state does not reveal earlier output; the state
// lives in locked memory that is left out of core dumps, is wiped when handed out and when destroyed, and is wiped by
// the kernel in the child of a fork, which then draws a key of its own. Does not cover: a virtual machine that is
// snapshotted and resumed twice; and where locking is not permitted, the state may reach swap.
class SecureRandomSource final : public RandomSource {
 public:
  SecureRandomSource();
  ~SecureRandomSource() override;

  std::string Provenance() const override { return kSecureProvenance; }
  bool IsSecure() const override { return true; }

 private:
  struct State;
  explicit SecureRandomSource(State* state);
  void Generate(Pool& pool) override;

  State* state_;
};

}  // namespace flaim
