#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/types/encoded.h"

namespace flaim {

struct CategoricalSpec {
  std::vector<std::string> values;
  // Where values that are not listed go. It need not be listed itself; then it takes the code after the last value.
  std::optional<std::string> other;

  bool operator==(const CategoricalSpec&) const = default;
};

// One of a list of texts, compared byte by byte. The code is the position in the list.
class CategoricalType {
 public:
  // Refuses an empty list and a repeated value.
  static absl::StatusOr<CategoricalType> Create(CategoricalSpec spec);

  const CategoricalSpec& spec() const;
  std::uint32_t size() const;
  // kNotListed carries the code of `other`, if there is one.
  Encoded Encode(std::string_view text) const;
  // Appends the value. The source is not used: all column types share this signature.
  void Decode(std::uint32_t code, RandomSource& random, std::string& out) const;

  bool operator==(const CategoricalType& that) const { return spec() == that.spec(); }

 private:
  struct Lookup;
  explicit CategoricalType(std::shared_ptr<const Lookup> lookup) : lookup_(std::move(lookup)) {}

  std::shared_ptr<const Lookup> lookup_;
};

}  // namespace flaim
