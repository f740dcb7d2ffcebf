"""Belief propagation and junction trees, against distributions that are written out in full."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim
from brute_force import SMALL, TRICKY_CLIQUES, log_joint, log_sum_exp, marginal, probabilities

tricky = pytest.mark.parametrize(
    "cliques", TRICKY_CLIQUES, ids=lambda cliques: " ".join(map("".join, cliques)) or "none"
)
random_cliques = st.lists(
    st.lists(st.sampled_from("abcde"), unique=True, max_size=4).map(tuple), unique=True, max_size=7
)


def check_against_brute_force(potentials):
    marginals, log_partition = flaim.belief_propagation(potentials)
    joint = probabilities(potentials)
    assert log_partition == pytest.approx(log_sum_exp(log_joint(potentials)), rel=1e-12, abs=1e-12)
    assert marginals.cliques == potentials.cliques
    for clique, factor in marginals.items():
        np.testing.assert_allclose(factor.values, marginal(joint, potentials.domain, clique), rtol=1e-9, atol=1e-13)


def normal_potentials(cliques, seed, scale):
    vector = flaim.CliqueVector.zeros(SMALL, cliques)
    vector.flat[:] = scale * np.random.default_rng(seed).standard_normal(vector.size())
    return vector


@tricky
@pytest.mark.parametrize("scale", [1, 300])
def test_marginals_equal_brute_force_on_tricky_cliques(cliques, scale):
    check_against_brute_force(normal_potentials(cliques, 1, scale))


@settings(deadline=None, max_examples=200)
@given(random_cliques, st.integers(0, 2**32 - 1), st.sampled_from([0.1, 3, 300]))
def test_marginals_equal_brute_force_on_random_cliques(cliques, seed, scale):
    check_against_brute_force(normal_potentials(cliques, seed, scale))


@settings(deadline=None, max_examples=200)
@given(random_cliques, st.integers(0, 2**32 - 1))
def test_excluded_cells_have_exactly_no_probability(cliques, seed):
    random = np.random.default_rng(seed)
    potentials = normal_potentials(cliques, seed, 1)
    # One record stays possible, so that there is something to sum over.
    kept = {name: int(random.integers(size)) for name, size in SMALL.to_dict().items()}
    for clique, factor in potentials.items():
        excluded = np.asarray(random.random(factor.values.shape) < 0.4)
        excluded[tuple(kept[name] for name in clique)] = False
        factor.values[excluded] = -np.inf
    check_against_brute_force(potentials)
    for clique, factor in flaim.belief_propagation(potentials)[0].items():
        assert np.all(factor.values[np.isneginf(potentials[clique].values)] == 0)


def test_excluding_every_record_leaves_nothing():
    potentials = flaim.CliqueVector.from_dict(SMALL, {("a",): [0, -np.inf], ("a", "b"): np.zeros((2, 3))})
    potentials["a", "b"].values[0] = -np.inf
    marginals, log_partition = flaim.belief_propagation(potentials)
    assert log_partition == -np.inf and not marginals.flat.any()
    with pytest.raises(flaim.InputError, match="exclude every record"):
        flaim.model_of(potentials)


def test_a_constant_shifts_the_log_partition_and_nothing_else():
    potentials = normal_potentials(TRICKY_CLIQUES[7], 2, 1)
    marginals, log_partition = flaim.belief_propagation(potentials)
    shifted, shifted_log_partition = flaim.belief_propagation(potentials + 1e6)
    assert shifted_log_partition == pytest.approx(log_partition + 4e6, rel=1e-14)
    np.testing.assert_allclose(shifted.flat, marginals.flat, rtol=1e-7)


@settings(deadline=None, max_examples=20)
@given(random_cliques.filter(bool), st.integers(0, 2**32 - 1))
def test_marginals_are_the_gradient_of_the_log_partition(cliques, seed):
    potentials = normal_potentials(cliques, seed, 1)
    direction = normal_potentials(cliques, seed + 1, 1)
    marginals, _ = flaim.belief_propagation(potentials)
    step = 1e-5
    ahead, behind = (flaim.belief_propagation(potentials + sign * step * direction)[1] for sign in (1, -1))
    assert marginals.dot(direction) == pytest.approx((ahead - behind) / (2 * step), rel=1e-5, abs=1e-8)


def test_marginals_sum_to_the_total_that_is_asked_for():
    potentials = normal_potentials(TRICKY_CLIQUES[6], 3, 1)
    shares, log_partition = flaim.belief_propagation(potentials)
    counts, same_log_partition = flaim.belief_propagation(potentials, 1234.5)
    assert same_log_partition == log_partition
    np.testing.assert_allclose(counts.flat, 1234.5 * shares.flat, rtol=1e-15)
    for factor in counts.values():
        assert float(factor.sum()) == pytest.approx(1234.5)


def test_out_receives_the_marginals_without_a_copy():
    potentials = normal_potentials(TRICKY_CLIQUES[10], 4, 1)
    expected, _ = flaim.belief_propagation(potentials)
    memory = np.empty(potentials.size())
    out = flaim.CliqueVector(potentials.layout, memory)
    marginals, _ = flaim.belief_propagation(potentials, out=out)
    assert marginals is out and out.flat is memory
    np.testing.assert_array_equal(memory, expected.flat)
    for clique in out:
        assert np.shares_memory(out[clique].values, memory)
    flaim.belief_propagation(potentials, out=potentials)
    np.testing.assert_array_equal(potentials.flat, expected.flat)


def test_potentials_are_only_read():
    potentials = normal_potentials(TRICKY_CLIQUES[6], 5, 1)
    before = potentials.flat.copy()
    potentials.flat.flags.writeable = False
    flaim.belief_propagation(potentials)
    np.testing.assert_array_equal(potentials.flat, before)
    with pytest.raises(flaim.InputError, match="read-only"):
        flaim.belief_propagation(potentials, out=potentials)


def test_what_inference_cannot_use_is_refused():
    potentials = normal_potentials([("a", "b")], 6, 1)
    for number in (np.nan, np.inf):
        potentials["a", "b"].values[1, 2] = number
        with pytest.raises(flaim.InputError, match="NaN or \\+infinity"):
            flaim.belief_propagation(potentials)
    potentials["a", "b"].values[1, 2] = 0
    with pytest.raises(flaim.InputError, match="not over the cliques"):
        flaim.belief_propagation(potentials, out=flaim.CliqueVector.zeros(SMALL, [("b", "a")]))
    with pytest.raises(flaim.FlaimError, match="more than the 5"):
        flaim.belief_propagation(potentials, max_cells=5)
    with pytest.raises(flaim.InputError, match="threads"):
        flaim.belief_propagation(potentials, threads=-1)


def test_results_do_not_depend_on_threads():
    domain = flaim.Domain("abcd", [20, 30, 40, 50])
    potentials = flaim.CliqueVector.random(domain, [("a", "b", "c"), ("b", "c", "d")], random_state=1)
    one = flaim.belief_propagation(potentials, threads=1)
    many = flaim.belief_propagation(potentials, threads=3)
    assert one[0] == many[0] and one[1] == many[1]


def test_python_threads_may_share_potentials():
    potentials = normal_potentials(TRICKY_CLIQUES[12], 7, 1)
    expected, _ = flaim.belief_propagation(potentials)
    with ThreadPoolExecutor(4) as threads:
        answers = threads.map(lambda _: flaim.belief_propagation(potentials)[0], range(80))
    assert all(answer == expected for answer in answers)


def check_tree(tree, domain, cliques):
    for clique in cliques:
        assert any(set(clique) <= set(node) for node in tree.cliques)
    assert set().union(*map(set, tree.cliques)) == set(domain)
    assert tree.cells == sum(node.cells for node in tree.nodes)
    for number, node in enumerate(tree.nodes):
        assert node.cells == domain.size(node.clique)
        if node.parent is None:
            assert node.separator == ()
        else:
            assert node.parent < number
            assert set(node.separator) == set(node.clique) & set(tree.nodes[node.parent].clique)
    # Running intersection: the nodes with an attribute hang together, so all but one have it in their separator.
    for name in domain:
        holders = [node for node in tree.nodes if name in node.clique]
        assert sum(name not in node.separator for node in holders) == 1


@tricky
def test_junction_trees_cover_the_cliques_and_keep_shared_attributes_together(cliques):
    check_tree(flaim.JunctionTree(SMALL, cliques), SMALL, cliques)


@settings(deadline=None, max_examples=100)
@given(random_cliques)
def test_random_junction_trees_are_junction_trees(cliques):
    tree = flaim.JunctionTree(SMALL, cliques)
    check_tree(tree, SMALL, cliques)
    assert flaim.junction_tree.tree_cells(SMALL, cliques) == tree.cells
    assert len(tree.separators) == sum(node.parent is not None for node in tree.nodes)


def test_a_cycle_costs_one_chord_and_a_tree_costs_nothing():
    chain = flaim.JunctionTree(SMALL, TRICKY_CLIQUES[6])
    assert sorted(chain.cliques) == TRICKY_CLIQUES[6]
    cycle = flaim.JunctionTree(SMALL, TRICKY_CLIQUES[7])
    # Of the two chords, a-c (24 + 16 cells) and b-d (12 + 24), the cheaper one; e is by itself.
    assert sorted(cycle.cliques) == [("a", "b", "d"), ("b", "c", "d"), ("e",)] and cycle.cells == 12 + 24 + 3


def test_a_tree_that_would_be_too_large_is_refused_and_can_be_foreseen():
    domain = flaim.Domain([f"x{i}" for i in range(50)], [10] * 50)
    pairs = list(itertools.combinations(domain, 2))
    assert flaim.junction_tree.tree_cells(domain, pairs) == pytest.approx(1e50)
    with pytest.raises(flaim.FlaimError, match="more than"):
        flaim.JunctionTree(domain, pairs)


def test_a_model_of_potentials_answers_any_marginal_and_every_record():
    potentials = normal_potentials(TRICKY_CLIQUES[7], 8, 1)
    joint = probabilities(potentials)
    model = flaim.model_of(potentials, total=50)
    assert model.total == 50 and model.log_partition == pytest.approx(log_sum_exp(log_joint(potentials)))
    for count in range(6):
        for clique in itertools.permutations("abcde", count):
            np.testing.assert_allclose(model.marginal(clique), marginal(joint, SMALL, clique), rtol=1e-9, atol=1e-14)
    records = np.stack(np.unravel_index(np.arange(joint.size), joint.shape), axis=1)
    np.testing.assert_allclose(model.log_density(records), np.log(joint.reshape(-1)), rtol=1e-9)
    back = flaim.potentials_of(model)
    np.testing.assert_allclose(probabilities(back), joint, rtol=1e-12)
