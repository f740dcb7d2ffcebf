#pragma once

#include <cstdint>
#include <vector>

#include "data/table/domain.h"
#include "model/estimation/estimation.h"
#include "model/estimation/measurement.h"

namespace flaim {

// Fits small problems by listing all records, to hold estimation against. Shares nothing with it: no potentials, no
// junction tree, no dual.

struct FitProblem {
  Domain domain;
  std::vector<Measurement> measurements;
  double total = 100;
};

// Noisy, inconsistent marginals of a small random model, some of them negative, so that the optimum lies on the edge of
// the polytope. Cliques may repeat. Nothing is measured for some seeds.
FitProblem MakeFitProblem(std::uint64_t seed);

// The same with something measured and merged, small enough to list the records, for as many seeds from this one on.
std::vector<FitProblem> SmallProblems(int count, std::uint64_t seed);
EstimationProblem ProblemOf(const FitProblem& problem, std::vector<StructuralZeros> zeros = {});

std::int64_t RecordCount(const Domain& domain);

// The cell of the clique's table in which a record lies.
std::int64_t CellOfRecord(const Domain& domain, const Clique& clique, std::size_t record);

struct ExplicitFit {
  double loss = 0;                    // 1/2 sum ||N p_q - y_q||^2 / variance_q
  double gap = 0;                     // of Frank and Wolfe: the loss is within it of the optimum
  std::vector<double> probabilities;  // of all records
};

// The distribution over `records` that fits best. Wolfe's algorithm for the point of least norm in a polytope (1976),
// which is fully corrective Frank-Wolfe: it adds the record with the steepest descent, then finds the optimum over the
// convex hull of the records in use, exactly, until no record is steeper by more than 1e-11 of the loss or 1e-13.
// REQUIRES: at least one record.
ExplicitFit FitExplicitly(const FitProblem& problem, const std::vector<std::size_t>& records);
ExplicitFit FitExplicitly(const FitProblem& problem);

// The loss of the marginals of a distribution over all records, cell by cell from the definition.
double LossOf(const FitProblem& problem, const std::vector<double>& probabilities);

}  // namespace flaim
