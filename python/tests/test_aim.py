"""flaim.AIM: the three lines, the ledger behind them, and equality with the command line."""

import os
import re
import signal
import subprocess
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest

import flaim
from clinic import SCHEMA, clinic
from test_simulation import METHODS, all_choices, choices_of


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "clinic.toml"
    path.write_text(SCHEMA)
    return path


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "clinic.csv"
    frame = clinic()
    frame.assign(insured=frame["insured"].map({True: "true", False: "false"})).to_csv(path, index=False)
    return path


def test_three_lines_give_rows_of_the_kind_that_went_in(schema, tmp_path):
    frame = clinic()
    model = flaim.AIM(epsilon=1.0, delta=1e-6).fit(frame, schema=str(schema))
    rows = model.sample(1000, where={"sex": "F"})
    model.save(tmp_path / "m.flaim")
    budget = flaim.load(tmp_path / "m.flaim").budget

    assert isinstance(rows, pd.DataFrame)
    assert list(rows.columns) == list(frame.columns)
    assert len(rows) == 1000 and set(rows["sex"]) == {"F"}
    assert rows["age"].dtype == frame["age"].dtype and rows["weight"].dtype == frame["weight"].dtype
    assert rows["insured"].dtype == bool and set(rows["ward"].dropna()) <= {"north", "south", "west"}
    assert budget.epsilon == 1.0 and budget.delta == 1e-6 and budget.is_private and budget.noise == "secure"
    assert 0 < budget.rho_spent <= budget.rho


def test_the_model_is_near_the_table_when_epsilon_is_large(schema):
    frame = clinic(20_000)
    model = flaim.AIM(epsilon=20, delta=1e-6, workload="all:2", ledger=None).fit(frame, schema=schema)
    truth = pd.crosstab(frame["sex"], frame["insured"], normalize="all").to_numpy()
    assert np.abs(model.marginal(("sex", "insured")) - truth).sum() < 0.02
    assert abs(model.total - 20_000) < 200


@pytest.mark.parametrize("parameters, flags", [
    ({}, []),
    ({"workload": "all:2"}, ["--workload", "all:2"]),
    ({"rounds": 4, "model_cells": 5000}, ["--rounds", "4", "--model-cells", "5000"]),
    ({"method": "aim-paper", "workload": "all:2"}, ["--method", "aim-paper", "--workload", "all:2"]),
    ({"changes": {"anneal": 2, "noise_penalty": 1, "selection_share": 0.2, "one_way_candidates": "filter"}},
     ["--anneal=2", "--noise-penalty", "1", "--selection-share", "0.2", "--one-way-candidates", "filter"]),
])
def test_the_same_seed_gives_the_bytes_of_the_command_line(flaim_program, schema, csv, tmp_path, parameters, flags):
    asked = [csv, "--schema", schema, "--epsilon", "2", "--seed", "7", *flags]
    subprocess.run([flaim_program, "fit", *asked, "--ledger", tmp_path / "a.ledger", "-o", tmp_path / "program.flaim"],
                   check=True, capture_output=True)
    method = [] if "--method" in flags else ["--method", "aim"]
    subprocess.run([flaim_program, "simulate", *asked, *method, "--partition", "iid:3", "-o", tmp_path / "simulated.flaim"],
                   check=True, capture_output=True)
    assert (tmp_path / "simulated.flaim").read_bytes() == (tmp_path / "program.flaim").read_bytes()
    subprocess.run([flaim_program, "sample", tmp_path / "program.flaim", "-n", "500", "--seed", "3", "-o",
                    tmp_path / "program.csv"], check=True, capture_output=True)
    simulation = flaim.Simulation(**{"method": "aim", **parameters}, clients=3, epsilon=2, random_state=7)
    simulation.fit(csv, schema=schema).save(tmp_path / "simulated.flaim")
    assert (tmp_path / "simulated.flaim").read_bytes() == (tmp_path / "program.flaim").read_bytes()
    for data in (clinic(), csv):
        ledger = tmp_path / f"{type(data).__name__}.ledger"
        model = flaim.AIM(epsilon=2, random_state=7, ledger=ledger, **parameters).fit(data, schema=schema)
        model.save(tmp_path / "python.flaim")
        assert (tmp_path / "python.flaim").read_bytes() == (tmp_path / "program.flaim").read_bytes()
        model.sample(500, random_state=3, to=tmp_path / "python.csv")
        assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()


