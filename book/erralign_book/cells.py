"""A result whose code stands in a chapter: computed where its archives are, else read as it was frozen.

    @frozen("lesson_3/pairs", inputs=["xu2024/stylized"])
    def pairs():
        ...                      # what the page shows is what is computed
        return a_table

The text of the function, with that of the notebook's functions that it uses, and the values that it reads from the
notebook are hashed apart. While both are as they were frozen, a machine without the data reads
``data/frozen/lesson_3/pairs.csv``; whoever changes a line never gets the old numbers for the new code.

What takes hours is a script's: its function computes the part of one setting, and parts are computed side by side.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import io
import json
import os
import textwrap
import time
import tokenize
import types
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import update_wrapper
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign.datasets.archives import is_complete
from erralign.datasets.archives import missing as missing_data
from erralign.datasets.data_sets import records
from erralign.datasets.guests import files_for
from erralign.files import write_whole
from erralign_book.files import data_folder

FREEZE, BUILD = "ERRALIGN_FREEZE", "ERRALIGN_BUILD"  # set by `erralign freeze`, and by `erralign book`
COPIES = "ERRALIGN_COPIES"  # set by `erralign book --with`: what is as it was frozen is read, not computed again
AGAIN, WHOLE = "ERRALIGN_AGAIN", "ERRALIGN_WHOLE"  # set by `erralign reproduce`: where it notes what came out; --whole
EQUAL, DIFFERENT, NOT_HERE, LEFT = "equal", "different", "not rechecked", "slow, left"
PLAIN = (str, int, float, bool, type(None), tuple, list, dict, set, frozenset, range)
RESULTS: dict[str, Result] = {}  # of this process


class Stale(RuntimeError):
    """The cell is not the one whose result was frozen, and it cannot be computed here."""


def frozen(name: str, **how: Any) -> Callable[[Callable[..., Any]], Result]:
    """Make a function of a chapter, or of a script, a frozen result.

    Parameters
    ----------
    name : str
        ``<chapter or paper>/<table>``: where the copy lies in ``data/frozen``; with ``.npz`` a dict of arrays.
    **how
        The fields of :class:`Result`, such as ``inputs``.

    Returns
    -------
    Result
        The function. Called with one of its ``settings``, it gives the part of that one; with any other argument, which
        is never the book's, it only computes.

    Raises
    ------
    Stale
        When the function is called where it cannot be computed and is not as it was frozen.
    """

    def decorate(function: Callable[..., Any]) -> Result:
        result = RESULTS[name] = Result(name, function, **how)
        update_wrapper(result, function)
        return result

    return decorate


@dataclass(eq=False)
class Result:
    """A frozen result, and how it is computed.

    Attributes
    ----------
    inputs : sequence of str
        What the function reads: names of data sets, as :func:`erralign.load` takes them, archives
        (``owner/name@commit``) or a folder in one (``owner/name@commit:folder``), or frozen arrays of another script
        (``training/features.npz``).
    needs : sequence of str
        Packages beyond those that a reader has, such as ``torch``. Where they and the inputs are here, a result that is
        not slow is computed and compared.
    slow : bool
        Read the copy even where the data are; only ``erralign freeze`` computes it. :meth:`compute` computes it in any
        case.
    rtol : float
        How far fresh and frozen numbers may differ, relatively.
    atol : float
        How far they may differ at all.
    settings : sequence
        What a script computes parts for: its function takes one of them. The result is the parts, joined in this
        order. They must not depend on each other, so a setting has a seed of its own.
    spot : sequence
        At least two settings of a slow result that take seconds: the tests compute them again.
    by : sequence of str
        First columns of the table, whose values name the setting; the function returns the others.
    ties : sequence of str
        A column with the distance of the two largest numbers of a row, and the columns of what was chosen by the
        largest. Numbers that may differ by ``atol`` choose alike unless they are nearer than twice that: there a choice
        may be another on another machine. It is read as it was frozen, so that what follows is the same everywhere.

    What was computed elsewhere than on a processor says so in ``attrs["device"]`` of its table, and its difference from
    the copy is printed, not raised.
    """

    name: str
    function: Callable[..., Any]
    inputs: Sequence[str] = ()
    needs: Sequence[str] = ()
    slow: bool = False
    rtol: float = 1e-9
    atol: float = 1e-12
    settings: Sequence[Hashable] = ()
    spot: Sequence[Hashable] = ()
    by: Sequence[str] = ()
    ties: Sequence[str] = ()
    was_read: bool = False  # from the copy, by the last call
    is_fresh: bool = False  # frozen by this process

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result, or the part of a setting: computed, or as it was frozen."""
        if not args and not kwargs:
            return self._result(None)
        if len(args) == 1 and self.by and not self.slow and args[0] in self.settings:
            return self._result(args[0])
        self.was_read = False
        return self.function(*args, **kwargs)

    def _result(self, setting: Any) -> Any:
        known, now = record(self.name), hashes(self.function, self.inputs)
        as_frozen = all(known.get(what) == now[what] for what in now)
        possible, self.was_read = self.can_be_computed(), False
        if FREEZE in os.environ and possible:
            if not self.is_fresh:
                self._freeze()
            return self._rows(table(self.name), setting)
        if AGAIN in os.environ:
            return self._rows(self._again(possible=possible), setting)
        if self.slow or not possible or (COPIES in os.environ and as_frozen):
            if not as_frozen:
                raise Stale(self._what_to_do(known=bool(known)))
            self.was_read = True
            return self._rows(table(self.name), setting)
        computed = self.compute() if setting is None else self.part(setting)
        device = getattr(computed, "attrs", {}).get("device", "cpu")
        computed = self._rows(as_read(computed), setting)
        if as_frozen or BUILD in os.environ:
            self._compare(computed, setting, device, as_frozen=as_frozen)
        if as_frozen and self.ties:
            return self._rows(table(self.name), setting)
        return computed

    def _rows(self, result: Any, setting: Any) -> Any:
        """Return the rows of a setting, as the function returns them, or all."""
        if setting is None:
            return result
        values = [setting] if len(self.by) == 1 else setting
        its = (result[list(self.by)] == list(values)).all(axis=1)
        return result[its].drop(columns=list(self.by)).reset_index(drop=True)

    @property
    def file(self) -> str:
        """The name of its copy, below ``data/frozen``."""
        return _file(self.name)

    def can_be_computed(self) -> bool:
        """Say whether all packages and archives, or the parts of these that are read, are on this machine."""
        return all(map(find_spec, self.needs)) and all(map(_is_here, _parts_of_archives(self.inputs)))

    def compute(self) -> Any:
        """Compute the result, whether or not it is slow."""
        if self.settings:
            return joined([self.part(setting) for setting in self.settings])
        return self.function()

    def part(self, setting: Any) -> Any:
        """Compute the part of one setting."""
        computed = self.function(setting)
        if not self.by:
            return computed
        values = [setting] if len(self.by) == 1 else setting
        named = dict(zip(self.by, values, strict=True))
        return computed.assign(**named)[[*named, *computed.columns]]

    def difference(self, computed: Any) -> str:
        """Say how a result in the form of its file differs from the copy: nothing where it is near enough."""
        return self._difference(computed, table(self.name))

    def _difference(self, computed: Any, copy: Any) -> str:
        if self.ties and len(computed) == len(copy):
            margin, *chosen = self.ties
            tied = np.maximum(computed[margin], copy[margin]) < 2 * self.atol
            computed = computed.copy()
            computed.loc[tied, chosen] = copy.loc[tied, chosen]
        return _differs(computed, copy, self.rtol, self.atol)

    def difference_of_part(self, setting: Any, part: Any) -> str:
        """Say how the part of one setting, computed now, differs from the rows of the copy."""
        lengths, place = record(self.name)["rows"], list(self.settings).index(setting)
        start = sum(lengths[:place])
        rows = slice(start, start + lengths[place])
        copy = table(self.name)
        if isinstance(copy, dict):
            copy = {name: array[rows] for name, array in copy.items()}
        else:
            copy = copy.iloc[rows].reset_index(drop=True)
        return self._difference(as_read(part), copy)

    def store(self, computed: Any) -> Any:
        """Write the copy, and return the result as it will be read."""
        path, result = _path(self.name), as_read(computed)
        as_before = path.is_file() and record(self.name).get("index_levels", 0) == _index_levels(computed)
        if not as_before or self.difference(result):  # an equal one is left, since last bits differ between machines
            write_whole(path, _written(computed))
        return result

    def note(self, **more: Any) -> None:
        """Write beside the copy which text and values it was made from, and what else is to be known."""
        entry = hashes(self.function) | more
        write_whole(_path(self.name).with_suffix(".json"), json.dumps(entry, indent=1) + "\n")

    def _freeze(self) -> None:
        start = time.perf_counter()
        computed = self.compute()
        seconds = time.perf_counter() - start
        if (device := getattr(computed, "attrs", {}).get("device", "cpu")) != "cpu":
            raise Stale(f"{self.name} was computed on {device}; freeze it on the processor, where it is compared")
        self.store(computed)
        self.note(index_levels=_index_levels(computed), seconds=round(seconds, 1))
        self.is_fresh = True

    def _compare(self, computed: Any, setting: Any, device: str, *, as_frozen: bool) -> None:
        how = f"freeze the page that computes it: `erralign freeze {self.name}`"
        if not as_frozen:
            raise Stale(f"{self.name}: the cell or its values are not as they were frozen; {how}")
        if difference := self._difference(computed, self._rows(table(self.name), setting)):
            if device != "cpu":
                print(f"On {device} some numbers are others than on the processor. {difference}")
                return
            message = f"{self.name}: the same cell gives other numbers than when it was frozen; {how}. {difference}"
            if BUILD in os.environ:
                raise Stale(message)
            print(message)

    def _again(self, *, possible: bool) -> Any:
        """Compute the result again where that is possible, note how it came out, and go on with the copy."""
        how, difference = NOT_HERE if not possible else LEFT, ""
        if possible and (not self.slow or WHOLE in os.environ):
            difference = self.difference(as_read(self.compute()))
            how = DIFFERENT if difference else EQUAL
        with Path(os.environ[AGAIN]).open("a", encoding="utf-8") as notes:
            notes.write(json.dumps([self.name, how, difference and f"{self.name} differs: {difference}"]) + "\n")
        return table(self.name)

    def _what_to_do(self, *, known: bool) -> str:
        why = "nothing is frozen under this name"
        if known:
            why = "this cell is not the one that was frozen"
        missing = [need for need in self.needs if not find_spec(need)]
        lacking = [part for part in _parts_of_archives(self.inputs) if not _is_here(part)]
        if missing:
            how = f"install {', '.join(missing)}"
        elif lacking:
            how = missing_data(lacking)
        else:
            call = f"{self.function.__name__}.compute()"
            return f"{self.name}: {why}, and it is slow; to compute it here, call {call}"
        return f"{self.name}: {why}, and it cannot be computed here. To compute it, {how}"


