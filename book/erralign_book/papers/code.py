"""What a result depends on: a hash over all definitions of ours that its code reaches, wherever they stand.

Names are resolved as Python would, through imports, aliases and re-exports, but nothing is run. No result depends on
docstrings, comments, annotations, the messages of errors, or the file and line of a definition, so they don't count.
(In a chapter, messages do: a reader sees them.)
"""

from __future__ import annotations

import ast
import hashlib
import pickle
import symtable
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import erralign

# The library and the book: where a definition stands does not count, so one may move from one house to the other.
PACKAGES = (Path(erralign.__file__).parent, Path(__file__).parents[1])
# They decide where bytes come from; the bytes are checked, and their hash is recorded beside that of the code.
DATA_ROAD = ("erralign_book.papers.frozen", "erralign.sources.archives")
# Arguments of ``frozen`` that say how a table is checked, not what is in it.
CHECKS = ("rtol", "spot")

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BINDINGS = (*DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign)

# Module and name.
Place = tuple[str, str]
Packages = tuple[Path, ...]
# Texts of definitions, and the places that they name.
Reached = tuple[set[str], set[Place]]


def code_of(name: str, packages: Packages = PACKAGES) -> str:
    """Return a short hash of the code of a result table."""
    start = _find(packages, name)
    if start is None:
        raise ValueError(f"{name} does not exist: expected a full name in {', '.join(map(str, packages))}")
    texts, _ = _closure(packages, {start}, outside=DATA_ROAD)
    return _hash(texts)


def code_of_text(source: str, packages: Packages = PACKAGES) -> str:
    r"""Return a short hash of code, such as a chapter's cells, and of all that it reaches in the package."""
    return _hash(_reached_by_text(source, packages)[0])


def names_of_text(source: str, packages: Packages = PACKAGES) -> set[str]:
    """Return the full names of all that code, such as a chapter's cells, reaches in the package."""
    return {f"{module}.{name}" for module, name in _reached_by_text(source, packages)[1] if name}


@cache
def _reached_by_text(source: str, packages: Packages) -> Reached:
    texts, reached = _read(packages, ast.parse(source), {}, messages=True)
    more, places = _closure(packages, reached, messages=True)
    return texts | more, places


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:12]


def _closure(packages: Packages, todo: set[Place], *, outside: tuple[str, ...] = (), messages: bool = False) -> Reached:
    """Return the texts of all definitions that some reach, and where they stand."""
    texts: set[str] = set()
    seen: set[Place] = set()
    while todo := {(module, name) for module, name in todo - seen if module not in outside}:
        seen |= todo
        found = [_definition(packages, *place, messages) for place in todo]
        texts = texts.union(*(text for text, _ in found))
        # Whoever uses a name runs its module.
        todo = set().union({(module, "") for module, _ in todo}, *(reached for _, reached in found))
    return texts, seen


# ---- what modules bind -------------------------------------------------------------------------------------------


@cache
def _file(packages: Packages, module: str) -> Path | None:
    first, *rest = module.split(".")
    places = [package.joinpath(*rest) for package in packages if package.name == first]
    files = (file for place in places for file in (place / "__init__.py", place.with_suffix(".py")))
    return next((file for file in files if file.is_file()), None)


@cache
def _names(packages: Packages, module: str) -> dict[str, list[str | ast.stmt]]:
    """Return for each name at the top of a module the imports (as full names) and statements that bind or change it.

    Under the empty name stands what the module does when it is imported, beyond binding names.
    """
    names: dict[str, list[str | ast.stmt]] = defaultdict(list)
    file = _file(packages, module)
    files = (file, file.with_suffix(".pyi")) if file else ()  # a stub lists what a room shows
    text = "\n".join(each.read_text(encoding="utf-8") for each in files if each.is_file())
    for statement in ast.parse(text).body:
        for name, item in _bound(statement):
            names[name].append(item)
        if _acts(statement, names):
            names[""].append(statement)
    return dict(names)


