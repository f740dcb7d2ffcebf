"""Type hints and docstrings, as somebody who installed the package sees them."""

import inspect
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import flaim

PACKAGE = pathlib.Path(flaim.__file__).parent


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """A copy of the package, because mypy says nothing about packages that are installed."""
    folder = tmp_path_factory.mktemp("types")
    shutil.copytree(PACKAGE, folder / "flaim", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return folder


def mypy(folder, *arguments):
    options = ["--strict", "--config-file=", f"--cache-dir={folder / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *arguments], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "MYPYPATH": str(folder), "PYTHONPATH": ""})
    return done.stdout + done.stderr


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").is_file()
    assert "class Table:" in (PACKAGE / "_flaim.pyi").read_text()


def test_the_package_passes_mypy(checked):
    assert mypy(checked, "-p", "flaim").startswith("Success: no issues found")


SCRIPT = '''
import flaim

aim = flaim.AIM(epsilon=1.0, delta=1e-6, workload=[("a", "b")])
model = aim.fit({"a": [1]}, schema="schema.toml")
reveal_type(model)
reveal_type(aim.fit({"a": [1]}, schema="schema.toml").sample(10, where={"a": 1}))
reveal_type(model.budget.epsilon)
reveal_type(model.marginal(["a", "b"]))
reveal_type(flaim.Simulation("aim", clients=[1, 2]).fit("rows.csv", schema=flaim.Schema.parse("")))
reveal_type(flaim.read_table({"a": [1]}, "schema.toml").domain)
try:
    flaim.load("model.flaim")
except flaim.InputError as error:
    reveal_type(error.args)
flaim.AIM(epsilon="much")
flaim.AIM(epsilom=1)
'''
REVEALED = [
    '"flaim._model.Model"',
    '"Any"',
    '"float"',
    '"numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]]"',
    '"flaim._model.Model"',
    '"dict[str, int]"',
    '"tuple[Any, ...]"',
]


def test_a_script_of_a_user_is_checked(checked):
    (checked / "script.py").write_text(SCRIPT)
    lines = mypy(checked, "script.py").splitlines()
    revealed = [line.partition("Revealed type is ")[2].replace("builtins.", "") for line in lines if "Revealed" in line]
    assert revealed == REVEALED
    errors = [line for line in lines if "error:" in line]
    assert len(errors) == 2 and 'expected "float"' in errors[0] and '"epsilom"' in errors[1], errors


def public_members(thing):
    """Methods and properties that the class, or a class of this package that it derives from, defines."""
    for base in thing.__mro__:
        if base.__module__.partition(".")[0] == "flaim":
            yield from ((f"{thing.__name__}.{name}", member) for name, member in vars(base).items() if name[0] != "_")


def is_described(member):
    needs_it = callable(member) or isinstance(member, (property, classmethod, staticmethod))
    return not needs_it or bool(inspect.getdoc(member))


@pytest.mark.parametrize("module", [flaim, flaim.counts, flaim.privacy])
def test_every_public_name_is_described(module):
    assert inspect.getdoc(module)
    named = {name: getattr(module, name) for name in module.__all__}
    described = {name: thing for name, thing in named.items() if inspect.isclass(thing) or inspect.isroutine(thing)}
    assert len(described) > 4 and not [name for name, thing in described.items() if not inspect.getdoc(thing)]


@pytest.mark.parametrize("thing", [flaim.AIM, flaim.Simulation, flaim.Model, flaim.Budget, flaim.Schema, flaim.Table])
def test_every_member_of_what_most_people_use_is_described(thing):
    assert not [name for name, member in public_members(thing) if not is_described(member)]


def test_all_lists_what_there_is():
    for module in (flaim, flaim.counts, flaim.privacy):
        assert sorted(module.__all__) == sorted(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)
