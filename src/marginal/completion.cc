#include "marginal/completion.h"

#include <algorithm>
#include <set>

#include "base/status.h"

namespace flaim {
namespace {

struct BySizeThenLexicographic {
  bool operator()(const Clique& left, const Clique& right) const {
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  }
};

Clique SubsetOf(const Clique& clique, std::uint32_t members) {
  std::vector<AttributeIndex> attributes;
  for (std::size_t i = 0; i < clique.attributes().size(); ++i) {
    if ((members >> i & 1U) != 0) attributes.push_back(clique.attributes()[i]);
  }
  return Clique(std::move(attributes));
}

// |q intersect r| counts the attributes of q that r has, so w_q is a sum over the attributes of q of the total weight
// of the queries that have it: linear work, instead of one term for each pair of queries.
std::vector<std::int64_t> WeightOfAttributes(const std::vector<WeightedQuery>& base) {
  std::vector<std::int64_t> weights;
  for (const WeightedQuery& query : base) {
    weights.resize(std::max(weights.size(), static_cast<std::size_t>(query.clique.attributes().back()) + 1));
    for (const AttributeIndex attribute : query.clique) weights[static_cast<std::size_t>(attribute)] += query.weight;
  }
  return weights;
}

// The queries of the completion, with the weight of the original where there is one and 1 elsewhere.
std::vector<WeightedQuery> CompletionAsBase(const Workload& workload, const std::vector<Clique>& completion) {
  std::vector<WeightedQuery> originals(workload.begin(), workload.end());
  const auto by_clique = [](const WeightedQuery& left, const WeightedQuery& right) {
    return left.clique < right.clique;
  };
  std::sort(originals.begin(), originals.end(), by_clique);
  std::vector<WeightedQuery> base;
  for (const Clique& clique : completion) {
    const WeightedQuery subset{clique, 1};
    const auto original = std::lower_bound(originals.begin(), originals.end(), subset, by_clique);
    base.push_back(original != originals.end() && original->clique == clique ? *original : subset);
  }
  return base;
}

}  // namespace

absl::StatusOr<std::vector<Clique>> Completion(const Workload& workload) {
  std::set<Clique, BySizeThenLexicographic> subsets;
  for (const WeightedQuery& query : workload) {
    if (query.clique.size() > kMaxQueryAttributes) {
      return InvalidArgument("a query with {} columns has too many subsets: ask for at most {} columns",
                             query.clique.size(), kMaxQueryAttributes);
    }
    for (std::uint32_t members = 1; members < 1U << query.clique.size(); ++members) {
      subsets.insert(SubsetOf(query.clique, members));
    }
    if (subsets.size() > Workload::kMaxQueries) {
      return ResourceExhausted(
          "the completion of the workload has more than {} queries: ask for fewer or smaller queries",
          Workload::kMaxQueries);
    }
  }
  return std::vector<Clique>(subsets.begin(), subsets.end());
}

absl::StatusOr<std::vector<WeightedQuery>> WeightedCompletion(const Workload& workload, WeightBase base) {
  ASSIGN_OR_RETURN(const std::vector<Clique> completion, Completion(workload));
  const std::vector<WeightedQuery> summed = base == WeightBase::kOriginals
                                                ? std::vector<WeightedQuery>(workload.begin(), workload.end())
                                                : CompletionAsBase(workload, completion);
  const std::vector<std::int64_t> weight_of_attribute = WeightOfAttributes(summed);
  std::vector<WeightedQuery> weighted;
  weighted.reserve(completion.size());
  for (const Clique& clique : completion) {
    std::int64_t weight = 0;
    for (const AttributeIndex attribute : clique) weight += weight_of_attribute[static_cast<std::size_t>(attribute)];
    weighted.push_back({clique, weight});
  }
  return weighted;
}

}  // namespace flaim
