#include "classifier/roc_auc.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

// The rows of two classes, and how well the scores of the first tell it from the second.
absl::StatusOr<double> PairAuc(const std::vector<double>& scores_of_first, std::uint32_t first, std::uint32_t second,
                               std::span<const std::uint32_t> class_of_row) {
  std::vector<double> scores;
  std::vector<std::uint8_t> is_positive;
  for (std::size_t row = 0; row < class_of_row.size(); ++row) {
    if (class_of_row[row] != first && class_of_row[row] != second) continue;
    scores.push_back(scores_of_first[row]);
    is_positive.push_back(class_of_row[row] == first);
  }
  return RocAuc(scores, is_positive);
}

}  // namespace

absl::StatusOr<double> RocAuc(std::span<const double> scores, std::span<const std::uint8_t> is_positive) {
  CHECK(scores.size() == is_positive.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });

  // In half pairs, so that all sums are whole numbers.
  std::uint64_t half_pairs_won = 0;
  std::uint64_t positives = 0;
  std::uint64_t negatives = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::uint64_t tied_positives = 0;
    std::size_t end = begin;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end) {
      tied_positives += is_positive[order[end]] != 0;
    }
    const std::uint64_t tied_negatives = end - begin - tied_positives;
    half_pairs_won += tied_positives * (2 * negatives + tied_negatives);
    positives += tied_positives;
    negatives += tied_negatives;
    begin = end;
  }
  if (positives == 0 || negatives == 0) {
    return InvalidArgument("the rows to test on have one class only, so there is nothing to tell apart; use more rows");
  }
  return static_cast<double>(half_pairs_won) / (2 * static_cast<double>(positives) * static_cast<double>(negatives));
}

absl::StatusOr<double> OneVersusOneAuc(const std::vector<std::vector<double>>& scores,
                                       std::span<const std::uint32_t> class_of_row) {
  std::vector<bool> has_rows(scores.size());
  for (const std::uint32_t row_class : class_of_row) has_rows[row_class] = true;
  double sum = 0;
  std::size_t pairs = 0;
  for (std::uint32_t first = 0; first < scores.size(); ++first) {
    for (std::uint32_t second = first + 1; second < scores.size(); ++second) {
      if (!has_rows[first] || !has_rows[second]) continue;
      ASSIGN_OR_RETURN(const double first_told, PairAuc(scores[first], first, second, class_of_row));
      ASSIGN_OR_RETURN(const double second_told, PairAuc(scores[second], second, first, class_of_row));
      sum += (first_told + second_told) / 2;
      ++pairs;
    }
  }
  if (pairs > 0) return sum / static_cast<double>(pairs);
  return InvalidArgument(
      "the rows to test on have fewer than two classes, so there is nothing to tell apart; use more");
}

}  // namespace flaim
