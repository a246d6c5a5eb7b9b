"""What an executed chapter depends on beside its text: the code of both packages, and the data that it may read."""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import distributions, requires
from pathlib import Path

from packaging.requirements import Requirement

from erralign import files as library
from erralign_book.building.chapters import source

PACKAGES = (Path(library.__file__).parent, Path(__file__).parents[1])
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(?::tags: \[(.*?)\]\n)?(.*?)^```$", re.M | re.S)
HOME = re.compile(r"""^@frozen\(\s*f?["']([^"'{]+)""", re.M)
# Of a name that a parameter completes, its beginning.
NAMED = re.compile(r"""\b(?:frozen|(?:frozen_)?table)\(\s*f?["']([^"'{]+)""")


def forget_if_torn(memory: Path) -> None:
    """Remove what doit remembers where a full disk or a kill tore it: then all is done again, and remembered."""
    try:
        json.loads(memory.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    except ValueError:  # of JSON or of UTF-8
        memory.unlink()


@cache
def cells(name: str, root: Path = Path()) -> str:
    """Return the code of a chapter."""
    tagged = CELL.findall(source(name, root).read_text(encoding="utf-8"))
    return "\n".join(code for _, code in tagged)


@cache
def code() -> str:
    """Hash all files of both packages."""
    content = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted(package.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                content.update(path.relative_to(package.parent).as_posix().encode() + path.read_bytes())
    return content.hexdigest()[:12]


def data(text: str, files: Iterable[Path]) -> list[Path]:
    """Pick the data files that cells may read: of what was frozen, what these cells name."""
    named = tuple(NAMED.findall(text))
    picked = []
    for file in files:
        if file.name == "reproduced.csv":  # written from what chapters compare: only who counts it depends on it
            read = "reproduced(" in text
        else:
            read = _by_all(file) or name_of(file).startswith(named)
        if read:
            picked.append(file)
    return picked


@cache
def _by_all(file: Path) -> bool:
    """Say whether any page may read a file: what nobody froze, and what a drawing of the packages names."""
    return not _is_frozen(file) or f'"{name_of(file)}"' in _sources()


@cache
def _sources() -> str:
    """Return the text of both packages: some of their drawings read tables of cells, whichever page shows them."""
    return "\n".join(path.read_text(encoding="utf-8") for package in PACKAGES for path in sorted(package.rglob("*.py")))


def networks(text: str) -> dict[str, list[str]]:
    """Return the versions of what runs networks where cells do that: they compute when it is there, and else read."""
    if not re.search(r"\btorch\b", text):
        return {}
    extras = [Requirement(line) for line in requires("erralign") or ()]
    named = [package.name for package in extras if package.marker and package.marker.evaluate({"extra": "models"})]
    return {name: [found.version for found in distributions(name=name)] for name in named}


def homes(root: Path = Path()) -> dict[str, str]:
    """Return the chapter in which each frozen table of a cell is computed; a name may end where a parameter goes on."""
    return {
        name: path.stem
        for path in sorted((root / "notebooks").glob("*.md"))
        for name in HOME.findall(path.read_text(encoding="utf-8"))
    }


def in_order(pages: Iterable[str], root: Path = Path()) -> list[str]:
    """Put chapters into an order in which each comes after those whose tables it reads.

    Pages may show tables of each other beside their own, in a circle; then the one that is met first comes last.
    """
    home = homes(root)
    order: list[str] = []

    def put(page: str, above: tuple[str, ...]) -> None:
        if page in order or page in above:
            return
        for name in NAMED.findall(cells(page, root)):
            if name in home:
                put(home[name], (*above, page))
        order.append(page)

    wanted = list(pages)
    for page in wanted:
        put(page, ())
    return [page for page in order if page in wanted]


def _is_frozen(file: Path) -> bool:
    return "frozen" in file.parts and file.with_suffix(".json").is_file()


def name_of(file: Path) -> str:
    """Name a frozen result, by one of its two files, as ``table`` takes it."""
    folders = file.parts[file.parts.index("frozen") + 1 : -1]
    name = "/".join([*folders, file.stem])
    if file.with_suffix(".npz").is_file():
        return f"{name}.npz"
    return name
