#pragma once

#include <string>

#include "experiments/report/statistics.h"

namespace flaim {

// With a true minus sign, and as many significant digits as asked for; whole numbers keep all of theirs.
std::string NumberText(double value, int significant_digits = 3);

// Without zeros at the end, as settings are written: 0.1, 10, 1e−05.
std::string PlainText(double value);

// "0.431 ± 0.004": as many decimals as the standard error is known to. Only the mean if there is no standard error.
std::string MeanText(const Summary& summary);
// " ± 0.004" alone, empty if there is none; and the mean with the same decimals.
std::string ErrorPart(const Summary& summary);
std::string MeanPart(const Summary& summary);

// "95 % interval 0.42 to 0.44 over 10 runs", for tooltips.
std::string IntervalText(const Summary& summary);

// "+2.6 %": how far a number is from another one. Empty if that is 0.
std::string DifferenceText(double value, double reference);

// "2 h 5 min", "38 s", "1.25 s".
std::string DurationText(double seconds);

// "1 seed", "10 seeds".
std::string CountText(int count, const std::string& noun);

}  // namespace flaim
