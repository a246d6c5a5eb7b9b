"""What doit says while it builds: a line when a task starts, a line when it ends."""

import time
from typing import Any

from doit.exceptions import BaseFail, UnmetDependency
from doit.reporter import ZeroReporter
from doit.task import Task


class OneLine(ZeroReporter):
    """A reporter of one line per task, with the seconds it took, and of one line per failure."""

    desc = "one line per task"

    def __init__(self, outstream: Any, options: dict) -> None:
        super().__init__(outstream, options)
        self.started: dict[str, float] = {}

    def execute_task(self, task: Task) -> None:
        """Say that a task starts."""
        self.started[task.name] = time.perf_counter()
        self._say(f"  {task.name} …")

    def add_success(self, task: Task) -> None:
        """Say how long it took."""
        if task.name in self.started:
            self._say(f"  {task.name} done in {time.perf_counter() - self.started[task.name]:.1f} s")

    def add_failure(self, task: Task, fail: BaseFail) -> None:
        """Say what broke, without the traceback."""
        if isinstance(fail, UnmetDependency):
            self._say(f"not done: {task.name} (the one that is there stays), since something before it failed")
            return
        last = " ".join((fail.traceback[-1] if fail.traceback else fail.message).split())
        # "erralign.errors.ChapterError: what broke" -> "what broke"
        self._say(f"failed: {task.name}: {last.removeprefix('erralign.errors.ChapterError: ')}")

    def _say(self, line: str) -> None:
        self.write(line + "\n")
        self.outstream.flush()
