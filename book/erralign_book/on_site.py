"""What only the site lays out: forms, and pictures made of parts. Notebooks show their words."""

import os
from typing import Any

from erralign.plot.html import Table


class OnSite(Table):
    """A table that is shown as it is where the site is built, and by its text elsewhere."""

    def _repr_html_(self) -> Any:
        return self.html if os.environ.get("ERRALIGN_RENDERER") == "book" else None

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, bool]]:
        return {}, {"on_site": True}  # what is handed out leaves out the HTML