def table(name: str) -> Any:
    """Read a frozen result by its name, as its home computed it.

    Parameters
    ----------
    name : str
        Such as ``"xu2024/pairs"``, or ``"training/features.npz"`` for arrays.

    Returns
    -------
    pandas.DataFrame or dict of numpy.ndarray
        The copy in ``data/frozen``.

    Raises
    ------
    ValueError
        When there is no such copy.
    """
    path = _path(name)
    if not path.is_file():
        raise ValueError(f"no frozen table is called {name!r}; expected one below {path.parent}")
    return _read(path.read_bytes(), record(name).get("index_levels", 0))


def record(name: str) -> dict[str, Any]:
    """Return what is known of a frozen result, such as the hashes of its text and values; nothing if there is none."""
    path = _path(name).with_suffix(".json")
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def archives_of(inputs: Sequence[str]) -> list[str]:
    """Return the archives among what a result reads, and those of its data sets."""
    return list(dict.fromkeys(part.partition(":")[0] for part in _parts_of_archives(inputs)))


def _parts_of_archives(inputs: Sequence[str]) -> list[str]:
    """Return the archives that are read, or the folder of one, and those of data sets."""
    parts: list[str] = []
    for name in inputs:
        if "@" in name:
            parts.append(name)
        elif not is_frozen(name):
            parts += records()[name].archives
    return list(dict.fromkeys(parts))


