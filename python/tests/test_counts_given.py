"""Counts that were computed beforehand: the same model as from the rows, and nothing spent on counts that cannot be."""

import itertools

import numpy as np
import pytest

import flaim
from clinic import SCHEMA, clinic
from flaim.counts import Counts, GivenCounts, required_cliques


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "clinic.toml"
    path.write_text(SCHEMA)
    return flaim.Schema.load(str(path))


@pytest.fixture
def marginals(schema):
    """All that a fit to pairs needs."""
    table = flaim.read_table(clinic(), schema)
    return flaim.count(table, required_cliques(schema, "all:2"))


def fitted(counts, schema, **parameters):
    return flaim.from_counts(counts, schema=schema, epsilon=1, workload="all:2", **parameters)


def bytes_of(model):
    return model._fitted.to_bytes()


def test_required_cliques_are_the_columns_and_the_workload_with_its_subsets(schema):
    names = list(schema.columns)
    assert required_cliques(schema, "all:2") == [(name,) for name in names] + list(itertools.combinations(names, 2))
    triple = [("ward", "sex", "age")]
    assert set(required_cliques(schema, triple)) == {(name,) for name in names} | {
        ("sex", "age"), ("sex", "ward"), ("age", "ward"), ("sex", "age", "ward"),
    }  # fmt: skip
    assert set(required_cliques(schema)) >= {(name,) for name in names}
    with pytest.raises(flaim.InputError, match="nobody"):
        required_cliques(schema, [("sex", "nobody")])


def test_the_same_seed_gives_the_same_model_as_the_rows(schema, marginals):
    expected = bytes_of(flaim.AIM(epsilon=1, workload="all:2", random_state=7).fit(clinic(), schema=schema))
    assert bytes_of(fitted(marginals, schema, random_state=7)) == expected
    turned = {clique[::-1]: counts.T for clique, counts in marginals.items()}
    assert bytes_of(fitted(turned, schema, random_state=7)) == expected
    only_pairs = {clique: counts.astype(np.uint32) for clique, counts in marginals.items() if len(clique) == 2}
    assert bytes_of(fitted(only_pairs, schema, random_state=7)) == expected
    given = GivenCounts(only_pairs, schema=schema)
    assert bytes_of(flaim.AIM(epsilon=1, workload="all:2", random_state=7).fit(given, schema=schema)) == expected


def test_a_marginal_is_summed_up_from_a_larger_one(schema, marginals):
    table = flaim.read_table(clinic(), schema)
    given = GivenCounts(flaim.count(table, [("sex", "age", "insured"), ("sex", "ward")]), schema=schema)
    for clique in [("sex",), ("age",), ("age", "insured"), ("ward",)]:
        np.testing.assert_array_equal(given.count([clique])[0], flaim.count(table, [clique])[clique])
    np.testing.assert_array_equal(given.count([("insured", "age")])[0], given.count([("age", "insured")])[0])
    assert given.count([()])[0] == len(clinic())
    assert given.lacks([("age", "ward"), ("weight",), ("sex",)]) == [("age", "ward"), ("weight",)]


def test_a_fit_with_a_ledger_pays_and_repeats_for_nothing(schema, marginals, tmp_path):
    ledger = tmp_path / "clinic.ledger"
    first = fitted(marginals, schema, ledger=ledger)
    assert first.budget.is_private and flaim.Ledger(ledger).spent > 0
    assert bytes_of(fitted(marginals, schema, ledger=ledger)) == bytes_of(first)
    with pytest.raises(flaim.BudgetError):
        flaim.from_counts(marginals, schema=schema, epsilon=0.5, workload="all:1", ledger=ledger)


def _one_more(counts):
    changed = counts.copy()
    changed.flat[0] += 1
    return changed


def _moved(counts):
    changed = counts.copy()
    changed.flat[np.argmax(counts)] -= 1
    changed.flat[np.argmin(counts)] += 1
    return changed


@pytest.mark.parametrize("change, message", [
    (lambda given: given.pop(("sex", "age")), "not given: sex, age. Give them"),
    (lambda given: given.update({("sex", "age"): _one_more(given["sex", "age"])}), "contradict each other"),
    (lambda given: given.update({("sex", "age"): _moved(given["sex", "age"])}), "contradict each other"),
    (lambda given: given.update({("sex",): _moved(given["sex",])}), "contradict each other"),
    (lambda given: given.update({("sex",): -given["sex",]}), "negative"),
    (lambda given: given.update({("sex",): given["sex",] * 1.0}), "whole numbers"),
    (lambda given: given.update({("sex",): given["age",]}), "shape"),
    (lambda given: given.update({("sex", "age"): given["sex", "age"].T}), "shape"),
    (lambda given: given.update({("age", "sex"): given["sex", "age"].T}), "twice"),
    (lambda given: given.update({("sex", "sex"): given["sex", "age"]}), "a column twice"),
    (lambda given: given.update({("nobody",): given["sex",]}), "no column 'nobody'"),
    (lambda given: given.update({("sex",): np.array([2**63, 0], np.uint64)}), "too large"),
])  # fmt: skip
def test_counts_that_cannot_be_are_refused_before_anything_is_spent(schema, marginals, tmp_path, change, message):
    given = dict(marginals)
    change(given)
    with pytest.raises(flaim.InputError, match=message):
        fitted(given, schema, ledger=tmp_path / "clinic.ledger")
    assert not (tmp_path / "clinic.ledger").exists()


