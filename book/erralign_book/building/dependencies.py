"""What an executed chapter depends on beside its text: the code that its cells reach, and the data that they read."""

from collections.abc import Iterable
from pathlib import Path

from erralign_book.building.chapters import source
from erralign_book.papers.code import PACKAGES, names_of_text

STUDIES = ("papers", "simulations")  # the packages of result tables


def cells(name: str, root: Path = Path()) -> str:
    """Return the code of a chapter, without that about guests, which does nothing where there are none."""
    import jupytext

    cells = (cell for cell in jupytext.read(source(name, root)).cells if cell.cell_type == "code")
    return "\n".join(cell.source for cell in cells if "guest" not in cell.metadata.get("tags", []))


def data(text: str, files: Iterable[Path]) -> list[Path]:
    """Pick the data files that cells may read: of the frozen tables, those whose functions they reach."""
    reached = names_of_text(text, PACKAGES)
    tables = {(name.split(".")[2], name.rpartition(".")[2]) for name in reached if name.split(".")[1] in STUDIES}
    return [file for file in files if not _is_table(file) or (file.parent.name, file.stem) in tables]


def _is_table(file: Path) -> bool:
    """Say whether a file is a frozen table of a study, or the index that records how all were frozen."""
    study = file.parent.name
    if file.parent.parent.name != "frozen":
        return file.match("frozen/index.csv")
    places = (package / kind / study for package in PACKAGES for kind in STUDIES)
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)
