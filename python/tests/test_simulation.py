"""flaim.Simulation: every method, and equality with the command line."""

import json
import subprocess

import numpy as np
import pytest

import flaim
from clinic import SCHEMA, clinic

PRIVATE_TABLE = clinic(600)
METHODS = [method["name"] for method in flaim.methods()]


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    path = tmp_path_factory.mktemp("schema") / "clinic.toml"
    path.write_text(SCHEMA)
    return path


def small(**parameters):
    usual = {"clients": 20, "epsilon": 5, "workload": "all:2", "participation": 0.5, "random_state": 3}
    return flaim.Simulation(**{**usual, **parameters})


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs(method, schema):
    simulation = small(method=method)
    model = simulation.fit(PRIVATE_TABLE, schema=schema)
    assert model.marginal("sex").sum() == pytest.approx(1)
    assert not model.budget.is_private, "a simulation is stamped"
    assert simulation.clients_["enrolled"] in (1, 20)


@pytest.mark.parametrize("partition", ["iid:20", "clusters:4", "label-skew:5:0.5:ward"])
def test_the_same_seed_gives_the_same_bytes_as_the_command_line(flaim_program, schema, tmp_path, partition):
    data = tmp_path / "rows.csv"
    PRIVATE_TABLE.assign(insured=PRIVATE_TABLE["insured"].map({True: "true", False: "false"})).to_csv(data, index=False)
    subprocess.run(
        [flaim_program, "simulate", data, "--schema", schema, "--partition", partition, "--method", "augflaim-private",
         "--epsilon", "5", "--workload", "all:2", "--participation", "0.5", "--seed", "3", "-o", tmp_path / "p.flaim"],
        check=True, capture_output=True)
    for rows in (PRIVATE_TABLE, data):
        small(method="augflaim-private", clients=partition).fit(rows, schema=schema).save(tmp_path / "q.flaim")
        assert (tmp_path / "q.flaim").read_bytes() == (tmp_path / "p.flaim").read_bytes()


def test_clients_come_from_a_column_or_an_array_alike(schema, tmp_path):
    owner = np.arange(len(PRIVATE_TABLE)) % 7
    with_column = PRIVATE_TABLE.assign(hospital=owner)
    by_array = small(clients=owner).fit(PRIVATE_TABLE, schema=schema)
    by_column = small(clients="column:hospital").fit(with_column, schema=schema)
    assert by_array._fitted.to_bytes() == by_column._fitted.to_bytes()
    data = tmp_path / "rows.csv"
    with_column.assign(insured=with_column["insured"].map({True: "true", False: "false"})).to_csv(data, index=False)
    by_file = small(clients="column:hospital").fit(data, schema=schema)
    assert by_file._fitted.to_bytes() == by_array._fitted.to_bytes()


def test_rounds_are_reported_as_they_happen_and_kept(schema):
    seen = []
    simulation = small(method="augflaim-private", rounds=4, callback=seen.append, evaluate=True)
    simulation.fit(PRIVATE_TABLE, schema=schema)
    assert seen == simulation.rounds_
    assert [round_["round"] for round_ in seen] == [1, 2, 3, 4]
    assert all(0 <= round_["error"]["queries"] <= 2 for round_ in seen)
    assert set(simulation.errors_) == {"model", "rows"}


def test_an_exception_in_the_callback_ends_the_simulation(schema):
    def stop(round_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        small(method="augflaim-private", rounds=4, callback=stop).fit(PRIVATE_TABLE, schema=schema)


@pytest.mark.parametrize("parameters, text", [
    ({"method": "augflame"}, "augflame"),
    ({"clients": "islands:3"}, "islands"),
    ({"clients": "column:nobody"}, "nobody"),
    ({"clients": np.zeros(3, dtype=int)}, "rows"),
    ({"clients": np.zeros(600)}, "whole number"),
    ({"changes": {"colour": "red"}}, "colour"),
    ({"rounds": 0}, "rounds: 0 is not a whole number from 1"),
    ({"rounds": 2.5}, "rounds: 2.5 is not a whole number"),
    ({"rounds": [3]}, "rounds is .3., and cannot be of type list"),
    ({"changes": {"penalty": "some"}}, "penalty: 'some' is not one of none, oracle, proxy"),
    ({"changes": {"cap": 0}}, "cap: 0 is not"),
    ({"changes": {"selection_share": float("nan")}}, "selection-share: nan is not"),
    ({"changes": {"marginals": 3}}, "marginals has no use in augflaim-private"),
    ({"participation": 0}, "participation 0 is not a rate"),
    ({"availability": "sometimes"}, "'sometimes' is none of"),
    ({"method": "augflam-private"}, "Did you mean 'augflaim-private'"),
    ({"threads": 0}, "threads is 0"),
    ({"clients": 0}, "number of clients"),
    ({"clients": 1.5}, "whole number for each row"),
])
def test_what_cannot_be_is_refused(schema, parameters, text):
    with pytest.raises(flaim.InputError, match=text):
        small(**parameters).fit(PRIVATE_TABLE, schema=schema)


def choices_of(flaim_program, method):
    """What the method has chosen, as the program shows it, by Python's names."""
    shown = subprocess.run([flaim_program, "methods", method, "--json"], check=True, capture_output=True).stdout
    return {name.replace("-", "_"): value for name, value in json.loads(shown)["choices"].items()}


def all_choices():
    with pytest.raises(flaim.InputError) as refused:
        small(changes={"colour": "red"})._method()
    return str(refused.value).split("choices are ")[1].split(", ")


@pytest.mark.parametrize("method", METHODS)
def test_a_method_takes_its_own_choices_and_all_are_known(flaim_program, schema, method):
    choices = choices_of(flaim_program, method)
    assert set(choices) <= set(all_choices())
    # At this rate clients that serve once last for the rounds that a preset shows.
    changed, unchanged = (small(method=method, participation=0.1, changes=each) for each in (choices, None))
    changed.fit(PRIVATE_TABLE, schema=schema)
    unchanged.fit(PRIVATE_TABLE, schema=schema)
    assert len(changed.rounds_) == len(unchanged.rounds_)


# No choice has such a value: not as a word, and not as a number.
@pytest.mark.parametrize("value", ["strange", -1, True])
def test_every_choice_refuses_by_its_name_what_does_not_belong_there(value):
    for choice in all_choices():
        with pytest.raises(flaim.InputError, match=f"{choice.replace('_', '-')}: "):
            small(changes={choice: value})._method()
