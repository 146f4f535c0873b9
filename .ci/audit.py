"""Run pip-audit on what is installed; without its list of weaknesses, say so and go on."""

import subprocess
import sys

UNREACHABLE = ("ConnectionError", "ServiceError", "NameResolutionError", "ProxyError")
UNKNOWN = "could not be audited"


def main() -> int:
    """Return 1 if a dependency has a known weakness, or pip-audit does not run."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off"]
    run = subprocess.run(command, capture_output=True, text=True)
    lines = (run.stdout + run.stderr).splitlines()
    print(*(line for line in lines if UNKNOWN not in line), sep="\n")
    if unknown := sum(UNKNOWN in line for line in lines):
        print(f"{unknown} packages could not be audited: their list cannot be had here.")
    if run.returncode and any(word in run.stderr for word in UNREACHABLE):
        print("pip-audit could not fetch its list; nothing was audited.")
        return 0
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
