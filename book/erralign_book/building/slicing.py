"""Which statements of cells that nobody sees are needed by later ones."""

import ast
import re
from collections.abc import Sequence

NEVER = {"glue"}  # what only serves the site


def pruned(sources: Sequence[str], unseen: Sequence[bool]) -> list[str]:
    """Return the cells; of those that nobody sees only the statements whose names a later statement reads."""
    wanted: set[str] = set()
    kept = []
    for source, hidden in reversed(list(zip(sources, unseen, strict=True))):
        body = ast.parse(source).body
        statements = []
        for statement in reversed(body):
            if _is_wanted(statement, wanted) if hidden else not _imports_only(statement, NEVER - wanted):
                wanted = (wanted - _surely_binds(statement)) | _reads(statement)
                statements.append(statement)
        whole = len(statements) == len(body)
        kept.append(source if whole else _text(source, statements[::-1]))
    return kept[::-1]


def _text(source: str, statements: list[ast.stmt]) -> str:
    """Join statements as they were written, with the comments above them."""
    lines = source.splitlines()
    spans = [(_first(statement), statement.end_lineno) for statement in statements]
    return "\n".join("\n".join(lines[start - 1 : end]) for start, end in spans)


def _first(statement: ast.stmt) -> int:
    return min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])


def _imports_only(statement: ast.stmt, names: set[str]) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom) and _binds(statement) <= names


def _is_wanted(statement: ast.stmt, wanted: set[str]) -> bool:
    """Say whether a statement binds or changes what is wanted; asserts and calls of glue do neither."""
    if isinstance(statement, ast.Assert):
        return False
    return bool((_binds(statement) | _changes(statement)) & wanted)


def _binds(statement: ast.stmt) -> set[str]:
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    return names


def _surely_binds(statement: ast.stmt) -> set[str]:
    """Name what is bound whatever happens: what a condition or a loop binds may have come from before."""
    sure = isinstance(statement, ast.Assign | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
    return _binds(statement) if sure else set()


def _changes(statement: ast.stmt) -> set[str]:
    """Name what a statement changes in place: ``table["x"] = …``, ``table.columns = …``, ``claims.add(…)``."""
    if isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        parts = [target for target in targets if isinstance(target, ast.Attribute | ast.Subscript)]
        return {name for part in parts for name in _base(part)}
    if isinstance(statement, ast.For):  # what it goes over, where it changes each of these
        within = set().union(*map(_changes, statement.body))
        return within | (_reads(ast.Expr(statement.iter)) if within & _binds(ast.Expr(statement.target)) else set())
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return _base(statement.value.func) - NEVER
    return set()


def _base(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _reads(statement: ast.stmt) -> set[str]:
    """Name what a statement reads, also in a query of pandas: ``@name``."""
    nodes = list(ast.walk(statement))
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return names.union(*(re.findall(r"@(\w+)", text) for text in texts))