class OwnCounts(Counts):
    """Somebody's own engine."""

    def __init__(self, schema, answer):
        super().__init__(schema)
        self._answer = answer

    def _count(self, cliques):
        return self._answer(cliques)


@pytest.mark.parametrize("answer, message", [
    (lambda right: right[:-1], "list of as many arrays"),
    (lambda right: [*right[:-1], right[-1][:-1]], "another shape"),
    (lambda right: [*right[:-1], -right[-1]], "negative number"),
    (lambda right: [*right[:-1], _one_more(right[-1])], "another number of records"),
    (lambda right: [*right[:-1], np.full_like(right[-1], 2**62)], "add up to more than"),
])  # fmt: skip
def test_answers_of_an_engine_that_cannot_be_are_refused_and_nothing_is_spent(
    schema, marginals, tmp_path, answer, message
):
    ledger = tmp_path / "clinic.ledger"
    counts = OwnCounts(schema, lambda cliques: answer([marginals[clique] for clique in cliques]))
    with pytest.raises(flaim.InputError, match=message):
        fitted(counts, schema, ledger=ledger)
    assert flaim.Ledger(ledger).spent == 0


@pytest.mark.parametrize("kind", [ConnectionError, KeyboardInterrupt, flaim.InputError])
def test_an_engine_that_fails_raises_its_own_error_and_nothing_is_spent(schema, tmp_path, kind):
    ledger = tmp_path / "clinic.ledger"
    error = kind("the engine is gone")

    def fail(cliques):
        raise error

    with pytest.raises(kind) as failed:
        fitted(OwnCounts(schema, fail), schema, ledger=ledger)
    assert failed.value is error
    assert flaim.Ledger(ledger).spent == 0


@pytest.fixture
def large():
    """A schema whose triple is too large to be kept in a mebibyte, so that a fit asks for marginals one by one; and all
    marginals of some rows."""
    columns = [f'[[column]]\nname = "{name}"\ntype = "integer"\nmin = 0\nmax = 39' for name in "abc"]
    schema = flaim.Schema.parse("\n".join(columns))
    rows = np.random.default_rng(1).integers(0, 40, (3, 500)) // [[1], [2], [3]]
    table = flaim.read_table(dict(zip("abc", rows, strict=True)), schema)
    return schema, flaim.count(table, required_cliques(schema, "all:3"))


def test_a_marginal_that_is_lacking_is_found_before_anything_is_spent_also_where_they_are_asked_one_by_one(
    large, tmp_path
):
    schema, marginals = large
    lacking = {clique: counts for clique, counts in marginals.items() if len(clique) < 3}
    with pytest.raises(flaim.InputError, match="not given: a, b, c"):
        flaim.from_counts(lacking, schema=schema, epsilon=1, workload="all:3", memory="1M", model_cells=2600, ledger=tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_an_engine_that_fails_in_the_middle_can_be_asked_again_and_pays_nothing_twice(large, tmp_path):
    schema, marginals = large
    parameters = {"schema": schema, "epsilon": 1, "workload": "all:3", "memory": "1M", "model_cells": 2600, "random_state": 7}
    whole = flaim.from_counts(marginals, **parameters)
    asked = []

    def fail_once(cliques):
        asked.extend(cliques)
        if len(asked) > 20 and None not in asked:
            asked.append(None)
            raise ConnectionError("gone")
        return [marginals[clique] for clique in cliques]

    counts, ledger = OwnCounts(schema, fail_once), tmp_path / "ledger"
    with pytest.raises(ConnectionError):
        flaim.from_counts(counts, ledger=ledger, **parameters)
    spent = flaim.Ledger(ledger).spent
    again = flaim.from_counts(counts, ledger=ledger, **parameters)
    assert 0 < spent < flaim.Ledger(ledger).spent == whole.budget.rho_spent
    assert bytes_of(again) == bytes_of(whole)


def test_counts_of_another_schema_are_refused(schema, marginals, tmp_path):
    given = GivenCounts(marginals, schema=schema)
    other = flaim.Schema.parse(SCHEMA.replace("bins = 6", "bins = 7"))
    with pytest.raises(ValueError, match="another schema"):
        flaim.AIM(epsilon=1.0).fit(given, schema=other)
    with pytest.raises(ValueError, match="another schema"):
        fitted(given, other)
    assert fitted(given, None).total > 0
    with pytest.raises(ValueError, match="need a schema"):
        flaim.from_counts(marginals, epsilon=1)


def test_counts_are_a_context_and_say_what_they_are(schema, marginals):
    with GivenCounts(marginals, schema=schema) as counts:
        assert repr(counts) == "GivenCounts(6 columns)"
        assert counts.schema == schema
        assert counts.shape(("sex", "ward")) == (2, 4)
        assert counts.clique("age") == ("age",)
