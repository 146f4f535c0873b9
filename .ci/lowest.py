"""Print the lowest versions that pyproject.toml allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
for requirements in (project["dependencies"], *project["optional-dependencies"].values()):
    for requirement in requirements:
        if ">=" in requirement:
            # constraints take no extras
            print(re.sub(r"\[.*\]", "", requirement).replace(">=", "=="))
