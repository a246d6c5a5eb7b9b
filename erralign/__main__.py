"""Let ``python -m erralign`` do what the command ``erralign`` does."""

from erralign.cli import main

main()
