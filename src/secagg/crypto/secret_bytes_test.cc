#include "secagg/crypto/secret_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <type_traits>

namespace flaim::secagg {
namespace {

static_assert(!std::is_copy_constructible_v<Secret32> && !std::is_copy_assignable_v<Secret32>);
static_assert(std::is_nothrow_move_constructible_v<Secret32> && std::is_nothrow_move_assignable_v<Secret32>);

constexpr std::uint8_t kPlanted = 0x5a;

// Keeps the compiler from knowing what is in the memory, and so from leaving out stores or reads because an object's
// life has not begun or is over.
void Forget(void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

void Plant(Secret32& secret) { std::fill(secret.bytes().begin(), secret.bytes().end(), kPlanted); }

// Memory in which a secret is made and destroyed, and which outlives it.
class Storage {
 public:
  Storage() {
    std::fill(std::begin(memory_), std::end(memory_), std::uint8_t{0xcc});
    Forget(memory_);
  }

  Secret32* Make() { return new (memory_) Secret32(); }

  std::ptrdiff_t Count(std::uint8_t byte) {
    Forget(memory_);
    return std::count(std::begin(memory_), std::end(memory_), byte);
  }

 private:
  alignas(Secret32) std::uint8_t memory_[sizeof(Secret32)];
};

TEST(SecretBytes, StartsAsZeros) {
  Storage storage;
  storage.Make();
  EXPECT_EQ(storage.Count(0), 32);
}

TEST(SecretBytes, IsWipedWhenDestroyed) {
  Storage storage;
  Secret32* secret = storage.Make();
  Plant(*secret);
  ASSERT_EQ(storage.Count(kPlanted), 32);
  secret->~SecretBytes();
  EXPECT_EQ(storage.Count(0), 32);
}

TEST(SecretBytes, IsWipedWhenMovedFrom) {
  Storage storage;
  Secret32* secret = storage.Make();
  Plant(*secret);
  const Secret32 owner = std::move(*secret);
  EXPECT_EQ(storage.Count(0), 32);
  EXPECT_EQ(std::count(owner.bytes().begin(), owner.bytes().end(), kPlanted), 32);
}

TEST(SecretBytes, IsWipedWhenMoveAssignedFrom) {
  Storage storage;
  Secret32* secret = storage.Make();
  Plant(*secret);
  Secret32 owner;
  owner = std::move(*secret);
  EXPECT_EQ(storage.Count(0), 32);
  EXPECT_EQ(std::count(owner.bytes().begin(), owner.bytes().end(), kPlanted), 32);
}

TEST(SecretBytes, KeepsNothingOfWhatItHeldWhenAssignedTo) {
  Storage storage;
  Secret32* secret = storage.Make();
  Plant(*secret);
  *secret = Secret32();
  EXPECT_EQ(storage.Count(kPlanted), 0);
}

TEST(SecretBytes, KeepsItsBytesWhenAssignedToItself) {
  Secret32 secret;
  Plant(secret);
  Secret32& itself = secret;
  secret = std::move(itself);
  EXPECT_EQ(std::count(secret.bytes().begin(), secret.bytes().end(), kPlanted), 32);
}

TEST(SecretBytes, EqualsItsCloneUntilAnyByteDiffers) {
  Secret32 secret;
  Plant(secret);
  EXPECT_TRUE(secret.Equals(secret.Clone()));
  for (std::size_t i = 0; i < Secret32::kBytes; ++i) {
    Secret32 other = secret.Clone();
    other.bytes()[i] ^= 1;
    EXPECT_FALSE(secret.Equals(other));
  }
}

}  // namespace
}  // namespace flaim::secagg
