"""One decorator that makes a function a result table: fresh where its data are, frozen elsewhere."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, get_type_hints

import numpy as np
import pandas as pd

from erralign.datasets.archives import is_complete
from erralign.files import write_whole
from erralign_book.files import data_folder

BUILD = "ERRALIGN_BUILD"
Settings = Sequence[Hashable] | Callable[[], Sequence[Hashable]]
Result = TypeVar("Result", bound=pd.DataFrame | dict[str, np.ndarray], covariant=True)


class ResultTable(Protocol[Result]):
    """A function under :func:`frozen`: called without arguments it returns the whole table."""

    table: FrozenTable

    def __call__(self) -> Result:
        """Return the table."""


@dataclass(frozen=True)
class FrozenTable:
    """A result table: how to compute it, and where its frozen copy lies; :func:`frozen` says what the fields are."""

    name: str  # <paper or study>/<function>
    function: Callable[..., Any]  # gives the table or, where there are settings, the part of one setting
    inputs: Sequence[str]
    needs: Sequence[str] = ()
    slow: bool = False
    rtol: float = 1e-9
    settings: Settings = ()
    spot: Sequence[Hashable] = ()
    by: Sequence[str] = ()
    tables: Sequence[str] = ()

    @property
    def form(self) -> _Csv | _Npz:
        """Return how results become files: tables as ``.csv``, arrays as ``.npz``."""
        return _Csv() if get_type_hints(self.function)["return"] is pd.DataFrame else _Npz()

    @property
    def path(self) -> Path:
        """Return the place of the frozen copy."""
        return data_folder() / "frozen" / f"{self.name}{self.form.ending}"

    def can_be_computed(self) -> bool:
        """Say whether all packages, archives and members are on this machine."""
        return all(find_spec(package) for package in self.needs) and all(is_complete(key) for key in self.inputs)

    def calls(self) -> list[partial]:
        """Return one call for each setting, which computes that setting's part; for a table without settings one."""
        settings = self.settings() if callable(self.settings) else self.settings
        return [partial(self.part, setting) for setting in settings] if self.settings else [partial(self.function)]

    def part(self, setting: Any) -> Any:
        """Compute the part of one setting; of a table, the first columns name the setting."""
        found = self.function(setting)
        if not self.by:
            return found
        named = dict(zip(self.by, setting if len(self.by) > 1 else [setting], strict=True))
        return found.assign(**named)[[*named, *found.columns]]

    def spots(self) -> list[int]:
        """Return the places, among the calls, of the settings that are cheap enough to be recomputed by the tests."""
        return [place for place, call in enumerate(self.calls()) if self.spot and call.args[0] in self.spot]

    def fresh(self) -> Any:
        """Compute the table, in the form that it has when read from a file."""
        return self.form.read(self._computed())

    def fresh_in_this_build(self) -> Any:
        """Compute the table, or read what another chapter of the same build computed: ``BUILD`` names its folder."""
        if BUILD not in os.environ:
            return self.fresh()
        path = Path(os.environ[BUILD], f"{self.name}{self.form.ending}")
        if not path.is_file():
            content = self._computed()
            if difference := self.difference(self.form.read(content), self.stored()):
                raise ValueError(f"not as frozen: run `erralign freeze {self.name}`, or mend the code. {difference}")
            write_whole(path, content)
        return self.form.read(path.read_bytes())

    def _computed(self) -> bytes:
        return self.form.written(self.form.joined([call() for call in self.calls()]))

    def stored(self) -> Any:
        """Read the frozen copy."""
        return self.form.read(self.path.read_bytes())

    def difference(self, result: Any, other: Any) -> str:
        """Say how two versions of the table, or of some of its rows, differ: nothing where they are within ``rtol``."""
        try:
            self.form.compare(result, other, rtol=self.rtol, atol=1e-12)
        except AssertionError as error:
            return f"{self.name} differs: {error}"
        return ""

    def spot_difference(self, part: Any) -> str:
        """Say how the part of one setting, freshly computed, differs from the rows of the frozen copy."""
        part = self.form.read(self.form.written(part))
        return self.difference(part, self.form.rows_like(part, self.stored()))

    def store(self, result: Any) -> None:
        """Write the frozen copy, but leave one that is equal, since last bits differ between machines."""
        content = self.form.written(result)
        if not self.path.is_file() or self.difference(self.form.read(content), self.stored()):
            write_whole(self.path, content)


