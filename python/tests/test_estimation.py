"""flaim.estimate: the best fit to noisy marginals, its certificate, and the model that comes out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim
from brute_force import SMALL, TRICKY_CLIQUES, all_records, marginal, probabilities

CYCLE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]


def noisy_measurements(cliques, seed, total=200.0, stddev=5.0):
    """Marginals of a random distribution, each with noise of its own: they contradict each other."""
    random = np.random.default_rng(seed)
    joint = random.dirichlet(np.full(SMALL.size(), 0.3)).reshape(SMALL.shape)
    return [
        flaim.Measurement(
            total * marginal(joint, SMALL, clique) + stddev * random.standard_normal(SMALL.project(clique).shape),
            clique,
            stddev=stddev,
        )
        for clique in cliques
    ]


def loss_of(joint, measurements, total):
    """Of a distribution that is written out in full."""
    return sum(
        0.5 * np.square(total * marginal(joint, SMALL, m.clique) - m.values).sum() / m.variance for m in measurements
    )


def full_table(model):
    return np.exp(model.log_density(all_records(SMALL))).reshape(SMALL.shape)


@pytest.mark.parametrize("cliques", [cliques for cliques in TRICKY_CLIQUES if cliques])
def test_marginals_of_one_distribution_are_reproduced(cliques):
    truth = probabilities(flaim.CliqueVector.random(SMALL, cliques, random_state=1))
    exact = [flaim.Measurement(1000 * marginal(truth, SMALL, clique), clique) for clique in cliques]
    model = flaim.estimate(SMALL, exact, relative_gap=1e-9)
    assert model.total == pytest.approx(1000) and model.report["converged"]
    for clique in cliques:
        np.testing.assert_allclose(model.marginal(clique), marginal(truth, SMALL, clique), atol=1e-6)
    # Of all distributions with these marginals, the one with these potentials alone: the truth itself.
    np.testing.assert_allclose(full_table(model), truth, atol=1e-5)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([CYCLE, *TRICKY_CLIQUES[5:]]), st.integers(0, 2**32 - 1), st.sampled_from([0, 3, 1000]))
def test_no_distribution_beats_the_certified_bound(cliques, seed, max_iterations):
    measurements = noisy_measurements(cliques, seed)
    model = flaim.estimate(SMALL, measurements, total=200, max_iterations=max_iterations)
    assert model.gap >= 0
    assert model.loss == pytest.approx(loss_of(full_table(model), measurements, 200), rel=1e-6)
    # Mixtures of the fit with other distributions are the closest competitors there are.
    random = np.random.default_rng(seed)
    for share in (1, 0.3, 0.03, 0.003):
        for concentration in (0.01, 1):
            other = random.dirichlet(np.full(SMALL.size(), concentration)).reshape(SMALL.shape)
            mixture = share * other + (1 - share) * full_table(model)
            assert model.loss - model.gap <= loss_of(mixture, measurements, 200) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_both_methods_come_to_the_same_fit_and_certify_it(seed):
    measurements = noisy_measurements(CYCLE, seed)
    newton = flaim.estimate(SMALL, measurements, relative_gap=1e-4)
    mirror = flaim.estimate(SMALL, measurements, relative_gap=1e-4, method="mirror-descent", max_iterations=20_000)
    assert newton.report["converged"] and mirror.report["converged"]
    assert newton.loss - newton.gap <= mirror.loss and mirror.loss - mirror.gap <= newton.loss
    assert newton.report["iterations"] < mirror.report["iterations"]
    for clique in CYCLE:
        np.testing.assert_allclose(newton.marginal(clique), mirror.marginal(clique), atol=2e-3)


def test_more_iterations_shrink_the_gap_and_running_out_is_said():
    measurements = noisy_measurements(CYCLE, 5)
    hasty, patient = (
        flaim.estimate(SMALL, measurements, max_iterations=limit, relative_gap=1e-6, ignore_noise_floor=True)
        for limit in (2, 3000)
    )
    assert not hasty.report["converged"] and patient.report["converged"]
    assert patient.gap < hasty.gap and patient.loss < hasty.loss
    assert patient.gap <= 1e-6 * patient.loss


def test_measurements_count_by_their_precision():
    sharp = flaim.Measurement([60, 40], "a", stddev=1)
    blunt = flaim.Measurement([30, 70], "a", variance=99)
    model = flaim.estimate(SMALL, [sharp, blunt], total=100, relative_gap=1e-9)
    np.testing.assert_allclose(100 * model.marginal("a"), [59.7, 40.3], atol=1e-3)
    assert model.loss == pytest.approx(0, abs=1e-6)  # of their mean, which can be met


def test_the_same_attributes_in_another_order_are_the_same_measurement():
    table = np.arange(1.0, 7).reshape(2, 3)
    both = [flaim.Measurement(table, ("a", "b")), flaim.Measurement(table.T + 2, ("b", "a"))]
    model = flaim.estimate(SMALL, both, relative_gap=1e-9)
    np.testing.assert_allclose(model.total * model.marginal(("a", "b")), table + 1, atol=1e-3)


def test_the_axes_of_a_measurement_are_those_of_its_clique():
    table = np.arange(1.0, 13).reshape(4, 3)
    for values in (table, table.reshape(-1), table.tolist()):
        model = flaim.estimate(SMALL, [flaim.Measurement(values, ("c", "b"))], relative_gap=1e-9)
        np.testing.assert_allclose(model.total * model.marginal(("c", "b")), table, atol=1e-3)
    with pytest.raises(flaim.InputError, match="no table over"):
        flaim.estimate(SMALL, [flaim.Measurement(table.T, ("c", "b"))])


def test_the_total_is_estimated_by_precision_unless_it_is_given():
    measurements = [flaim.Measurement([30, 70], "a", stddev=1), flaim.Measurement([50, 40, 20], "b", variance=4)]
    # Sums of n cells have variance n * variance: weights 1/2 and 1/12.
    assert flaim.estimate(SMALL, measurements).total == pytest.approx((100 / 2 + 110 / 12) / (1 / 2 + 1 / 12))
    assert flaim.estimate(SMALL, measurements, total=np.int64(77)).total == 77
    assert flaim.estimate(SMALL, [flaim.Measurement([-5, -1], "a")]).total == 1
    uniform = flaim.estimate(SMALL, [], total=10)
    np.testing.assert_allclose(uniform.marginal("c"), 0.25)
    assert uniform.gap == 0


def test_structural_zeros_have_no_probability_anywhere():
    zeros = {("b", "a"): np.eye(3, 2), ("c",): [False, True, False, False], ("d", "e"): np.zeros((2, 3))}
    model = flaim.estimate(SMALL, noisy_measurements([("a", "b"), ("b", "c")], 6), zeros=zeros)
    assert np.all(np.diag(model.marginal(("a", "b"))) == 0) and model.marginal("c")[1] == 0
    assert model.marginal(("a", "b")).sum() == pytest.approx(1)
    rows = model.sample(500, random_state=1)
    assert not np.any(rows["a"] == rows["b"]) and not np.any(rows["c"] == 1)
    impossible = model.log_density(np.array([[0, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 0, 0, 0]]))
    assert np.isneginf(impossible[:2]).all() and np.isfinite(impossible[2])
    with pytest.raises(flaim.InputError, match="leave no record"):
        flaim.estimate(SMALL, [], total=1, zeros={"a": [True, True]})
    with pytest.raises(flaim.InputError, match="no table over"):
        flaim.estimate(SMALL, [], total=1, zeros={("a", "b"): np.eye(3, 2)})


def test_potentials_of_a_model_include_its_zeros_and_give_the_same_model():
    zeros = {("a", "b"): np.eye(2, 3)}
    model = flaim.estimate(SMALL, noisy_measurements([("a", "b"), ("b", "c")], 7), zeros=zeros)
    potentials = flaim.potentials_of(model)
    assert set(potentials.cliques) == {("a", "b"), ("b", "c")}
    assert np.isneginf(np.diag(potentials["a", "b"].values)).all()
    again = flaim.model_of(potentials, total=model.total)
    np.testing.assert_allclose(full_table(again), full_table(model), rtol=1e-9, atol=1e-15)


def test_potentials_of_a_model_are_a_view_that_outlives_it():
    potentials = flaim.potentials_of(flaim.estimate(SMALL, noisy_measurements(CYCLE, 8)))
    assert not potentials.flat.flags.writeable and not potentials.flat.flags.owndata
    assert np.isfinite(potentials.flat).all()
    for clique in potentials:
        assert np.shares_memory(potentials[clique].values, potentials.flat)


def test_a_start_near_the_answer_saves_iterations_and_changes_no_answer():
    measurements = noisy_measurements(CYCLE, 9)
    cold = flaim.estimate(SMALL, measurements, relative_gap=1e-5)
    moved = [flaim.Measurement(m.values + 0.01, m.clique, stddev=m.stddev) for m in measurements]
    warm = flaim.estimate(SMALL, moved, relative_gap=1e-5, start=cold)
    from_nothing = flaim.estimate(SMALL, moved, relative_gap=1e-5)
    assert warm.report["iterations"] < from_nothing.report["iterations"]
    for clique in CYCLE:
        np.testing.assert_allclose(warm.marginal(clique), from_nothing.marginal(clique), atol=1e-3)
    # Cliques that the start does not have begin at nothing.
    more = flaim.estimate(SMALL, [*moved, *noisy_measurements(["e"], 9)], start=cold)
    assert more.report["converged"]
    with pytest.raises(flaim.InputError, match="another domain"):
        flaim.estimate(flaim.Domain(["a"], [2]), [], total=1, start=cold)


def test_results_do_not_depend_on_threads():
    measurements = noisy_measurements(CYCLE, 10)
    one, many = (flaim.estimate(SMALL, measurements, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(flaim.potentials_of(one).flat, flaim.potentials_of(many).flat)


@pytest.mark.parametrize("make, text", [
    (lambda: flaim.Measurement([1, 2], "a", stddev=0), "positive"),
    (lambda: flaim.Measurement([1, 2], "a", stddev=-1), "positive"),
    (lambda: flaim.Measurement([1, 2], "a", variance=-1), "positive"),
    (lambda: flaim.Measurement([1, 2], "a", variance=float("nan")), "positive"),
    (lambda: flaim.Measurement([1, 2], "a", stddev=1, variance=1), "not both"),
    (lambda: flaim.Measurement([1, 2], ("a", "a")), "twice"),
    (lambda: flaim.estimate(SMALL, [flaim.Measurement([1, 2], "x")]), "no attribute 'x'"),
    (lambda: flaim.estimate(SMALL, [flaim.Measurement([1, 2, 3], "a")]), "no table"),
    (lambda: flaim.estimate(SMALL, [flaim.Measurement([1, np.nan], "a")]), "nan"),
    (lambda: flaim.estimate(SMALL, []), "give the total"),
    (lambda: flaim.estimate(SMALL, [], total=0), "positive"),
    (lambda: flaim.estimate(SMALL, [], total=1, method="newton"), "mirror-descent"),
    (lambda: flaim.estimate(SMALL, [], total=1, relative_gap=-1), "relative_gap"),
    (lambda: flaim.estimate(SMALL, [], total=1, max_iterations=-1), "max_iterations"),
    (lambda: flaim.estimate(SMALL, [], total=1, threads=-1), "threads"),
])
def test_what_cannot_be_estimated_is_refused(make, text):
    with pytest.raises(flaim.InputError, match=text):
        make()


def test_a_tree_beyond_the_limit_is_refused():
    with pytest.raises(flaim.FlaimError, match="more than the 10"):
        flaim.estimate(SMALL, noisy_measurements(CYCLE, 11), max_cells=10)


def test_a_measurement_knows_its_noise_either_way():
    for measurement in (flaim.Measurement([1, 2], "a", 3), flaim.Measurement([1, 2], "a", variance=9)):
        assert measurement.stddev == 3 and measurement.variance == 9 and measurement.clique == ("a",)
    assert flaim.Measurement([1, 2], "a").stddev == 1
    values = np.array([1.0, 2.0])
    assert flaim.Measurement(values, "a").values is values


def test_a_model_without_a_schema_answers_in_codes():
    model = flaim.estimate(SMALL, noisy_measurements(CYCLE, 12))
    rows = model.sample(4000, random_state=3)
    assert list(rows) == list(SMALL) and all(len(codes) == 4000 for codes in rows.values())
    for name, size in SMALL.to_dict().items():
        shares = np.bincount(rows[name], minlength=size) / 4000
        np.testing.assert_allclose(shares, model.marginal(name), atol=0.02)
    for name, codes in model.sample(4000, random_state=3).items():
        np.testing.assert_array_equal(codes, rows[name])
    assert len(model.sample()["a"]) == round(model.total)
    codes = np.stack([rows[name] for name in SMALL], axis=1)
    assert np.isfinite(model.log_density(codes)).all()
    codes[0, 2] = 9
    with pytest.raises(flaim.InputError, match="column c"):
        model.log_density(codes)


def test_a_model_without_a_schema_has_no_file_and_no_promise(tmp_path):
    model = flaim.estimate(SMALL, noisy_measurements(CYCLE, 13))
    for ask in (lambda: model.save(tmp_path / "m.flaim"), lambda: model.schema, lambda: model.budget):
        with pytest.raises(flaim.InputError, match="no schema"):
            ask()
    assert not (tmp_path / "m.flaim").exists()
    with pytest.raises(flaim.InputError, match="without a schema there is no `where`"):
        model.sample(10, where={"a": 1})


def test_a_model_of_potentials_was_not_fitted_and_says_so():
    model = flaim.model_of(flaim.CliqueVector.zeros(SMALL, [("a", "b")]))
    for ask in (lambda: model.gap, lambda: model.loss):
        with pytest.raises(flaim.InputError, match="not fitted"):
            ask()
