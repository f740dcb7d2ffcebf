#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random_source.h"
#include "partition/partition.h"

namespace flaim {

// What a user can ask for. Below the least, a class has one client for all one can tell; beyond the largest, it is
// dealt as if at random.
inline constexpr double kLeastBeta = 1e-6;
inline constexpr double kLargestBeta = 1e6;

// The logarithm of a Gamma(shape, 1) variable. In logarithms because for small shapes most values are below what a
// double can hold: with shape 0.01 one in a thousand is below 1e-308. REQUIRES: shape > 0, finite.
double DrawLogGamma(double shape, RandomSource& random);

// Shares of `count` parts, drawn from the Dirichlet distribution with all parameters equal to beta: each has mean
// 1 / count; the smaller beta, the more of it goes to few. They sum up to 1, and never vanish all.
// REQUIRES: count >= 1; beta > 0, finite.
std::vector<double> DrawDirichlet(std::size_t count, double beta, RandomSource& random);

// Label skew (Li et al. 2022): for each class, the clients' shares of it are drawn from Dirichlet(beta), and each row
// of the class goes to a client by these shares. Both the classes and the sizes of clients become uneven, and for small
// beta most clients may stay without rows.
// REQUIRES: 1 <= clients <= kMaxClients; beta > 0, finite.
Partition PartitionByLabelSkew(std::span<const std::uint32_t> class_of_row, std::size_t clients, double beta,
                               RandomSource& random);

}  // namespace flaim
