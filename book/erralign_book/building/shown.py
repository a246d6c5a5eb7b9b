"""A function of the library, shown on a page from its own source, so that the page cannot go stale.

```{library} erralign.similarity.kernels.cka
```
"""

import ast
import inspect
import textwrap
from functools import cached_property
from pydoc import locate
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


class Library(SphinxDirective):
    """Show the code of what each dotted name names, one below the other."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return one block of code."""
        names = self.arguments[0].split()
        for name in names:
            if locate(name) is None:
                raise self.error(f"{name} does not exist")
            self.env.note_dependency(str(inspect.getsourcefile(_place(name))))
        code = code_of(names)
        block = nodes.literal_block(code, code, language="python")
        self.set_source_info(block)
        return [block]


def code_of(names: list[str]) -> str:
    """Return the code of functions, methods, properties and constants, without docstrings."""
    return "\n\n".join(map(_code, names))


def _code(name: str) -> str:
    place = _place(name)
    if isinstance(place, ModuleType):
        return _assignment(inspect.getsource(place), name.rpartition(".")[2])
    return _without_docstring(textwrap.dedent(inspect.getsource(place)))


def _place(name: str) -> Any:
    """Return a function or class, the function behind a property, or the module that sets a constant."""
    thing: Any = locate(name)
    thing = thing.func if isinstance(thing, cached_property) else thing
    return thing if inspect.isroutine(thing) or inspect.isclass(thing) else locate(name.rpartition(".")[0])


def _assignment(module: str, name: str) -> str:
    for node in ast.parse(module).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if name in {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}:
                return "\n".join(module.splitlines()[node.lineno - 1 : node.end_lineno])
    raise ValueError(f"no line of the module sets {name}")


def _without_docstring(code: str) -> str:
    statement: Any = ast.parse(code).body[0]
    lines, body = code.splitlines(), statement.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        del lines[body[0].lineno - 1 : body[0].end_lineno]
    return "\n".join(lines).rstrip()
