"""Draw what fit and evaluate show in a terminal: ``python docs/images/terminal.py``."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from rich.console import Console
from rich.text import Text
from sklearn.datasets import make_classification

HERE = Path(__file__).parent
X, y = make_classification(3000, 8, weights=[0.9], flip_y=0.05, random_state=0)
rows = pd.DataFrame(X.round(3), columns=[f"x{i}" for i in range(8)]).assign(churned=y)
commands = [
    "pseudolinear fit train.csv --target churned --measure f1 --out churn.plm",
    "pseudolinear evaluate churn.plm test.csv",
]

console = Console(record=True, width=92, file=sys.stderr)
with TemporaryDirectory() as folder:
    rows[:2000].to_csv(f"{folder}/train.csv", index=False)
    rows[2000:].to_csv(f"{folder}/test.csv", index=False)
    for command in commands:
        run = [sys.executable, "-m", *command.split()]
        done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True)
        console.print(f"[bold]$ {command}[/bold]", highlight=False)
        console.print(Text.from_ansi(done.stdout))
        console.print("".join(done.stderr.splitlines(keepends=True)[-1:]), highlight=False)
picture = console.export_svg(title="pseudolinear")
picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # fonts from the network
(HERE / "terminal.svg").write_text(picture)
