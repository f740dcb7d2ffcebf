#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// Rows of numbers, one after the other.
struct FeatureMatrix {
  std::vector<float> values;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

struct BoostedTreesOptions {
  int trees = 100;
  int depth = 4;
};

// XGBoost behind a safe face: its errors are Status, its handles are released, it runs on the calling thread alone and
// says nothing. An object is used by one thread at a time; several threads may each have their own.
class BoostedTrees {
 public:
  // REQUIRES: one class for each row, each below `classes`; at least one row, one column and two classes.
  static absl::StatusOr<BoostedTrees> Train(const FeatureMatrix& features, std::span<const std::uint32_t> class_of_row,
                                            int classes, const BoostedTreesOptions& options);
  BoostedTrees(BoostedTrees&&) noexcept;
  BoostedTrees& operator=(BoostedTrees&&) noexcept;
  ~BoostedTrees();

  // For each class one score for each row: the higher, the more likely. Scores of one class can be compared with each
  // other, but not those of different classes.
  absl::StatusOr<std::vector<std::vector<double>>> Scores(const FeatureMatrix& features);

 private:
  struct Booster;
  explicit BoostedTrees(std::unique_ptr<Booster> booster);

  std::unique_ptr<Booster> booster_;
};

}  // namespace flaim
