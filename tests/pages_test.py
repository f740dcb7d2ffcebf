"""The pages of the project: links lead somewhere, lines are short enough to read, and the README's session runs.

Run by ctest as: python3 pages_test.py PATH_OF_FLAIM
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from cli_testing import FLAIM, CommandLineTest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md")]
SHORT_LINES = ["README.md", "docs/FEDERATION.md", "docs/PYTHON.md", "docs/ENROLMENT.md"]
LINE_LENGTH = 100
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def prose(text):
    """The text with an empty line in place of each line of a code block."""
    return re.sub(r"^```.*?^```$", lambda block: "\n" * block.group().count("\n"), text, flags=re.MULTILINE | re.DOTALL)


def without_targets(line):
    """A line as a reader sees it: of a link, its words."""
    return re.sub(r"(\[[^\]]*\])\([^)\s]+\)", r"\1", line)


def anchor(heading):
    """What GitHub makes of a heading: lower case, blanks as hyphens, no other signs."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page):
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", prose(page.read_text()), re.MULTILINE)}


def first_session():
    """The commands of the README's first session on the table that scripts/demo-data makes."""
    session = (ROOT / "README.md").read_text().split("## A first session")[1].split("## ")[0]
    return [line.strip() for line in re.findall(r"^    (flaim .*)$", session, re.MULTILINE) if "mine.csv" not in line]


class LinksTest(unittest.TestCase):
    def test_every_link_leads_to_a_file_and_to_a_heading(self):
        links = [(page, link) for page in PAGES for link in LINK.findall(prose(page.read_text())) if "://" not in link]
        self.assertGreater(len(links), 100)
        for page, link in links:
            with self.subTest(page=page.name, link=link):
                path, _, heading = link.partition("#")
                target = page.parent / path if path else page
                self.assertTrue(target.exists())
                if heading:
                    self.assertIn(heading, anchors(target))


class LinesTest(unittest.TestCase):
    def test_lines_are_short_as_they_are_read_outside_tables(self):
        for name in SHORT_LINES:
            for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
                if line.startswith("|"):
                    continue
                with self.subTest(page=name, line=number):
                    self.assertLessEqual(len(without_targets(line)), LINE_LENGTH)


class FirstSessionTest(CommandLineTest):
    def test_what_is_put_on_the_path_is_what_make_demo_builds(self):
        folder = re.search(r'export PATH="\$PWD/([^:]+):', (ROOT / "README.md").read_text()).group(1)
        self.assertIn(f"@scripts/demo {folder}/flaim ", (ROOT / "Makefile").read_text())

    def test_every_command_works_as_typed(self):
        subprocess.run([ROOT / "scripts" / "demo-data", self.folder], check=True)
        place = pathlib.Path(FLAIM).absolute().parent
        commands = first_session()
        self.assertGreaterEqual(len(commands), 7)
        for command in commands:
            done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{place}:{os.environ['PATH']}"})
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")
        self.assertEqual(len((self.folder / "synthetic.csv").read_text().splitlines()), 20001)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