class _Csv:
    ending = ".csv"
    compare = staticmethod(pd.testing.assert_frame_equal)

    def joined(self, parts: list[pd.DataFrame]) -> pd.DataFrame:
        return pd.concat(parts, ignore_index=True)

    def written(self, result: Any) -> bytes:
        return result.to_csv(index=False).encode()

    def read(self, content: bytes) -> pd.DataFrame:
        return pd.read_csv(io.BytesIO(content))

    def rows_like(self, part: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
        """Return as many rows as the part has, from where its first words stand; of several such places the closest."""
        floats = part.select_dtypes("float").columns
        words = part.columns.difference(floats)
        starts = np.flatnonzero((stored[words] == part[words].iloc[0]).all(axis=1))
        runs = [stored.iloc[start : start + len(part)] for start in starts if start + len(part) <= len(stored)]
        values = part[floats].to_numpy()
        closest = min(runs, key=lambda run: np.nansum(np.abs(run[floats].to_numpy() - values)), default=stored)
        # Where a part holds whole numbers only, the table's column may yet be one of floats.
        return closest.reset_index(drop=True).astype(part.dtypes)


class _Npz:
    ending = ".npz"

    def compare(self, result: dict[str, np.ndarray], other: dict[str, np.ndarray], *, rtol: float, atol: float) -> None:
        np.testing.assert_equal(list(result), list(other))
        for name in result:
            if result[name].dtype.kind in "iuU" and np.shape(result[name]) == np.shape(other[name]):
                # Of answers, a share may be others: a near tie falls to either side on another machine.
                if np.mean(result[name] != other[name]) > rtol:
                    raise AssertionError(f"{name} has other whole numbers, or words")
                continue
            np.testing.assert_allclose(result[name], other[name], rtol, atol, err_msg=name)

    def joined(self, parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def written(self, result: Any) -> bytes:
        file = io.BytesIO()
        np.savez_compressed(file, **result)
        return file.getvalue()

    def read(self, content: bytes) -> dict[str, np.ndarray]:
        return dict(np.load(io.BytesIO(content)))

    def rows_like(self, part: dict[str, np.ndarray], stored: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the rows of the part's setting, named by the whole numbers or words that all of its rows share."""
        named = [
            name for name, rows in part.items() if rows.dtype.kind in "iU" and rows.ndim == 1 and len(set(rows)) == 1
        ]
        its = np.logical_and.reduce([stored[name] == part[name][0] for name in named])
        return {name: rows[its] for name, rows in stored.items()}


FROZEN: dict[str, FrozenTable] = {}


def frozen(
    *,
    inputs: Sequence[str],
    needs: Sequence[str] = (),
    slow: bool = False,
    rtol: float = 1e-9,
    settings: Settings = (),
    spot: Sequence[Hashable] = (),
    by: str = "",
    tables: Sequence[str] = (),
) -> Callable[[Callable[..., Result]], ResultTable[Result]]:
    """Make a function a result table.

    Called where its archives are, it computes; elsewhere it reads ``data/frozen/<paper>/<name>.csv``, or ``.npz`` for a
    function that returns a dict of arrays. It never asks the network, and damaged data are an error, not a reason to
    fall back. The function takes no argument, or one setting, and returns that setting's part: the table is the parts
    joined in the order of the settings. Parts must not depend on each other, so a setting has a seed of its own.

    Parameters
    ----------
    inputs : sequence of str
        Archives that the function reads, ``owner/name@commit``.
    needs : sequence of str
        Packages that it imports and plain erralign does not install; where one is missing, the frozen copy is read.
    slow : bool
        Read the frozen copy even where the data are; only ``make freeze`` computes it.
    rtol : float
        How far fresh and frozen may differ, relatively.
    settings : sequence or callable
        What parts are computed for, or a function without arguments that returns it. Every slow table has settings.
    spot : sequence
        At least two settings of a slow table that take seconds: the tests recompute them.
    by : str
        First columns of the table, whose values name the setting; the function returns the others.
    tables : sequence of str
        Frozen files that the function reads because they are slow to make: it is stale once one has other content.
    """

    def decorate(function: Callable[..., Result]) -> ResultTable[Result]:
        # erralign_book.papers.guests.tables belongs to guests, benchmarks.coverage.panels.panels to coverage; a
        # module elsewhere names itself.
        parts = function.__module__.split(".")
        places = {"erralign_book": 2, "benchmarks": 1}
        name = f"{parts[places.get(parts[0], -1)]}/{function.__name__}"
        table = FrozenTable(name, function, inputs, needs, slow, rtol, settings, spot, by.split(), tables)
        FROZEN[name] = table

        @cache
        def result() -> Result:
            return table.fresh_in_this_build() if table.can_be_computed() and not slow else table.stored()

        @wraps(function)
        def copy_of_result() -> Result:
            return deepcopy(result())

        # A reader of the signature should see a call without arguments, not the function of one setting.
        del copy_of_result.__dict__["__wrapped__"]
        copy_of_result.__dict__["table"] = table
        return cast(ResultTable[Result], copy_of_result)

    return decorate


def measured(group: str, name: str) -> pd.DataFrame:
    """Read a table of measurements, such as timings, that no second run can give again."""
    return pd.read_csv(data_folder() / "frozen" / group / f"{name}.csv")


def road(*functions: ResultTable) -> str:
    """Say in a sentence which road the given result tables come by on this machine."""
    tables = [function.table for function in functions]
    stored = [table.name for table in tables if table.slow or not table.can_be_computed()]
    computed = [table.name for table in tables if table.name not in stored]
    parts = [f"computed here from the raw data: {', '.join(computed)}"] if computed else []
    parts += [f"read from the frozen results: {', '.join(stored)}"] if stored else []
    return "; ".join(parts)
