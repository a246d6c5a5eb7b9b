"""A name without an underscore is public, or another module needs it; one with an underscore stays in its module."""

import ast
import re

import pytest
from conftest import ROOT

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for path in sorted((ROOT / "erralign").rglob("*.py"))
    if path.name not in ("__init__.py", "__main__.py")
}
# The words of whoever uses the library, in code, on pages and in recipes.
USERS = {
    path: path.read_text(encoding="utf-8")
    for folder, pattern in [
        ("erralign", "*.py"),
        ("erralign", "*.pyi"),
        ("book", "*.py"),
        ("benchmarks", "*.py"),
        ("notebooks", "*.md"),
        ("book/templates", "*.md"),
        ("", "pyproject.toml"),
        ("", "CONTRIBUTING.md"),
    ]
    for path in sorted((ROOT / folder).rglob(pattern) if folder else (ROOT / folder).glob(pattern))
}


def top_level(path):
    """Return the names that a module defines, except what a decorator makes known elsewhere (commands)."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if not any(re.search(r"command|group", ast.unparse(decorator)) for decorator in node.decorator_list):
                yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


@pytest.mark.parametrize("module", MODULES)
def test_a_name_that_only_its_module_uses_has_an_underscore(module):
    if module.rpartition(".")[2].startswith("_"):
        return
    others = "\n".join(words for path, words in USERS.items() if path != MODULES[module])
    alone = [name for name in top_level(MODULES[module]) if not name.startswith("_")]
    alone = [name for name in alone if not re.search(rf"\b{name}\b", others)]
    assert not alone, f"{module}: no other module uses {alone}: give them an underscore, or list them"


@pytest.mark.parametrize("path", [path for path in USERS if path.suffix == ".py"], ids=lambda path: path.name)
def test_no_module_imports_a_name_with_an_underscore(path):
    for node in ast.walk(ast.parse(USERS[path])):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("erralign"):
            private = [name.name for name in node.names if re.match(r"_[a-zA-Z]", name.name)]
            modules = [name for name in private if f"{node.module}.{name}" in MODULES]
            assert private == modules, f"{path.name} imports {private} of {node.module}"
