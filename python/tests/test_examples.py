"""Every script of examples/ runs by itself and shows what it says it shows."""

import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

SHOWS = {
    "one_table.py": [
        r"promise: epsilon 1, delta 1e-09, to add or remove one record",
        r"spent rho 0\.01\d+ of 0\.0150 in \d+ rounds",
        r"smokers: 0\.2\d+ of the synthetic rows, 0\.2\d+ of the private ones",
        r"no marginal is off by more than [\d.]+%",
        r"kept: <flaim\.Model of 3 columns",
        r"a second fit is refused: this run may cost rho",
    ],
    "simulated_federation.py": [
        r"^aim +0\.\d+ +one party holds the rows of everybody$",
        r"^dist-aim +0\.\d+ ",
        r"^augflaim-private +0\.\d+ ",
        r"^flaim-once +0\.\d+ ",
        r"^round 5 chose \w+ x \w+",
    ],
    "engine.py": [
        r"paid: rho 0\.0244 of 0\.0244 for 3 marginals",
        r"by the exact accountant that was epsilon 0\.9\d+",
        r"estimated: (19|20)\d{3} records, loss [\d.]+, certified gap 0\.\d+",
        r"junction tree: region x age - age x diagnosis - diagnosis x outcome, 98 cells",
        r"belief propagation: the same marginals: True",
        r"drawn: 10000 rows, .* diagnosis 4 in 0$",
        r"one more is refused: run 'example', round 1",
    ],
}


def test_every_script_is_known_here_and_listed_on_the_page():
    scripts = {path.name for path in EXAMPLES.glob("*.py")}
    assert scripts == set(SHOWS)
    page = (EXAMPLES / "README.md").read_text()
    assert all(f"[{script}]({script})" in page for script in scripts)


@pytest.mark.parametrize("script", SHOWS)
def test_an_example_runs_and_shows_what_it_promises(script, tmp_path):
    run = subprocess.run([sys.executable, EXAMPLES / script], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    for line in SHOWS[script]:
        assert re.search(line, run.stdout, re.MULTILINE), f"{line!r} is not in\n{run.stdout}"
