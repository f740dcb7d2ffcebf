#pragma once

#include <optional>
#include <span>
#include <vector>

namespace flaim {

// Repetitions of one number, such as a result over seeds. What needs two repetitions is absent if there is only one.
struct Summary {
  int count = 0;  // at least 1
  double mean = 0;
  std::optional<double> standard_error;  // of the mean

  // Half the width of the 95 % interval of the mean, by Student's t: right for normal repetitions, however few.
  std::optional<double> HalfWidth() const;
};

// Nothing if there are no values.
std::optional<Summary> Summarise(std::span<const double> values);

// Of the ratio of two means that are independent, to the first order of their errors. Nothing if below is 0.
std::optional<Summary> RatioOf(const Summary& above, const Summary& below);

// Lies above 97.5 % of Student's t distribution. REQUIRES: degrees_of_freedom >= 1.
double StudentQuantile975(int degrees_of_freedom);

// 1 for the smallest; equal values share the mean of their ranks.
std::vector<double> AverageRanks(std::span<const double> values);

// REQUIRES: values are not empty.
double MedianOf(std::vector<double> values);

}  // namespace flaim
