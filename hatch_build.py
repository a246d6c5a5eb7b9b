"""Put into the wheel what reports need beside the package's own files: Vega, so that they open without a network."""

from __future__ import annotations

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CarryVega(BuildHookInterface):
    """Write the script out of the package vl-convert, which the wheel's users then do not need (84 MB)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the script to the wheel; an editable installation makes it when it needs it."""
        if version == "editable":
            return
        assets = runpy.run_path(str(Path(self.root, "erralign", "files.py")))
        self.folder = TemporaryDirectory()
        place = Path(self.folder.name, assets["VEGA"])
        place.write_text(assets["bundle"](), encoding="utf-8")
        build_data["force_include"][str(place)] = f"erralign/_data/book/assets/{place.name}"
