"""The command line: the verbs, what bad input gives, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import click
import numpy as np
import pytest
from click.shell_completion import ShellComplete
from sklearn.datasets import dump_svmlight_file, make_classification

from pseudolinear import cli, get_measure
from pseudolinear.cli import main
from pseudolinear.cli._main import verbs
from pseudolinear.cli.shared._options import ESTIMATORS, FORMATS, MEASURES
from pseudolinear.datasets import Format
from pseudolinear.portfolio._auto import RECIPES

VERBS = [
    *("adapt", "compare", "completion", "datasets", "demo", "evaluate", "export", "fit"),
    *("groups", "guarantee", "inspect", "predict", "report", "reproduce", "retarget", "threshold"),
]


@pytest.fixture
def rows(tmp_path):
    X, y = make_classification(150, weights=[0.8], random_state=0)
    path = tmp_path / "rows.svm"
    dump_svmlight_file(X, 2 * y - 1, str(path), zero_based=False)
    return path


def test_compare_prints_a_row_per_method(rows, run):
    """The same figures as JSON and as a table."""
    code, out, _ = run("compare", rows, "--methods", "linear,plain", "--json")
    found = json.loads(out)
    assert code == 0
    assert {row["method"] for row in found} == {"linear", "plain"}
    code, out, _ = run("compare", rows, "--methods", "linear,plain")
    assert code == 0
    for row in found:
        assert f"{row['value']:.4f}" in out
    assert "trained" in out
    assert "level" not in out
    assert "for all comparisons with the best together (Bonferroni)" in out


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("evaluate", "What to measure (of a model, by default what it was made for)"),
        ("fit", "Keep what retarget, adapt and guarantee need"),
        ("compare", '"Trained" is how many problems a fit trains'),
        ("predict", "rows with a positive score are predicted positive"),
    ],
)
def test_help_says_what_is_meant(verb, said, run):
    """However the lines are broken."""
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert said in " ".join(out.split())


def test_compare_needs_a_target_and_says_what_failed(run, frame, tmp_path):
    """Methods that take no gaps are listed as failed; ours works, so the code is 0."""
    frame[["age", "importance", "churned"]].to_csv(tmp_path / "a.csv", index=False)
    code, _, err = run("compare", tmp_path / "a.csv", "--methods", "default,plain")
    assert code == 2
    assert "Say what to predict" in err
    options = ("--target", "churned", "--methods")
    code, out, _ = run("compare", tmp_path / "a.csv", *options, "default,svm_perf")
    assert code == 0
    assert "nan" not in out.lower().replace("contains nan", "")
    assert "failed" in out
    code, out, err = run("compare", tmp_path / "a.csv", *options, "svm_perf")
    assert code == 1
    assert err == "Error: every method failed; see the notes.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "missing.svm"], "missing.svm"),
        (["datasets", "--download", "enron"], "enron"),
        (["reproduce", "--datasets", "nowhere"], "nowhere"),
        (["predict", "missing.plm", "rows.csv", "--out", "-"], "missing.plm does not exist"),
        (["inspect", "missing.plm"], "missing.plm does not exist"),
    ],
)
def test_bad_input_is_one_sentence_and_a_failure(arguments, message, run, tmp_path, monkeypatch):
    """No traceback, no file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PSEUDOLINEAR_DATA", str(tmp_path))
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert err.startswith("Error: ")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["dmeo"],
        ["fit"],
        ["fit", "--nothing"],
        ["compare"],
        ["fit", "rows.csv", "--target", "y", "--out", "m.plm", "--estimator", "nope"],
        ["compare", "rows.csv", "--target", "y", "--methods", "plain,nope"],
        ["guarantee", "m.plm", "rows.csv", "--promise", "nope", "--out", "n.plm"],
    ],
)
def test_wrong_use_is_exit_code_2(arguments, run):
    """With a word on how to get help."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert "--help" in err


def test_estimators_are_those_of_the_package():
    """And the tree of many labels."""
    assert set(ESTIMATORS) == {"auto", *RECIPES, "tree"}


def test_datasets_shows_the_published_attributes(run, tmp_path, monkeypatch):
    """Without data, what is published alone."""
    monkeypatch.setenv("PSEUDOLINEAR_DATA", str(tmp_path))
    code, out, _ = run("datasets", "--json")
    assert code == 0
    published = {(row["dataset"], row["attribute"]): row["published"] for row in json.loads(out)}
    assert np.isclose(published["scene", "n_train"], 1211)
    code, out, _ = run("datasets")
    assert "1211" in next(x for x in out.splitlines() if "scene" in x and "n_train" in x)


def test_a_new_verb_is_one_file(run, tmp_path, monkeypatch):
    """A module in the folder of the command line is listed, parsed and run."""
    (tmp_path / "_greet.py").write_text(
        "import click\n"
        "from pseudolinear.cli.shared import Verb\n"
        "@click.command('greet', cls=Verb, short_help='Say hello.')\n"
        "@click.argument('name')\n"
        "def command(output, *, name):\n"
        "    output.result({'hello': name}, lambda: f'hello {name}')\n"
    )
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    code, out, _ = run("--help")
    assert code == 0
    assert all(verb in out for verb in VERBS)
    assert "Say hello." in out
    assert run("greet", "you") == (0, "hello you\n", "")
    assert run("greet", "you", "--json") == (0, '{"hello": "you"}\n', "")


def test_every_verb_has_what_all_verbs_have():
    """JSON, quiet, help."""
    context = click.Context(verbs)
    assert verbs.list_commands(context) == VERBS
    for name in VERBS:
        options = {
            option for param in verbs.get_command(context, name).params for option in param.opts
        }
        assert {"--json", "--quiet"} <= options


def test_names_that_are_written_out_are_those_of_the_library():
    """The command line lists them itself, so that it need not load the library."""
    assert set(FORMATS) == set(Format.known)
    assert all(get_measure(name) for name in MEASURES)


def test_the_package_is_a_command_that_lists_its_verbs_at_once():
    """With python -m too; what a verb needs is imported when it runs."""
    command = [sys.executable, "-X", "importtime", "-m", "pseudolinear", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Usage: pseudolinear" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pseudolinear.cli._main" in loaded
    assert not loaded & {"numpy", "sklearn", "pandas", "rich", "pseudolinear.measures"}


def test_version_is_that_of_the_package(run):
    """As pip knows it."""
    from importlib.metadata import version

    assert run("--version") == (0, f"pseudolinear {version('pseudolinear')}\n", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_that_of_click(run, shell):
    """The script calls the program back, which knows verbs, options and measures."""
    code, out, _ = run("completion", shell)
    assert code == 0
    assert f"_PSEUDOLINEAR_COMPLETE={shell}_complete" in out
    complete = ShellComplete(verbs, {}, "pseudolinear", "_PSEUDOLINEAR_COMPLETE")
    assert [item.value for item in complete.get_completions([], "ret")] == ["retarget"]
    found = complete.get_completions(["fit", "--measure"], "jacc")
    assert [item.value for item in found] == ["jaccard", "jaccard_macro", "jaccard_micro"]


def test_a_traceback_is_there_for_who_asks(run, monkeypatch):
    """By an option that is not listed, or by the environment."""
    monkeypatch.setenv("PSEUDOLINEAR_DEBUG", "0")
    assert "Traceback" not in run("inspect", "missing.plm")[2]
    assert "Traceback" in run("inspect", "missing.plm", "--debug")[2]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals of POSIX")
@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_is_one_line_and_leaves_nothing(tmp_path, jobs):
    """Ctrl-C reaches the whole group of processes; none of them prints, none goes on."""
    pandas = pytest.importorskip("pandas")
    X, y = make_classification(20_000, 20, random_state=0)
    pandas.DataFrame(X).add_prefix("x").assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    command = [sys.executable, "-m", "pseudolinear", "fit", str(tmp_path / "rows.csv")]
    options = ["--target", "y", "--out", str(tmp_path / "m.plm"), "--jobs", str(jobs)]
    with subprocess.Popen(
        [*command, *options, "--effort", "best"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as running:  # fmt: skip
        time.sleep(4)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (out, err) == ("", "Interrupted; nothing was written.\n")
    assert running.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_main_leaves_signals_as_they_were(run):
    """It can be called from a program of one's own."""
    before = signal.getsignal(signal.SIGINT)
    run("--version")
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert main([]) == 0


TWICE = """
    import os, signal, sys, time
    from pseudolinear.cli.shared._interrupts import InterruptedByUser, interruptible

    signal.signal(signal.SIGINT, signal.default_int_handler)  # which work in the background ignores
    signal.pthread_sigmask(signal.SIG_BLOCK, map(int, sys.argv[1:]))

    def work():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60)
        except KeyboardInterrupt:
            os.kill(os.getpid(), signal.SIGINT)
            raise

    try:
        with interruptible():
            work()
    except InterruptedByUser:
        print("one interrupt")
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals of POSIX")
@pytest.mark.parametrize("blocked", [[], ["SIGINT"], ["SIGUSR1"]])
def test_a_second_interrupt_is_one_with_the_first(blocked):
    """As `timeout -s INT` sends two: no traceback, whatever the parent process has blocked."""
    numbers = [str(int(getattr(signal, name))) for name in blocked]
    # a process of its own: signals reach any thread of a process
    script = [sys.executable, "-c", textwrap.dedent(TWICE), *numbers]
    run = subprocess.run(script, capture_output=True, text=True, timeout=50)
    assert (run.stdout, run.stderr, run.returncode) == ("one interrupt\n", "", 0)
