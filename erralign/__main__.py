"""Let ``python -m erralign`` do what the command ``erralign`` does."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # a clone can be started with any Python
    sys.exit(f"erralign needs Python 3.11 or newer; this is {sys.version.split()[0]}")

from erralign.cli import main

main()
