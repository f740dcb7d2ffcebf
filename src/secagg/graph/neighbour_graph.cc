#include "secagg/graph/neighbour_graph.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/sodium_library.h"

namespace flaim::secagg {
namespace {

// Little-endian words of the ChaCha20 key stream (RFC 8439) under a public key.
class PublicWords {
 public:
  explicit PublicWords(const Digest& seed) : seed_(seed) {}

  // Uniform in {0, ..., bound - 1}, without bias (Lemire's multiply-shift with rejection). REQUIRES: bound > 0.
  std::uint32_t NextBelow(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{Next()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t rejected_below = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < rejected_below) product = std::uint64_t{Next()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  static constexpr std::size_t kBlockBytes = 64;
  static constexpr std::size_t kBlocks = 64;
  static constexpr std::array<std::uint8_t, crypto_stream_chacha20_ietf_NONCEBYTES> kNonce = {'n', 'e', 'i', 'g', 'h',
                                                                                              'b', 'o', 'u', 'r'};

  std::uint32_t Next() {
    if (used_ == buffer_.size()) Refill();
    std::uint32_t word = 0;
    for (int byte = 0; byte < 4; ++byte) word |= std::uint32_t{buffer_[used_++]} << (8 * byte);
    return word;
  }

  void Refill() {
    buffer_.fill(0);
    crypto_stream_chacha20_ietf_xor_ic(buffer_.data(), buffer_.data(), buffer_.size(), kNonce.data(), block_,
                                       seed_.data());
    block_ += kBlocks;
    used_ = 0;
  }

  Digest seed_;
  std::uint32_t block_ = 0;
  std::array<std::uint8_t, kBlockBytes * kBlocks> buffer_{};
  std::size_t used_ = buffer_.size();
};

}  // namespace

std::vector<int> RandomOrder(int participants, const Digest& seed) {
  InitialiseSodium();
  std::vector<int> order(participants);
  std::iota(order.begin(), order.end(), 0);
  PublicWords words(seed);
  for (int place = participants - 1; place > 0; --place) {
    std::swap(order[place], order[words.NextBelow(static_cast<std::uint32_t>(place) + 1)]);
  }
  return order;
}

NeighbourGraph::NeighbourGraph(int participants, int degree, const Digest& seed)
    : degree_(degree), at_place_(RandomOrder(participants, seed)), place_of_(participants) {
  CHECK(participants >= 1 && degree >= 0 && degree < participants, "{} participants, degree {}", participants, degree);
  CHECK(degree % 2 == 0 || degree == participants - 1, "{} participants, degree {}", participants, degree);
  for (int place = 0; place < participants; ++place) place_of_[at_place_[place]] = place;
}

std::vector<int> NeighbourGraph::NeighboursOf(int rank) const {
  CHECK(rank >= 0 && rank < participants(), "rank {} of {}", rank, participants());
  std::vector<int> neighbours;
  neighbours.reserve(degree_);
  if (degree_ == participants() - 1) {
    for (int other = 0; other < participants(); ++other) {
      if (other != rank) neighbours.push_back(other);
    }
    return neighbours;
  }
  for (int step = 1; step <= degree_ / 2; ++step) {
    const int after = place_of_[rank] + step;
    const int before = place_of_[rank] - step;
    neighbours.push_back(at_place_[after < participants() ? after : after - participants()]);
    neighbours.push_back(at_place_[before >= 0 ? before : before + participants()]);
  }
  std::sort(neighbours.begin(), neighbours.end());
  return neighbours;
}

}  // namespace flaim::secagg
