#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "model/inference/belief_propagation.h"
#include "model/inference/junction_tree.h"
#include "model/inference/triangulation.h"
#include "python/bindings.h"
#include "python/clique_arguments.h"
#include "python/status.h"

namespace flaim::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MutableNumbers = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Domain MakeDomain(const std::vector<std::string>& names, const std::vector<std::int64_t>& sizes) {
  if (names.size() != sizes.size()) {
    ThrowIfError(InvalidArgument("a domain of {} names has {} sizes; give one for each", names.size(), sizes.size()));
  }
  std::vector<Attribute> attributes;
  for (std::size_t i = 0; i < names.size(); ++i) attributes.push_back({names[i], sizes[i]});
  return Unwrap(Domain::Create(std::move(attributes)));
}

std::vector<std::string> NamesOf(const Domain& domain) {
  std::vector<std::string> names;
  for (const Attribute& attribute : domain.attributes()) names.push_back(attribute.name);
  return names;
}

std::vector<std::int64_t> SizesOf(const Domain& domain) {
  std::vector<std::int64_t> sizes;
  for (const Attribute& attribute : domain.attributes()) sizes.push_back(attribute.size);
  return sizes;
}

JunctionTree BuildTree(const Domain& domain, const std::vector<AttributeList>& lists, std::int64_t max_cells) {
  const std::vector<Clique> cliques = CliquesOf(domain, lists);
  const nb::gil_scoped_release released;
  return Unwrap(JunctionTree::Build(domain, cliques, max_cells));
}

std::vector<AttributeList> NodesOf(const JunctionTree& tree) {
  std::vector<AttributeList> result;
  for (const JunctionTree::Node& node : tree.nodes()) result.push_back(node.attributes);
  return result;
}

std::vector<AttributeList> SeparatorsOf(const JunctionTree& tree) {
  std::vector<AttributeList> result;
  for (const JunctionTree::Node& node : tree.nodes()) {
    result.emplace_back(node.attributes.begin(), node.attributes.begin() + node.separator_length);
  }
  return result;
}

std::vector<int> ParentsOf(const JunctionTree& tree) {
  std::vector<int> result;
  for (const JunctionTree::Node& node : tree.nodes()) result.push_back(node.parent);
  return result;
}

double TreeCells(const Domain& domain, const std::vector<AttributeList>& lists) {
  const std::vector<Clique> cliques = CliquesOf(domain, lists);
  const nb::gil_scoped_release released;
  return SmallestTriangulation(domain, cliques).cells;
}

// Belief propagation for one tree and one set of cliques. May be called by several Python threads; they take turns.
// The team of threads lives for one run only: one that outlived it would be lost in the child of a fork.
class BoundPropagation {
 public:
  BoundPropagation(const Domain& domain, const std::vector<AttributeList>& lists, std::int64_t max_cells, int threads)
      : propagation_(BuildTree(domain, lists, max_cells), CliqueLayout(domain, CliquesOf(domain, lists))),
        threads_(CheckedThreads(threads)) {}

  double Run(const Numbers& potentials, const MutableNumbers& marginals) {
    const auto cells = static_cast<std::size_t>(propagation_.layout().cells());
    if (potentials.size() != cells || marginals.size() != cells) {
      ThrowIfError(InvalidArgument("the cliques have {} cells, but {} potentials and {} marginals were given", cells,
                                   potentials.size(), marginals.size()));
    }
    const nb::gil_scoped_release released;
    const std::span<const double> from(potentials.data(), cells);
    const bool is_valid = std::all_of(from.begin(), from.end(), [](double value) {
      return value < std::numeric_limits<double>::infinity();  // false for NaN
    });
    if (!is_valid) {
      ThrowIfError(
          InvalidArgument("a potential is NaN or +infinity; finite numbers and -infinity (impossible) are allowed"));
    }
    const std::lock_guard lock(mutex_);
    Parallel parallel(Threads());
    return propagation_.Run(from, std::span<double>(marginals.data(), cells), parallel);
  }

  const JunctionTree& tree() const { return propagation_.tree(); }
  std::int64_t cells() const { return propagation_.layout().cells(); }

 private:
  // Starting a team costs more than it saves on a small tree.
  static constexpr std::int64_t kParallelCells = 1 << 16;

  int Threads() const {
    if (tree().cells() < kParallelCells) return 1;
    return threads_ == 0 ? Parallel::HardwareThreads() : threads_;
  }

  std::mutex mutex_;
  BeliefPropagation propagation_;
  int threads_;
};

}  // namespace

void BindInference(nb::module_& module) {
  nb::class_<Domain>(module, "Domain", "Attributes and how many codes each has.")
      .def(
          "__init__",
          [](Domain* self, const std::vector<std::string>& names, const std::vector<std::int64_t>& sizes) {
            new (self) Domain(MakeDomain(names, sizes));
          },
          "names"_a, "sizes"_a)
      .def_prop_ro("names", &NamesOf)
      .def_prop_ro("sizes", &SizesOf);

  nb::class_<JunctionTree>(module, "JunctionTree", "A tree of cliques with the running-intersection property.")
      .def(
          "__init__",
          [](JunctionTree* self, const Domain& domain, const std::vector<AttributeList>& cliques,
             std::int64_t max_cells) { new (self) JunctionTree(BuildTree(domain, cliques, max_cells)); },
          "domain"_a, "cliques"_a, "max_cells"_a)
      .def_prop_ro("nodes", &NodesOf, "The attributes of each node, in memory order; parents come first.")
      .def_prop_ro("separators", &SeparatorsOf, "What each node shares with its parent.")
      .def_prop_ro("parents", &ParentsOf, "The position of each node's parent, -1 for a root.")
      .def_prop_ro("cells", &JunctionTree::cells);
  module.def("tree_cells", &TreeCells, "domain"_a, "cliques"_a, "The cells of the smallest tree found, not built.");

  nb::class_<BoundPropagation>(module, "BeliefPropagation", "Exact inference over one set of cliques, compiled.")
      .def(nb::init<const Domain&, const std::vector<AttributeList>&, std::int64_t, int>(), "domain"_a, "cliques"_a,
           "max_cells"_a, "threads"_a)
      .def("run", &BoundPropagation::Run, "potentials"_a, "marginals"_a,
           "Fills `marginals` with probabilities and returns log Z. The lock is released.")
      .def_prop_ro("tree", &BoundPropagation::tree, nb::rv_policy::reference_internal)
      .def_prop_ro("cells", &BoundPropagation::cells);
}

}  // namespace flaim::python