def test_seeded_noise_is_stamped_and_not_called_private(schema):
    model = flaim.AIM(epsilon=1, random_state=1, workload="all:1").fit(clinic(200), schema=schema)
    assert not model.budget.is_private
    assert "NOT private" in str(model.budget) and "NOT private" in repr(model)


def test_a_path_has_its_ledger_beside_it_and_a_repeated_fit_pays_nothing(schema, csv):
    first = flaim.AIM(epsilon=1, workload="all:2").fit(csv, schema=schema)
    assert first.budget.ledger == f"{csv}.ledger" and os.path.exists(first.budget.ledger)
    again = flaim.AIM(epsilon=1, workload="all:2").fit(csv, schema=schema)
    assert again._fitted.to_bytes() == first._fitted.to_bytes()
    with pytest.raises(flaim.BudgetError, match="left"):
        flaim.AIM(epsilon=1, workload="all:1").fit(csv, schema=schema)


def test_a_ledger_given_is_used_for_frames_too(schema, tmp_path):
    ledger = tmp_path / "clinic.ledger"
    flaim.AIM(epsilon=1, workload="all:2", ledger=ledger).fit(clinic(), schema=schema)
    with pytest.raises(flaim.BudgetError):
        flaim.AIM(epsilon=0.5, workload="all:2", ledger=ledger).fit(clinic(), schema=schema)


def test_a_second_fit_without_a_ledger_warns_that_costs_add_up(schema):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            flaim.AIM(epsilon=1, workload="all:1").fit(clinic(100), schema=schema)
    assert any(issubclass(warning.category, flaim.BudgetWarning) for warning in caught)


@pytest.mark.parametrize("parameters, kind, text", [
    ({"epsilon": -1}, flaim.InputError, "epsilon"),
    ({"epsilon": 1, "delta": 0}, flaim.InputError, "delta"),
    ({"epsilon": 1, "workload": "all:9"}, flaim.InputError, "9"),
    ({"epsilon": 1, "workload": [("sex", "nobody")]}, flaim.InputError, "nobody"),
    ({"epsilon": 1, "memory": "lots"}, flaim.InputError, "lots"),
    ({"epsilon": 1, "model_cells": 3}, flaim.InputError, "cells"),
    ({"epsilon": 1, "model_cells": -3}, flaim.InputError, "cells"),
    ({"epsilon": 1, "random_state": -1}, flaim.InputError, "random_state is -1"),
    ({"epsilon": 1, "random_state": "one"}, flaim.InputError, "random_state is 'one', which is not a whole number"),
    ({"epsilon": "much"}, flaim.InputError, "epsilon is 'much', and cannot be of type str"),
    ({"epsilon": 1, "rounds": 1.5}, flaim.InputError, "rounds: 1.5 is not a whole number"),
    ({"epsilon": 1, "rounds": 2, "changes": {"anneal": 8}}, flaim.InputError, "rounds and anneal contradict"),
    ({"epsilon": 1, "method": "amy"}, flaim.InputError, "there is no method 'amy'"),
    ({"epsilon": 1, "method": "naive-flaim"}, flaim.InputError, "naive-flaim needs clients"),
    ({"epsilon": 1, "method": 1}, flaim.InputError, "method is 1"),
    ({"epsilon": 1, "changes": {"colour": "red"}}, flaim.InputError, "colour"),
    ({"epsilon": 1, "threads": 0}, flaim.InputError, "threads is 0; give a number from 1"),
    ({"epsilon": 1, "workload": 3}, flaim.InputError, "workload is 3"),
    ({"epsilon": 1, "workload": [[1]]}, flaim.InputError, "list of column names"),
])
def test_what_cannot_be_is_refused_with_the_programs_words(schema, parameters, kind, text):
    with pytest.raises(kind, match=text):
        flaim.AIM(**parameters).fit(clinic(50), schema=schema)


