"""flaim.Workload: which marginals, their closure and weights, and the command line's words for them."""

import itertools
import json
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim
from brute_force import SMALL

queries = st.dictionaries(
    st.sets(st.sampled_from("abcde"), min_size=1, max_size=4).map(lambda names: tuple(sorted(names))),
    st.integers(1, 5),
    min_size=1,
    max_size=6,
)


def subsets_of(queries):
    """Every non-empty subset of every query, by size and then in the order of the domain."""
    found = {s for query in queries for size in range(1, len(query) + 1) for s in itertools.combinations(query, size)}
    return sorted(found, key=lambda clique: (len(clique), clique))


@settings(deadline=None, max_examples=100)
@given(queries)
def test_the_closure_is_every_subset_of_every_query_once(weights):
    workload = flaim.Workload(SMALL, weights)
    assert workload.weights == weights and workload.cliques == list(weights) and len(workload) == len(weights)
    assert workload.closure() == subsets_of(weights)


@settings(deadline=None, max_examples=100)
@given(queries)
def test_weights_of_the_closure_count_shared_attributes(weights):
    workload = flaim.Workload(SMALL, weights)
    closure = subsets_of(weights)
    assert workload.closure_weights() == {
        clique: sum(weight * len(set(clique) & set(query)) for query, weight in weights.items()) for clique in closure
    }
    assert workload.closure_weights(over="closure") == {
        clique: sum(weights.get(other, 1) * len(set(clique) & set(other)) for other in closure) for clique in closure
    }
    with pytest.raises(flaim.InputError, match="originals"):
        workload.closure_weights(over="paper")


def test_all_marginals_of_a_size_are_listed_and_large_ones_left_out():
    for k in range(1, 6):
        assert flaim.Workload.all_k_way(SMALL, k).cliques == list(itertools.combinations("abcde", k))
    small = flaim.Workload.all_k_way(SMALL, 2, max_cells=8)
    assert small.cliques == [pair for pair in itertools.combinations("abcde", 2) if SMALL.size(pair) <= 8]
    assert set(small.weights.values()) == {1}


def test_a_random_workload_repeats_for_its_seed_and_has_no_clique_twice():
    workload = flaim.Workload.random_k_way(SMALL, 7, 3, seed=5)
    assert workload == flaim.Workload.random_k_way(SMALL, 7, 3, seed=5)
    assert workload != flaim.Workload.random_k_way(SMALL, 7, 3, seed=6)
    assert len(set(workload.cliques)) == 7 and {len(clique) for clique in workload} == {3}
    limited = flaim.Workload.random_k_way(SMALL, 3, 2, seed=5, max_cells=8)
    assert all(SMALL.size(clique) <= 8 for clique in limited)


def test_words_of_the_command_line_mean_the_same_as_the_constructors(tmp_path):
    file = tmp_path / "workload.json"
    file.write_text(json.dumps([["b", "a"], ["c"], ["e", "a", "d"]]))
    for text, workload in (
        ("all:2", flaim.Workload.all_k_way(SMALL, 2)),
        ("all:3:30", flaim.Workload.all_k_way(SMALL, 3, max_cells=30)),
        ("random:4:2:9", flaim.Workload.random_k_way(SMALL, 4, 2, seed=9)),
        ("random:2:2:9:8", flaim.Workload.random_k_way(SMALL, 2, 2, seed=9, max_cells=8)),
        (str(file), flaim.Workload(SMALL, [("a", "b"), "c", ("a", "d", "e")])),
    ):
        assert flaim.Workload.parse(SMALL, text) == workload
        assert hash(flaim.Workload.parse(SMALL, text)) == hash(workload)


@pytest.mark.parametrize("text", ["all:2", "all:2:8", "random:4:3:9", "random:3:2:1:9", "workload.json"])
def test_the_program_measures_the_marginals_that_the_words_mean_here(flaim_program, tmp_path, text):
    columns = "\n".join(
        f'[[column]]\nname = "{name}"\ntype = "integer"\nmin = 0\nmax = {size - 1}'
        for name, size in SMALL.to_dict().items()
    )
    (tmp_path / "schema.toml").write_text(columns)
    (tmp_path / "workload.json").write_text(json.dumps([["d", "b"], ["a"]]))
    (tmp_path / "rows.csv").write_text("a,b,c,d,e\n0,1,2,0,1\n1,2,3,1,0\n")
    subprocess.run([flaim_program, "measure", "rows.csv", "--schema", "schema.toml", "--epsilon", "1",
                    "--workload", text, "-o", "noisy.json"], cwd=tmp_path, check=True, capture_output=True)
    path = text if ":" in text else str(tmp_path / text)
    expected = flaim.Workload.parse(SMALL, path).cliques
    measured = json.loads((tmp_path / "noisy.json").read_text())["marginals"]
    assert [tuple(marginal["columns"]) for marginal in measured] == expected
    # Its ledger is one for Python too.
    debits = flaim.Ledger(tmp_path / "rows.csv.ledger").debits()
    assert [debit.query for debit in debits] == [",".join(clique) for clique in expected]


def test_attributes_come_in_the_order_of_the_domain():
    workload = flaim.Workload(SMALL, {("c", "a"): 3, "b": 1})
    assert list(workload) == [("a", "c"), ("b",)] and workload.weights == {("a", "c"): 3, ("b",): 1}
    assert workload == flaim.Workload(SMALL, {("a", "c"): 3, ("b",): 1})
    assert repr(workload) == "Workload(2 marginals)"


@pytest.mark.parametrize("make, text", [
    (lambda: flaim.Workload(SMALL, []), "no queries"),
    (lambda: flaim.Workload(SMALL, [()]), "empty"),
    (lambda: flaim.Workload(SMALL, ["x"]), "no attribute 'x'"),
    (lambda: flaim.Workload(SMALL, ["a", "a"]), "twice"),
    (lambda: flaim.Workload(SMALL, [("a", "b"), ("b", "a")]), "repeats"),
    (lambda: flaim.Workload(SMALL, {"a": 0}), "weight 0"),
    (lambda: flaim.Workload(SMALL, {"a": 1.5}), "whole number"),
    (lambda: flaim.Workload.all_k_way(SMALL, 6), "6-way"),
    (lambda: flaim.Workload.all_k_way(SMALL, 0), "0-way"),
    (lambda: flaim.Workload.random_k_way(SMALL, 11, 2), "only 10 exist"),
    (lambda: flaim.Workload.all_k_way(SMALL, 2, max_cells=1), "at most 1 cells"),
])
def test_what_is_no_workload_is_refused(make, text):
    with pytest.raises(flaim.InputError, match=text):
        make()
