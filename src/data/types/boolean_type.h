#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/types/encoded.h"

namespace flaim {

// The first spelling of each list is the one that is written.
struct BooleanSpec {
  std::vector<std::string> true_spellings = {"true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y", "t", "T", "1"};
  std::vector<std::string> false_spellings = {"false", "False", "FALSE", "no", "No", "NO", "n", "N", "f", "F", "0"};

  bool operator==(const BooleanSpec&) const = default;
};

// False is code 0, true is code 1.
class BooleanType {
 public:
  // Refuses an empty list and a spelling that occurs twice.
  static absl::StatusOr<BooleanType> Create(BooleanSpec spec);

  const BooleanSpec& spec() const { return spec_; }
  static std::uint32_t size() { return 2; }
  Encoded Encode(std::string_view text) const;
  void Decode(std::uint32_t code, RandomSource& random, std::string& out) const;

  bool operator==(const BooleanType&) const = default;

 private:
  explicit BooleanType(BooleanSpec spec) : spec_(std::move(spec)) {}

  BooleanSpec spec_;
};

}  // namespace flaim