def _is_here(part: str) -> bool:
    """Say whether all that the manifest lists of an archive, or of a folder in it, is on this machine."""
    return is_complete(*part.split(":"))


def is_frozen(name: str) -> bool:
    """Say whether an input is a frozen result of another script."""
    return name.endswith((".npz", ".csv"))


def _data_sets(inputs: Sequence[str]) -> list[str]:
    """Return the data sets that can be read from the archives of the inputs."""
    archives = set(archives_of(inputs))
    return [name for name, data_set in records().items() if archives & set(data_set.archives)]


# --- hashes -----------------------------------------------------------------------------------------------------------


def hashes(function: Callable, inputs: Sequence[str] = ()) -> dict[str, str]:
    """Hash what a function says, with all functions of its own notebook that it uses, and the values that it reads.

    Comments, docstrings and decorators don't count. Of what packages define, only the names do. A guest that answered
    none of the inputs changes nothing, and neither does the device on which a network runs.
    """
    texts: dict[str, str] = {}
    values: dict[str, object] = {}
    _follow(function, texts, values)
    values.pop("device", None)
    guest: Any = values.get("guest")
    if guest and not any(files_for(data_set, guest) for data_set in _data_sets(inputs)):
        values["guest"] = ""
    return {"text": _short(texts), "values": _short({name: _in_words(name, value) for name, value in values.items()})}


