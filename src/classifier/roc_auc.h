#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace flaim {

// The area under the ROC curve: the probability that a positive drawn at random has a higher score than a negative
// drawn at random, where equal scores count half. Exact: from ranks, without a grid of thresholds. Only the order of
// the scores matters. InvalidArgument without at least one row of each kind. REQUIRES: one score for each row, none of
// them NaN.
absl::StatusOr<double> RocAuc(std::span<const double> scores, std::span<const std::uint8_t> is_positive);

// For several classes: one against one, macro average (Hand and Till, 2001). For each pair of classes i < j, over the
// rows of these two classes: the mean of how well scores[i] tells i from j and how well scores[j] tells j from i. Then
// the mean over the pairs. Classes without rows are left out; two must be left. REQUIRES: scores[c] has one score for
// each row, none of them NaN; each class_of_row is below scores.size().
absl::StatusOr<double> OneVersusOneAuc(const std::vector<std::vector<double>>& scores,
                                       std::span<const std::uint32_t> class_of_row);

}  // namespace flaim
