"""Where tables and pictures of the book lie: in the repository, or in the package `erralign-book`."""

from pathlib import Path

CARRIED = Path(__file__).parent / "_data"
ROOT = CARRIED if CARRIED.is_dir() else Path(__file__).parents[2]


def data_folder() -> Path:
    """Return the folder of the printed numbers and the frozen results."""
    return ROOT / "data"


def place(name: str) -> Path:
    """Return where a picture lies that pages and notebooks show."""
    return ROOT / "book" / "assets" / name
