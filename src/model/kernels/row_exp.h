#pragma once

#include <cstdint>
#include <span>

namespace flaim::kernels {

// The arithmetic of belief propagation on a block of rows that fits into the cache. Vectorised for the best instruction
// set that the machine has (Highway); the result of a call depends on that set in the last bits, never on the alignment
// or on the number of threads.

// values[i] = exp(values[i]); exp(-infinity) is 0.
void Exp(std::span<double> values);
// values[i] = log(values[i]); log(0) is -infinity.
void Log(std::span<double> values);

// For each row of `columns` numbers: finds its maximum, replaces each number x by exp(x - maximum) and adds the results
// up. A row that is all -infinity becomes zeros, with maximum -infinity and sum 0.
// REQUIRES: block.size() == columns * row_max.size() and row_sum.size() == row_max.size().
void ShiftedExpRows(std::span<double> block, std::int64_t columns, std::span<double> row_max,
                    std::span<double> row_sum);

// row_max[r] = maximum of row r.
void MaxRows(std::span<const double> block, std::int64_t columns, std::span<double> row_max);

// row_dot[r] = sum over row r of a[i] * b[i]. REQUIRES: a.size() == b.size() == columns * row_dot.size().
void DotRows(std::span<const double> a, std::span<const double> b, std::int64_t columns, std::span<double> row_dot);

// Multiplies row r by row_scale[r].
void ScaleRows(std::span<double> block, std::int64_t columns, std::span<const double> row_scale);

}  // namespace flaim::kernels
