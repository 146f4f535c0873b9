"""Run a benchmark and keep what it prints.

    python -m benchmarks.run linear_grid yeast --loss hinge

prints the lines of that script and adds them to ``results/linear_grid.jsonl``, with the day and
the machine. Tables are drawn of the last line of every figure: ``python -m benchmarks.draw``.
"""

from __future__ import annotations

import datetime
import json
import platform
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def processor() -> str:
    """Name the processor, as the kernel tells it."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main(name: str, *options: str) -> int:
    """Run one script; return its exit code."""
    seen = {"day": datetime.date.today().isoformat(), "processor": processor()}
    command = [sys.executable, "-m", f"benchmarks.{name}", *options]
    file = RESULTS / f"{name.replace('.', '_')}.jsonl"
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process,
        file.open("a") as kept,
    ):
        for line in process.stdout or ():
            print(line, end="", flush=True)
            if line.startswith("{"):
                print(json.dumps(json.loads(line) | seen), file=kept, flush=True)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
