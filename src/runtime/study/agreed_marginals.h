#pragma once

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "marginal/completion.h"

namespace flaim::runtime {

// What a study may ask its sites about: the marginals of the workload, all that lie within one of them, and each column
// by itself, which every method measures. The steward consented to these, and not to whatever has the same price.
class AgreedMarginals {
 public:
  // An error of Completion.
  static absl::StatusOr<AgreedMarginals> Create(const Workload& workload, WeightBase weights);

  bool MayBeCounted(const Clique& clique) const;
  // With the very weight that the plan gives it: others would have a site choose by another score than the method's.
  bool MayBeChosen(const WeightedQuery& candidate) const;

 private:
  explicit AgreedMarginals(std::map<Clique, std::int64_t> weights) : weights_(std::move(weights)) {}

  std::map<Clique, std::int64_t> weights_;
};

}  // namespace flaim::runtime