def choices_of_the_command_line(flaim_program):
    """The choices that `flaim fit` has flags for, as Python calls them."""
    help_text = subprocess.run([flaim_program, "fit", "--help"], check=True, capture_output=True, text=True).stdout
    return {name for name in all_choices() if re.search(rf"--{name.replace('_', '-')}\b(?!-)", help_text)}


def a_value_of_each_choice(flaim_program):
    """What some method has chosen; of choices for one table, what a method for one table has, which come first."""
    values = {}
    for method in METHODS:
        for name, value in choices_of(flaim_program, method).items():
            values.setdefault(name, value)
    return values


def test_a_fit_leaves_open_what_the_command_line_does_and_refuses_other_choices_by_name(flaim_program, schema):
    open_choices = choices_of_the_command_line(flaim_program)
    assert {"rounds", "anneal", "selection_share"} <= open_choices
    for name, value in a_value_of_each_choice(flaim_program).items():
        aim = flaim.AIM(epsilon=5, workload="all:1", random_state=1, changes={name: value})
        if name in open_choices:
            aim.fit(clinic(50), schema=schema)
        else:
            with pytest.raises(flaim.InputError, match=f"{name.replace('_', '-')} has no use in|in one table"):
                aim.fit(clinic(50), schema=schema)


def test_errors_are_those_of_the_command_line(flaim_program, schema, csv, tmp_path):
    done = subprocess.run([flaim_program, "fit", csv, "--schema", schema, "--epsilon", "1", "--workload", "all:9", "-o",
                           tmp_path / "m"], capture_output=True, text=True)
    with pytest.raises(flaim.InputError) as refused:
        flaim.AIM(epsilon=1, workload="all:9").fit(csv, schema=schema)
    assert str(refused.value) in done.stderr


def test_a_missing_file_is_an_os_error(schema, tmp_path):
    with pytest.raises(OSError):
        flaim.AIM(epsilon=1).fit(tmp_path / "nowhere.csv", schema=schema)
    with pytest.raises(OSError):
        flaim.load(tmp_path / "nowhere.flaim")


def test_a_damaged_model_is_refused(schema, tmp_path):
    flaim.AIM(epsilon=1, workload="all:1").fit(clinic(100), schema=schema).save(tmp_path / "m.flaim")
    content = bytearray((tmp_path / "m.flaim").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "m.flaim").write_bytes(content)
    with pytest.raises(flaim.DamagedFileError):
        flaim.load(tmp_path / "m.flaim")


def test_the_callback_sees_every_round_and_can_end_the_fit(schema, tmp_path):
    seen = []
    flaim.AIM(epsilon=1, rounds=5, workload="all:2", callback=lambda *report: seen.append(report)).fit(
        clinic(), schema=schema)
    assert len(seen) == 5 and seen[-1][1] == 1000

    class Enough(Exception):
        pass

    def stop(step, done, total, detail):
        raise Enough

    with pytest.raises(Enough):
        flaim.AIM(epsilon=1, rounds=5, workload="all:2", callback=stop).fit(clinic(), schema=schema)


def test_ctrl_c_ends_a_fit_between_rounds_and_the_ledger_goes_on_from_there(schema, tmp_path):
    ledger = tmp_path / "l.ledger"
    parameters = dict(epsilon=1, rounds=200, workload="all:2", ledger=ledger, random_state=5)
    rounds = []

    def interrupt(*report):
        rounds.append(report)
        if len(rounds) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        flaim.AIM(callback=interrupt, **parameters).fit(clinic(), schema=schema)
    assert len(rounds) < 10
    resumed = flaim.AIM(**parameters).fit(clinic(), schema=schema)
    parameters["ledger"] = tmp_path / "other.ledger"
    assert resumed._fitted.to_bytes() == flaim.AIM(**parameters).fit(clinic(), schema=schema)._fitted.to_bytes()