def _bound(statement: ast.stmt) -> Iterator[tuple[str, str | ast.stmt]]:
    if isinstance(statement, DEFINITIONS):
        yield statement.name, statement
        return
    # What a comprehension counts with is its own; from 3.12 on `symtable` lists it with the module's names.
    comprehensions = (node for node in ast.walk(statement) if isinstance(node, ast.comprehension))
    own = {id(name) for node in comprehensions for name in ast.walk(node.target)}
    for node in ast.walk(statement):
        yield from _imported(node)
        stored = isinstance(node, ast.Name | ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store)
        if isinstance(node, DEFINITIONS):
            yield node.name, statement
        elif stored and id(node) not in own:
            yield next(_words(node)), statement


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, with the full names of what they stand for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.split(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
    elif isinstance(node, ast.ImportFrom):
        yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _words(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _acts(statement: ast.stmt, names: dict[str, list[str | ast.stmt]]) -> bool:
    if isinstance(statement, DEFINITIONS):
        # A decorator of another library may register what no name of ours leads to, such as a theme for charts.
        words = {word for decorator in statement.decorator_list for word in _words(decorator)}
        items = [item for word in words for item in names.get(word, [])]
        origins = {item.split(".")[0] for item in items if isinstance(item, str)}
        return bool(origins - sys.stdlib_module_names - {package.name for package in PACKAGES})
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    for_types = isinstance(statement, ast.If) and "TYPE_CHECKING" in _words(statement.test)
    return not (is_text or for_types or isinstance(statement, BINDINGS))


@cache
def _find(packages: Packages, name: str) -> Place | None:
    """Return where a definition stands; an empty name for a whole module, None for what is not ours."""
    module, *rest = name.split(".")
    if _file(packages, module) is None:
        return None
    while rest:
        first, *rest = rest
        below = f"{module}.{first}"
        found = [item for item in _names(packages, module).get(first, []) if item != below]
        if any(isinstance(item, ast.stmt) for item in found):
            return module, first
        if found and not str(found[-1]).startswith(f"{below}."):
            return _find(packages, ".".join([str(found[-1]), *rest]))
        if found:  # a module, and below it a definition of the same name
            rest = rest or str(found[-1]).removeprefix(f"{below}.").split(".")
        if _file(packages, below) is None:
            return None
        module = below
    return module, ""


# ---- what a definition says, and what it names -------------------------------------------------------------------


@cache
def _definition(packages: Packages, module: str, name: str, messages: bool) -> Reached:
    known = _known(packages, module)
    texts: set[str] = set()
    reached: set[Place] = set()
    for item in _names(packages, module).get(name, []):
        if isinstance(item, str):
            origin = _find(packages, item)
            reached |= {origin} if origin else set()
        else:
            text, more = _read(packages, item, known, messages=messages)
            texts, reached = texts | text, reached | more
    return texts, reached


@cache
def _known(packages: Packages, module: str) -> dict[str, str]:
    """Return for each name at the top of a module the full name of what it stands for."""
    names = _names(packages, module).items()
    own = {name for name, items in names if any(isinstance(item, ast.stmt) for item in items)}
    return {name: f"{module}.{name}" if name in own else str(items[-1]) for name, items in names}


def _read(packages: Packages, code: ast.AST, known: dict[str, str], *, messages: bool) -> Reached:
    """Return the text of a statement or module, the hashes of fact tables that it names, and the places it reaches."""
    known = known | {name: full for node in ast.walk(code) for name, full in _imported(node)}
    copy = pickle.loads(pickle.dumps(code))  # many times as fast as deepcopy
    bare = _Bare(messages).visit(copy)
    used = _global_words(ast.unparse(bare))
    full = _FullNames(packages, {word: full for word, full in known.items() if word in used})
    text = _text(full.visit(bare))
    constants = {each.value for each in ast.walk(bare) if isinstance(each, ast.Constant)}
    named = [value for value in constants if isinstance(value, str) and value.endswith((".csv", ".html", ".toml"))]
    tables = [file for package in packages for name in named for file in package.rglob(Path(name).name)]
    return {text, *(_hash([table.read_text()]) for table in tables if table.is_file())}, full.reached


def _global_words(source: str) -> set[str]:
    tables = [symtable.symtable(source, "code", "exec")]
    words = {symbol.get_name() for symbol in tables[0].get_symbols()}
    while tables:
        table = tables.pop()
        words |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        tables += table.get_children()
    return words


class _Bare(ast.NodeTransformer):
    """Take away what no result depends on, and imports, since names become full ones."""

    def __init__(self, messages: bool) -> None:
        self.messages = messages

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            node.body = node.body[ast.get_docstring(node) is not None :]
        super().generic_visit(node)
        if (body := getattr(node, "body", None)) == []:
            body.append(ast.Pass())
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        for field in node.body:
            if isinstance(field, ast.AnnAssign):
                field.annotation, field.simple = ast.Constant(None), -1
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.simple == -1:  # a field of a dataclass, which is none without its annotation
            return node
        return ast.Assign([node.target], node.value, lineno=0) if node.value else ast.Pass()

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if self.messages:
            return self.generic_visit(node)
        return ast.Raise(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "frozen":
            node.keywords = [keyword for keyword in node.keywords if keyword.arg not in CHECKS]
        return self.generic_visit(node)

    def visit_Import(self, _: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, _: ast.ImportFrom) -> None:
        return None


class _Elsewhere(ast.Name):
    """The full name of a module, or of what another library defines."""


class _FullNames(ast.NodeTransformer):
    """Replace names by full ones, our own definitions by their names alone, which don't say where they stand."""

    def __init__(self, packages: Packages, known: dict[str, str]) -> None:
        self.packages, self.known = packages, known
        self.reached: set[Place] = set()

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return self._full(self.known[node.id]) if node.id in self.known else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.value = self.visit(node.value)
        return self._full(f"{node.value.id}.{node.attr}") if isinstance(node.value, _Elsewhere) else node

    def _full(self, name: str) -> ast.Name:
        place = _find(self.packages, name)
        if place is None or not place[1]:
            return _Elsewhere(name)
        self.reached.add(place)
        return ast.Name(place[1])


def _text(node: object) -> str:
    """Return a tree as text: ``ast.dump`` differs between versions of Python."""
    if isinstance(node, list):
        return f"[{', '.join(map(_text, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(field, value) for field, value in ast.iter_fields(node) if value not in (None, []) and field != "ctx"]
    return f"{type(node).__name__}({', '.join(f'{field}={_text(value)}' for field, value in fields)})"
