"""The Python on the pages of the documentation runs as it stands there."""

import inspect
import pathlib
import re

import pytest

import flaim
from clinic import SCHEMA, clinic

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])


def python_blocks(page):
    """The code, each block after as many empty lines as make error messages name the line of the page."""
    text = page.read_text()
    for match in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield "\n" * (text[: match.start()].count("\n") + 1) + match.group(1)


def is_ours(block):
    return not re.search(r"^(from|import) mbi\b", block, re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in PAGES if any(python_blocks(page))], ids=lambda page: page.name)
def test_every_block_is_python(page):
    for block in python_blocks(page):
        compile(block, page.name, "exec")


@pytest.mark.parametrize("name", ["PRIVATE_PGM.md", "PYTHON.md"])
def test_the_blocks_of_a_page_run_one_after_the_other(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("s.toml").write_text(SCHEMA)
    page = ROOT / "docs" / name
    known = {"df": clinic(1000)}
    blocks = [block for block in python_blocks(page) if is_ours(block)]
    for block in blocks:
        exec(compile(block, name, "exec"), known)
    assert len(blocks) >= 2


def test_every_name_that_the_page_maps_to_exists():
    page = (ROOT / "docs" / "PRIVATE_PGM.md").read_text()
    table = page[page.index("| Private-PGM | FLAIM |"):page.index("## What bites")]
    ours = " ".join(row.split(" | ")[1] for row in table.splitlines()[2:] if row.startswith("|"))
    names = set(re.findall(r"`([A-Za-z_.]+=?)", ours))
    assert len(names) > 35
    for name in names - {"vector"}:
        if name.endswith("="):
            assert name[:-1] in inspect.signature(flaim.estimate).parameters
            continue
        found = flaim.Model if name.startswith("model.") else flaim
        for part in name.removeprefix("model.").split("."):
            found = getattr(found, part)


def test_every_public_name_is_documented():
    for module in (flaim, flaim.privacy):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value) or inspect.ismodule(value):
                assert value.__doc__, f"{module.__name__}.{name} has no docstring"
