#pragma once

#include "base/random_source.h"
#include "runtime/messages/request_codec.h"

// Random requests over a domain.
namespace flaim::runtime {

Domain DomainForTest();  // of 3 x 2 x 4 x 2 cells
// Over cliques with more than one attribute too; potentials of any sign.
Model RandomModel(const Domain& domain, RandomSource& random, Parallel& parallel);

// Without a model, where there is one to be.
CountsRequest RandomCounts(const Domain& domain, RandomSource& random);
ScoresRequest RandomScores(const Domain& domain, RandomSource& random);
LocalSelection RandomLocal(const Domain& domain, RandomSource& random);
RandomSelection RandomRandom(const Domain& domain, RandomSource& random);

}  // namespace flaim::runtime
