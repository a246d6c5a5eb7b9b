"""The house stands as it was drawn: floors without circles, nothing unused, a clean tree."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGES = (ROOT / "erralign", ROOT / "book" / "erralign_book")
# From the ground up: a file imports from its own floor or from those below. CONTRIBUTING draws the same house.
FLOORS = [
    set(line.split())
    for line in """
    _validation results files _lazy parallel behaviour bounds similarity triplets measures
    responses pairs kinds diversity inference significance planning resi_tests inspect
    datasets models training
    plot
    reports
    cli __main__
    cells published distortions on_site course studies
    papers simulations guests
    charts set_pieces
    building
    commands
    """.strip().splitlines()
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS, start=1) for room in rooms}


def dotted(path):
    package = next(package for package in PACKAGES if package in path.parents)
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for package in PACKAGES for path in sorted(package.rglob("*.py"))}
INSIDE = [name for name in MODULES if "." in name]


@cache
def trees():
    """Parse the houses once, in the process that needs it."""
    return {name: ast.parse(path.read_text()) for name, path in MODULES.items()}


# --- floors -----------------------------------------------------------------------------------------------------------


def imports(tree):
    """Yield every module that a file imports, wherever it does so, and of ours those that it names at run time."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            deeper = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (other if other in MODULES else node.module for other in deeper)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from modules_below(node.value.partition(":")[0].rstrip("."))


def modules_below(text):
    """Return the modules that a text names: one of ours and, of a package, all that is in it."""
    return [name for name in INSIDE if name == text or name.startswith(f"{text}.")] if text in INSIDE else []


def own_imports(name):
    return {imported for imported in imports(trees()[name]) if imported in MODULES} - {name}


def floor(name):
    return FLOOR_OF[name.split(".")[1]]


def test_imports_never_go_up():
    fronts = {name: own_imports(name) & {"erralign", "erralign_book"} for name in INSIDE}
    assert {name: found for name, found in fronts.items() if found} == {}, "import from the module itself"
    upward = {name: {one for one in own_imports(name) & {*INSIDE} if floor(one) > floor(name)} for name in INSIDE}
    assert {name: found for name, found in upward.items() if found} == {}


def test_the_library_knows_nothing_of_the_book():
    """Neither its modules nor its stubs, at run time or for types, name the book."""
    library = sorted(path for kind in ("*.py", "*.pyi") for path in (ROOT / "erralign").rglob(kind))
    assert len(library) > 100
    assert [path.name for path in library if "erralign_book" in path.read_text()] == []


def test_imports_have_no_circle():
    list(TopologicalSorter({name: own_imports(name) for name in INSIDE}).static_order())


LEFT_OUT = {
    "": "numpy pandas scipy",
    "[getattr(erralign, name) for name in erralign.__all__]": "scipy.stats altair joblib pooch torch inspect_ai",
    "import erralign_book.course": "altair joblib IPython",
    "import erralign.models, erralign.cli": "torch timm PIL",
}


@pytest.mark.slow
@pytest.mark.parametrize(("use", "slow"), LEFT_OUT.items())
def test_importing_the_package_leaves_out_what_is_slow_to_import(use, slow):
    code = f"import sys, erralign; {use}\nprint(sorted(set({slow.split()}) & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


# --- nothing unused ---------------------------------------------------------------------------------------------------

# --- a clean tree -----------------------------------------------------------------------------------------------------


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = {"": "book cluster test lint", "-models": "models graphs words onnx", "-course": "course"}
PINNED = r"^([\w.-]+)(?:\[\w+\])?==(\S+)"


@pytest.mark.parametrize(("lock", "extras"), LOCKS.items())
def test_the_locks_hold_what_the_package_asks_for_and_the_plain_one_nothing_that_runs_networks(lock, extras):
    text = (ROOT / f"requirements{lock}.lock").read_text()
    locked = {canonicalize_name(name): version for name, version in re.findall(PINNED, text, re.M)}
    asked = [*([] if lock else PROJECT["dependencies"]), *(each for extra in extras.split() for each in EXTRAS[extra])]
    there = {each: locked.get(canonicalize_name(each.name), "0") for each in map(Requirement, asked)}
    assert [str(each) for each, version in there.items() if not each.specifier.contains(version)] == []
    assert lock or [name for name in locked if re.match("torch|timm|onnx|nvidia|cuda|triton", name)] == []
    assert lock or [pin for pin in re.split(r"\n(?=\w)", text)[1:] if "--hash=sha256:" not in pin] == []


def test_no_file_names_a_machine_or_a_registry():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("needs git: this is not a checkout")
    # Brackets around one letter, so that this file passes its own test.
    machine = re.compile("/[r]oot/|/[h]ome/[a-z]|/[w]ork/|/[o]pt/|inde[x]-url|find-link[s]")
    texts = [path for path in listed.stdout.splitlines() if not path.endswith((".png", ".webp", ".npz", ".woff2"))]
    texts = [path for path in texts if (ROOT / path).is_file()]
    assert [path for path in texts if machine.search((ROOT / path).read_text())] == []
