"""The command line, as ``python -m pseudolinear``."""

import sys

from pseudolinear.cli import main

if __name__ == "__main__":
    sys.exit(main())
