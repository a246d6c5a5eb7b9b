"""A function of the library, shown on a page from its own source, so that the page cannot go stale.

```{library} erralign.similarity.kernels.cka
```
"""

import ast
import inspect
from pydoc import locate

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
            thing = locate(name)
            if thing is None:
                raise self.error(f"{name} does not exist")
            self.env.note_dependency(str(inspect.getsourcefile(thing)))
        code = code_of(names)
        block = nodes.literal_block(code, code, language="python")
        self.set_source_info(block)
        return [block]


def code_of(names: list[str]) -> str:
    """Return the code of some functions, comments and all, without their docstrings."""
    return "\n\n\n".join(_without_docstring(inspect.getsource(locate(name))) for name in names)


def _without_docstring(code: str) -> str:
    lines, body = code.splitlines(), ast.parse(code).body[0].body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        del lines[body[0].lineno - 1 : body[0].end_lineno]
    return "\n".join(lines).rstrip()
