"""Run the snippets of a page of the documentation, and compare what they print with what it shows.

A page is a story: its blocks run in order, share their names and one folder.

- A block ``python`` is executed. If a block ``text`` follows at once, that is what it prints.
- A block ``console`` holds commands, each after a ``$``, and what they print, which is compared
  where it is shown.
- A block after a comment ``<!-- not run: why -->`` is left out.

In what is shown, white space does not matter, ``...`` stands for anything, and a number with
decimals is as exact as its digits. It was printed with OpenBLAS' kernels for Haswell, which
``make`` asks for; with kernels that round otherwise, code runs and its output is not compared.
"""

import os
import re
import shlex
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from threadpoolctl import threadpool_info

from pseudolinear.cli import main

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(
    r"^(?P<skip><!-- not run: [^>]+ -->\n)?"
    r"```(?P<language>python|console)\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n(?P<shown>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)
PIECE = re.compile(r"-?\d+\.\d+|\d+|[^\W\d]+|\.\.\.|\S")


def run_page(path, folder):
    """Run all blocks of a page in a folder, which must be the current one; return their names."""
    names = {"__name__": "page"}
    for block in BLOCK.finditer(path.read_text()):
        where = f"{path.name}, block at character {block.start()}"
        if block["skip"]:
            continue
        if block["language"] == "console":
            run_commands(block["code"], folder, where)
            continue
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(block["code"], where, "exec"), names)
        if block["shown"] is not None:
            assert_shown(block["shown"], printed.getvalue(), where)
    return names


def run_commands(text, folder, where):
    """Run every command of a block: ours in this process, others in a shell."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        code, printed = run_command(command, folder)
        assert code == 0, f"{where}: {command}\n{printed}"
        if shown.strip():
            assert_shown(shown, printed, f"{where}: {command}")


def run_command(command, folder):
    """Return the exit code of a command and what it prints; of ours, not what goes to stderr."""
    if not command.startswith("pseudolinear "):
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    printed, said = StringIO(), StringIO()
    narrow = patch.dict(os.environ, {"COLUMNS": "88"})
    with narrow, redirect_stdout(printed), redirect_stderr(said):
        code = main(shlex.split(command)[1:])
    return code, printed.getvalue() or said.getvalue()


def rounds_as_recorded():
    """Whether sums are rounded as they were when the pages were written."""
    kernels = {library.get("architecture") for library in threadpool_info()} - {None}
    return kernels <= {"Haswell", "Zen"}


def assert_shown(shown, printed, where):
    """What is shown is what was printed."""
    assert not rounds_as_recorded() or agree(PIECE.findall(shown), PIECE.findall(printed)), (
        f"{where}\n--- the page shows\n{shown}\n--- the code prints\n{printed}"
    )


def agree(shown, printed):
    """Whether pieces are the same, where ``...`` is any number of them."""
    first, *others = split(shown)
    if not matches(first, printed[: len(first)]) or (not others and len(printed) > len(first)):
        return False
    start = len(first)
    for part in others[:-1]:
        ends = range(start + len(part), len(printed) + 1)
        start = next((end for end in ends if matches(part, printed[end - len(part) : end])), None)
        if start is None:
            return False
    return not others or matches(others[-1], printed[max(start, len(printed) - len(others[-1])) :])


def split(pieces):
    """What stands between the ``...``."""
    parts = [[]]
    for piece in pieces:
        if piece == "...":
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def matches(shown, printed):
    """Whether as many pieces are the same, one by one."""
    return len(shown) == len(printed) and all(map(same, shown, printed))


def same(shown, printed):
    """Whether two words or signs are equal, or two numbers to the digits that are shown."""
    if shown == printed or "." not in shown[:-1] or "." not in printed[:-1]:
        return shown == printed
    digits = len(shown.partition(".")[2])
    return abs(float(shown) - float(printed)) < 10.0**-digits