def _short(parts: dict[str, str]) -> str:
    joined = "\n".join(f"{name}: {part}" for name, part in sorted(parts.items()))
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


def _follow(function: Any, texts: dict[str, str], values: dict[str, object]) -> None:
    own = inspect.unwrap(function)
    texts[own.__name__] = text_of(own)
    for name in sorted(_globals_of(own.__code__)):
        if name not in own.__globals__ or name in texts or name in values:  # a builtin, or read already
            continue
        value = own.__globals__[name]
        inner = inspect.unwrap(value) if callable(value) else value
        if inspect.isfunction(inner) and inner.__globals__ is own.__globals__:
            _follow(inner, texts, values)
        elif isinstance(value, types.ModuleType):
            texts[name] = f"import {value.__name__}"
        elif callable(value):
            texts[name] = f"import {getattr(value, '__qualname__', type(value).__qualname__)}"
        else:
            values[name] = value


def _in_words(name: str, value: object) -> str:
    if isinstance(value, set | frozenset):
        return repr(sorted(value, key=repr))
    if isinstance(value, dict) and any(isinstance(part, pd.DataFrame | pd.Series) for part in value.values()):
        return repr({key: _in_words(name, part) for key, part in value.items()})  # tables by name
    if isinstance(value, PLAIN) and " at 0x" not in repr(value):  # a function in a list has an address, new each time
        return repr(value)
    if isinstance(value, pd.DataFrame | pd.Series):
        return str(pd.util.hash_pandas_object(value.round(9)).sum())
    if isinstance(value, np.ndarray):
        return hashlib.sha256(value.tobytes()).hexdigest()
    raise TypeError(
        f"a frozen function uses {name}, a {type(value).__name__}, which cannot be hashed; make it inside the function"
    )


def _globals_of(code: types.CodeType) -> set[str]:
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names |= _globals_of(inner)
    return names


def text_of(function: Callable) -> str:
    """Return a function without decorators, docstring, comments and empty lines; in any Python the same."""
    source = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(source).body
    lines = source.splitlines()
    if isinstance(tree, ast.FunctionDef) and ast.get_docstring(tree, clean=False) is not None:
        docstring = tree.body[0]
        for row in range(docstring.lineno - 1, docstring.end_lineno or docstring.lineno):
            lines[row] = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return "\n".join(line.rstrip() for line in lines[tree.lineno - 1 :] if line.strip())


# --- copies -----------------------------------------------------------------------------------------------------------


def _path(name: str) -> Path:
    return data_folder() / "frozen" / _file(name)


def _file(name: str) -> str:
    return name if is_frozen(name) else f"{name}.csv"


def joined(parts: list[Any]) -> Any:
    """Join the parts of settings to one table, or to one dict of arrays."""
    if isinstance(parts[0], dict):
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return pd.concat(parts, ignore_index=True)


def _index_levels(computed: Any) -> int:
    if isinstance(computed, dict) or (isinstance(computed.index, pd.RangeIndex) and computed.index.name is None):
        return 0
    return computed.index.nlevels


def _written(computed: Any) -> bytes:
    if isinstance(computed, dict):
        file = io.BytesIO()
        np.savez_compressed(file, **computed)
        return file.getvalue()
    return computed.to_csv(index=bool(_index_levels(computed))).encode()


def _read(content: bytes, index_levels: int) -> Any:
    if content.startswith(b"PK"):  # arrays are an archive
        with np.load(io.BytesIO(content)) as file:
            return dict(file)
    return pd.read_csv(io.BytesIO(content), index_col=list(range(index_levels)) or None)


def as_read(computed: Any) -> Any:
    """Return a result as it comes out of its file: the same on a machine with the data and without."""
    return _read(_written(computed), _index_levels(computed))


def _differs(computed: Any, other: Any, rtol: float, atol: float) -> str:
    try:
        if isinstance(computed, dict):
            _compare_arrays(computed, other, rtol, atol)
        else:
            pd.testing.assert_frame_equal(computed, other, rtol=rtol, atol=atol, check_dtype=False)
    except AssertionError as error:
        return str(error)
    return ""


def _compare_arrays(computed: dict[str, np.ndarray], other: dict[str, np.ndarray], rtol: float, atol: float) -> None:
    np.testing.assert_equal(list(computed), list(other))
    for name, array in computed.items():
        if array.dtype.kind in "iuU" and array.shape == other[name].shape:
            # Of answers, a share may be others: a near tie falls to either side on another machine.
            if np.mean(array != other[name]) > rtol:
                raise AssertionError(f"{name} has other whole numbers, or words")
        else:
            np.testing.assert_allclose(array, other[name], rtol, atol, err_msg=name)
