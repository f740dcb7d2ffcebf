#include "model/inference/marginal_query.h"

#include <cmath>

#include "gtest/gtest.h"
#include "model/inference/brute_force_testing.h"

namespace flaim {
namespace {

// Every subset of the attributes, inside or across nodes and components, against the listed joint distribution.
TEST(MarginalQuery, EqualsBruteForceForEverySubsetOfTheAttributes) {
  Parallel parallel(1);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 2, .zero_probability = seed % 3 == 0 ? 0.1 : 0.0});
    BeliefPropagation oracle(JunctionTree::Build(model.domain, model.cliques, 1 << 24).value(),
                             CliqueLayout(model.domain, model.cliques));
    std::vector<double> marginals(oracle.layout().cells());
    if (std::isinf(oracle.Run(model.potentials, marginals, parallel))) continue;
    MarginalQuery query(oracle);
    for (unsigned subset = 0; subset < 1U << model.domain.size(); ++subset) {
      std::vector<AttributeIndex> attributes;
      for (AttributeIndex attribute = 0; attribute < model.domain.size(); ++attribute) {
        if ((subset >> attribute & 1U) != 0) attributes.push_back(attribute);
      }
      const Clique clique(attributes);
      const std::vector<double> exact = MarginalByBruteForce(model, clique);
      const std::vector<double> fast = query.Answer(clique);
      ASSERT_EQ(fast.size(), exact.size());
      for (std::size_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(fast[i], exact[i], 1e-10) << model.Describe();
    }
  }
}

}  // namespace
}  // namespace flaim