def test_ctrl_c_ends_a_fit_of_a_wide_table_in_the_middle_of_a_round(tmp_path):
    columns = 250
    path = tmp_path / "wide.toml"
    column = '[[column]]\nname = "c{}"\ntype = "integer"\nmin = 0\nmax = 7\n'
    path.write_text("".join(column.format(i) for i in range(columns)))
    codes = np.random.default_rng(1).integers(0, 8, (columns, 500))
    table = pd.DataFrame({f"c{i}": codes[i] for i in range(columns)})
    asked = []

    def interrupt():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        flaim.AIM(epsilon=3, rounds=80, ledger=tmp_path / "l.ledger", progress=False).fit(table, schema=path)
    assert time.monotonic() - asked[0] < 10


def test_other_threads_run_while_a_fit_works(schema):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    frame = clinic(20_000)
    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        begin = time.perf_counter()
        flaim.AIM(epsilon=5, workload="all:3").fit(frame, schema=schema)
        end = time.perf_counter()
    finally:
        done.set()
        ticker.join()
    during = [moment for moment in ticks if begin < moment < end]
    assert len(during) > 5, "the interpreter's lock was held"


def test_a_run_that_the_ledger_knows_comes_back_with_a_warning(schema, tmp_path):
    parameters = dict(epsilon=1, workload="all:1", ledger=tmp_path / "l.ledger")
    first = flaim.AIM(**parameters).fit(clinic(200), schema=schema)
    with pytest.warns(flaim.BudgetWarning, match="knows the run"):
        again = flaim.AIM(**parameters).fit(clinic(200), schema=schema)
    assert again._fitted.to_bytes() == first._fitted.to_bytes()


def test_a_run_does_not_come_back_for_other_rows(schema, tmp_path):
    parameters = dict(epsilon=1, workload="all:1", ledger=tmp_path / "l.ledger")
    flaim.AIM(**parameters).fit(clinic(200), schema=schema)
    spent = flaim.Ledger(tmp_path / "l.ledger").spent
    with pytest.raises(flaim.InputError, match="of other rows than these"):
        flaim.AIM(**parameters).fit(clinic(300, seed=2), schema=schema)
    assert flaim.Ledger(tmp_path / "l.ledger").spent == spent


def test_rows_have_one_account_whatever_their_path(schema, csv, tmp_path):
    flaim.AIM(epsilon=1, workload="all:1").fit(csv, schema=schema)
    link = tmp_path / "link.csv"
    link.symlink_to(csv)
    with pytest.raises(flaim.BudgetError, match="left"):
        flaim.AIM(epsilon=1, workload="all:2").fit(link, schema=schema)
    second = dict(epsilon=1, workload="all:2", ledger=tmp_path / "second.ledger")
    with pytest.raises(flaim.InputError, match="have an account already"):
        flaim.AIM(**second).fit(csv, schema=schema)
    assert not (tmp_path / "second.ledger").exists()
    flaim.AIM(**second, separate_ledger=True).fit(csv, schema=schema)


def test_a_copy_that_another_ledger_paid_for_is_warned_of(schema, csv, tmp_path):
    flaim.AIM(epsilon=1, workload="all:1").fit(csv, schema=schema)
    copy = tmp_path / "copy.csv"
    copy.write_bytes(csv.read_bytes())
    with pytest.warns(flaim.BudgetWarning, match="many of these rows were charged to"):
        flaim.AIM(epsilon=1, workload="all:1").fit(copy, schema=schema)


def test_rows_from_a_stream_need_a_ledger_by_name(schema):
    with pytest.raises(flaim.InputError, match="name a ledger"):
        flaim.AIM(epsilon=1).fit("-", schema=schema)


def test_secure_and_seeded_fits_share_no_ledger(schema, tmp_path):
    ledger = flaim.Ledger.create(tmp_path / "l.ledger", data="clinic", epsilon=5)
    flaim.AIM(epsilon=1, workload="all:1", ledger=ledger.path).fit(clinic(200), schema=schema)
    spent = flaim.Ledger(ledger.path).spent
    with pytest.raises(flaim.InputError, match="seed"):
        flaim.AIM(epsilon=1, workload="all:1", ledger=ledger.path, random_state=1).fit(clinic(200), schema=schema)
    assert flaim.Ledger(ledger.path).spent == spent
