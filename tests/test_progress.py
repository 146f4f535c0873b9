"""Progress: a bar where somebody looks, few lines where nobody does, nothing where not wanted."""

import re

import pytest

from pseudolinear._progress import Progress, track


def test_logs_get_a_line_for_every_tenth(capsys):
    """However many steps there are."""
    with Progress("counting", 1_000.0) as progress:
        for number in range(1, 1_001):
            progress.update(number, "numbers")
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 10
    pattern = r"counting: numbers, (\d+) %, \d+ s, left \d+ s"
    assert [int(re.fullmatch(pattern, line)[1]) for line in lines] == list(range(10, 101, 10))


def test_what_was_done_before_is_not_counted_as_speed(capsys, monkeypatch):
    """A run that goes on at half of its work needs as long for the rest as it took since."""
    clock = iter([0.0, 8.0])
    monkeypatch.setattr("pseudolinear._progress.time.monotonic", lambda: next(clock))
    with Progress("going on", 100.0, done=50.0) as progress:
        progress.update(70.0)
    assert capsys.readouterr().err == "going on, 70 %, 8 s, left 12 s\n"


def test_a_terminal_gets_a_bar(capsys, monkeypatch):
    """With title, share, time left and what is done now."""
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    monkeypatch.setenv("COLUMNS", "120")
    with Progress("fit") as progress:
        progress.update(0.5, "boosting")
        progress.update(1.0, "training on all rows")
    out, err = capsys.readouterr()
    assert out == ""
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", err)
    assert "fit" in plain
    assert "100%" in plain
    assert "left" in plain
    assert "training on all rows" in plain


@pytest.mark.parametrize("total", [3.0, None])
def test_nothing_is_shown_to_those_who_do_not_ask(capsys, total):
    """Nor is there a line where nobody knows the total."""
    with Progress("quiet", total, shown=total is None) as progress:
        progress.update(2.0)
    assert list(track("abc", "letters", shown=False)) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")
