"""The kernel in which a chapter runs."""

from __future__ import annotations

from typing import Any

from jupyter_client import AsyncKernelManager
from traitlets import Dict


class BookKernel(AsyncKernelManager):
    """A kernel with an environment of its own: chapters run side by side and may differ in it."""

    environment = Dict(help="The kernel's environment variables.", config=True)

    async def start_kernel(self, **options: Any) -> None:
        """Start the kernel, with papermill's options and this environment."""
        await super().start_kernel(**{"env": dict(self.environment), **options})
