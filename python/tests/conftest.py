"""What all tests share: the command-line program, and the folder of the helpers beside them."""

import os
import pathlib
import sys

import pytest
from hypothesis import settings

_HERE = str(pathlib.Path(__file__).resolve().parent)
if _HERE not in sys.path:
    sys.path.insert(0, _HERE)


# The same examples each time; for new ones: pytest --hypothesis-profile=default
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    # Nobody's data is fitted here. The test of the warning turns it on again.
    config.addinivalue_line("filterwarnings", "ignore:this is fit number:UserWarning")


@pytest.fixture(autouse=True)
def own_registry(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ledgers of the tests are not remembered in the state folder of whoever runs them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(scope="session")
def flaim_program() -> str:
    """The command-line program that results are compared with: where the environment variable FLAIM_PROGRAM says."""
    path = os.environ.get("FLAIM_PROGRAM", "")
    if not path:
        pytest.fail("set FLAIM_PROGRAM to the path of the command-line program flaim, e.g. with scripts/test-python")
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        pytest.fail(f"FLAIM_PROGRAM is {path!r}, which is not a program; build it, or correct the path")
    return os.path.abspath(path)
