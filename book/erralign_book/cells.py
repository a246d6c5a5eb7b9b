"""A result whose code stands in a chapter: as it was frozen, and computed for other code or other arguments.

    @frozen("error_consistency/pairs")
    def pairs_of(data_set, measure):
        ...                      # what the page shows is what is computed
        return a_table

    pairs_of("xu2024/stylized", error_consistency)

As ``joblib.Memory``, with the cache in the repository. The text of the function, with that of the notebook's functions
that it uses or is given, and the values that it is given, or reads from the notebook, are hashed apart. While both are
as they were frozen, the copy in ``data/frozen/error_consistency`` is read; the build, where the data are, computes
again and compares. Whoever changes a line or an argument never gets the old numbers for it:
``pairs_of("xu2024/rotation", my_measure)`` is a line that a reader writes below. What it reads are the data sets among
its arguments.

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
import re
import textwrap
import time
import tokenize
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import update_wrapper
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import DataError
from erralign.datasets.archives import is_complete
from erralign.datasets.archives import missing as missing_data
from erralign.datasets.data_sets import records
from erralign.datasets.guests import files_for
from erralign.files import write_whole
from erralign_book.files import data_folder

FREEZE, BUILD = "ERRALIGN_FREEZE", "ERRALIGN_BUILD"  # set by `erralign freeze`, and by `erralign book`
COPIES = "ERRALIGN_COPIES"  # set by `erralign book --with`: what is as it was frozen is read, not computed again
AGAIN, WHOLE = "ERRALIGN_AGAIN", "ERRALIGN_WHOLE"  # set by `erralign reproduce`: where it notes what came out; --whole
CALLS = "ERRALIGN_CALLS"  # set by `erralign freeze`: where a page's calls note their names
EQUAL, DIFFERENT, NOT_HERE, LEFT = "equal", "different", "not rechecked", "slow, left"
PLAIN = (str, int, float, bool, type(None), tuple, list, dict, set, frozenset, range)
PACKAGES = ("builtins", "erralign", "erralign_book", "math", "numpy", "pandas", "scipy")  # functions known by name
MOST_LETTERS = 40  # of an argument in the name of a copy
RESULTS: dict[str, Result] = {}  # of this process


class Stale(RuntimeError):
    """The cell is not the one whose result was frozen, and it cannot be computed here."""


class Unknown(TypeError):
    """An argument cannot be hashed."""


def frozen(name: str, **how: Any) -> Callable[[Callable[..., Any]], Result]:
    """Make a function of a chapter, or of a script, a frozen result.

    Parameters
    ----------
    name : str
        ``<chapter or paper>/<table>``: where the copy lies in ``data/frozen``; with ``.npz`` a dict of arrays. Of a
        call, the arguments that are not defaults are added: ``<table>/xu2024-stylized,error_consistency``.
    **how
        The fields of :class:`Result`, such as ``inputs``.

    Returns
    -------
    Result
        The function. What it depends on are its arguments: names of data sets, a measure by name or function, numbers,
        and lists of these; then it reads nothing else of the notebook but constants and functions. A function
        without arguments may read any global, and names its ``inputs``. One with ``settings`` gives the part of the
        one that it is called with; with any other argument, which is never the book's, it only computes.

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
        What the function reads beside the data sets among its arguments: names of data sets, as :func:`erralign.load`
        takes them, archives (``owner/name@commit``) or a folder in one (``owner/name@commit:folder``), or frozen arrays
        of another script (``training/features.npz``).
    needs : sequence of str
        Packages beyond those that a reader has, such as ``torch``. Where they and the inputs are here, a result that is
        not slow is computed and compared, in the build and out of it.
    slow : bool
        Read the copy in the build, too; only ``erralign freeze`` computes it, and a reader's change of its text, values
        or arguments. :meth:`compute` computes it in any case.
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
    arguments : mapping
        Of a call: what :meth:`of` was given, and the defaults of all others.

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
    arguments: Mapping[str, Any] = field(default_factory=dict)
    fresh: dict[str, dict[str, str]] = field(default_factory=dict)  # hashes of what this process froze, by name
    was_read: bool = False  # from the copy, by the last call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result, or the part of a setting: computed, or as it was frozen."""
        if self.settings and (args or kwargs):
            if len(args) == 1 and self.by and not self.slow and args[0] in self.settings:
                return self.result(args[0])
            self.was_read = False
            return self.function(*args, **kwargs)
        call = self.of(*args, **kwargs)
        result = call.result()
        self.was_read = call.was_read
        return result

    def of(self, *args: Any, **kwargs: Any) -> Result:
        """Return the result of a call, not computed yet: ``pairs_of.of("xu2024/sketch", my_measure).compute()``."""
        if self.settings:
            return self
        call = inspect.signature(self.function).bind(*args, **kwargs)
        call.apply_defaults()
        if not call.arguments:
            return self
        inputs = [*self.inputs, *_data_sets_in(call.arguments.values())]
        if not _answers(call.arguments.get("guest"), _data_sets(inputs)):
            call.arguments = {name: "" if name == "guest" else value for name, value in call.arguments.items()}
        return replace(self, name=_name_of_call(self.name, call), inputs=inputs, arguments=call.arguments)

    def result(self, setting: Any = None) -> Any:
        """Return the result, or the part of a setting: as it was frozen, where that is what is asked for."""
        if CALLS in os.environ:
            with Path(os.environ[CALLS]).open("a", encoding="utf-8") as notes:
                notes.write(self.name + "\n")
        try:
            now = self.hashes()
        except Unknown as error:  # such as a lambda: nothing can be frozen of it
            if os.environ.keys() & {FREEZE, BUILD, AGAIN}:
                raise
            return self._computed(None, str(error))
        known = record(self.name)
        as_frozen = all(known.get(what) == now[what] for what in now)
        possible, self.was_read = self.can_be_computed(), False
        if FREEZE in os.environ and possible:
            self._freeze(now)
            return self._rows(table(self.name), setting)
        if AGAIN in os.environ:
            return self._rows(self._again(possible=possible), setting)
        computes = possible and not self.slow and COPIES not in os.environ and (BUILD in os.environ or self.needs)
        if as_frozen and not computes:
            self.was_read = True
            return self._rows(table(self.name), setting)
        refused = self.slow and (
            BUILD in os.environ or self.settings
        )  # a reader who changed a line asks for its result
        if refused or not (possible or self._may_be_brought()):
            raise Stale(self._what_to_do(known=bool(known)))
        if BUILD in os.environ and not as_frozen:
            raise Stale(f"{self.name}: the cell or its values are not as they were frozen; {self._how_to_freeze()}")
        if self.slow:
            took = (
                f"took {known['seconds']:.0f} seconds when it was frozen" if "seconds" in known else "may take minutes"
            )
            print(f"{self.function.__name__} is computed, which {took}", flush=True)
        computed = self._computed(setting, _why(known=bool(known)))
        device = getattr(computed, "attrs", {}).get("device", "cpu")
        computed = self._rows(as_read(computed), setting)
        if as_frozen:
            self._compare(computed, setting, device)
        if as_frozen and self.ties:
            return self._rows(table(self.name), setting)
        return computed

    def _computed(self, setting: Any, why: str) -> Any:
        """Compute the result, or a part; say what is missing where data are."""
        try:
            return self.compute() if setting is None else self.part(setting)
        except DataError as error:  # too large to be brought unasked, or not to be reached
            raise Stale(f"{self.name}: {why}, so it must be computed, but {error}") from error

    def _may_be_brought(self) -> bool:
        """Say whether what is not here may be downloaded: not in a build, which reads copies."""
        return BUILD not in os.environ and os.environ.get("ERRALIGN_OFFLINE") != "1" and all(map(find_spec, self.needs))

    def hashes(self) -> dict[str, str]:
        """Hash its text and the values that it reads or was given."""
        return hashes(self.function, self.inputs, self.arguments)

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
        return self.function(**self.arguments)

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
        as_before = is_whole(self.name) and record(self.name).get("index_levels", 0) == _index_levels(computed)
        if not as_before or self.difference(result):  # an equal one is left, since last bits differ between machines
            write_whole(path, _written(computed))
        return result

    def note(self, **more: Any) -> None:
        """Write beside the copy which text and values it was made from, its hash, and what else is to be known."""
        entry = self.hashes() | {"content": content_hash(self.file)} | more
        write_whole(_path(self.name).with_suffix(".json"), json.dumps(entry, indent=1) + "\n")

    def _freeze(self, now: dict[str, str]) -> None:
        """Compute the result and write it, unless this process did."""
        before = self.fresh.get(self.name)
        if before == now:
            return
        if before:
            raise ValueError(f"two calls would both be frozen as {self.name}; give one of the functions another name")
        start = time.perf_counter()
        computed = self.compute()
        seconds = time.perf_counter() - start
        if (device := getattr(computed, "attrs", {}).get("device", "cpu")) != "cpu":
            raise Stale(f"{self.name} was computed on {device}; freeze it on the processor, where it is compared")
        self.store(computed)
        self.note(index_levels=_index_levels(computed), seconds=round(seconds, 1))
        self.fresh[self.name] = now

    def _how_to_freeze(self) -> str:
        as_written = next(name for name, result in RESULTS.items() if result.function is self.function)
        return f"freeze the page that computes it: `erralign freeze {as_written}`"

    def _compare(self, computed: Any, setting: Any, device: str) -> None:
        difference = self._difference(computed, self._rows(table(self.name), setting))
        if difference and device != "cpu":
            print(f"On {device} some numbers are others than on the processor. {difference}")
        elif difference:
            why = "the same cell gives other numbers than when it was frozen"
            message = f"{self.name}: {why}; {self._how_to_freeze()}. {difference}"
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
        why = _why(known=known)
        missing = [need for need in self.needs if not find_spec(need)]
        lacking = [part for part in _parts_of_archives(self.inputs) if not _is_here(part)]
        if missing:
            how = f"install {', '.join(missing)}"
        elif lacking:
            how = missing_data(lacking)
        else:
            return f"{self.name}: {why}, and it is slow: {self._how_to_freeze()}"
        return f"{self.name}: {why}, and it cannot be computed here. To compute it, {how}"


def _why(*, known: bool) -> str:
    if known:
        return "this cell is not the one that was frozen"
    return "nothing is frozen under this name"


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
        When there is no such copy, or it is not the one that was frozen.
    """
    path = _path(name)
    if not path.is_file():
        raise ValueError(f"no frozen table is called {name!r}; expected one below {path.parent}")
    if not is_whole(name):
        how = "bring it back from git, or freeze it anew with `erralign freeze`"
        raise ValueError(f"{path} is damaged: its hash is not that of the table that was frozen; {how}")
    return _read(path.read_bytes(), record(name).get("index_levels", 0))


def record(name: str) -> dict[str, Any]:
    """Return what is known of a frozen result, such as the hashes of its text and values; nothing without a record."""
    path = _path(name).with_suffix(".json")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # what is damaged says nothing, so its table is refused, or frozen anew
        return {}


def keep(name: str, timings: pd.DataFrame) -> None:
    """Write a table that no function computes anew, with as many digits as a timing bears, and a record of its hash."""
    write_whole(_path(name), timings.to_csv(index=False, float_format="%.4g"))
    entry = {"content": content_hash(_file(name))}
    write_whole(_path(name).with_suffix(".json"), json.dumps(entry, indent=1) + "\n")


def is_whole(name: str) -> bool:
    """Say whether a copy is there, and is the one that its record is about."""
    return _path(name).is_file() and record(name).get("content") == content_hash(_file(name))


def content_hash(file: str) -> str:
    """Hash a file below ``data/frozen``; of a table, whatever a system makes of the ends of its lines."""
    path = data_folder() / "frozen" / file
    content = path.read_bytes() if path.is_file() else b""
    if path.suffix == ".csv":
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()[:12]


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


def _answers(guest: Any, data_sets: Iterable[str]) -> bool:
    """Say whether a guest answered one of some data sets."""
    return bool(guest) and any(files_for(data_set, guest) for data_set in data_sets)


# --- calls ------------------------------------------------------------------------------------------------------------


def _data_sets_in(values: Iterable[Any]) -> list[str]:
    """Return the names of data sets among arguments, and in lists of them."""
    names: list[str] = []
    for value in values:
        if isinstance(value, list | tuple):
            names += _data_sets_in(value)
        elif isinstance(value, str) and value in records():
            names.append(value)
    return names


def _name_of_call(name: str, call: inspect.BoundArguments) -> str:
    """Add to a name, in words, the arguments that are not defaults."""
    words = []
    for argument, value in call.arguments.items():
        default = call.signature.parameters[argument].default
        is_default = value is default or (isinstance(value, PLAIN) and (type(value), value) == (type(default), default))
        if is_default:
            continue
        word = re.sub(r"\W+", "-", _word(value))
        if len(word) > MOST_LETTERS:
            word = _short({argument: word})
        words.append(word if default is inspect.Parameter.empty else f"{argument}={word}")
    first, dot, form = name.partition(".")
    return f"{first}/{','.join(words)}{dot}{form}" if words else name


def _word(value: Any) -> str:
    """Write an argument as a word: of a function its name, since its address is new each time."""
    if isinstance(value, list | tuple):
        return "-".join(map(_word, value))
    return str(getattr(value, "__name__", value))


# --- hashes -----------------------------------------------------------------------------------------------------------


def hashes(
    function: Callable, inputs: Sequence[str] = (), arguments: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Hash what a function says, with all functions of its own notebook that it uses, and the values that it reads.

    Comments, docstrings and decorators don't count. Of what packages define, only the names do. A guest that answered
    none of the inputs changes nothing, and neither does the device on which a network runs. A function that is given
    arguments reads no table or array of the notebook, and the defaults of the functions that it uses count.
    """
    texts: dict[str, str] = {}
    values: dict[str, object] = {}
    functions: list[types.FunctionType] = []
    _follow(function, texts, values, functions)
    values.pop("device", None)
    if values.get("guest") and not _answers(values["guest"], _data_sets(inputs)):
        values["guest"] = ""
    words = {name: _in_words(name, value) for name, value in values.items()}
    if arguments:
        _check_constants(values)
        words |= _defaults(functions[1:])  # its own are among the arguments
        words |= {f"argument {name}": _argument(name, value, functions[0]) for name, value in arguments.items()}
    return {"text": _short(texts), "values": _short(words)}


def _check_constants(values: Mapping[str, object]) -> None:
    for name, value in values.items():
        parts = value.values() if isinstance(value, dict) else [value]
        if any(isinstance(part, pd.DataFrame | pd.Series | np.ndarray) for part in parts):
            raise TypeError(
                f"a frozen function with arguments reads {name} of the notebook; make it inside the function"
            )


def _defaults(functions: Iterable[types.FunctionType]) -> dict[str, str]:
    words: dict[str, str] = {}
    for own in functions:
        if own.__closure__:
            raise Unknown(f"{own.__name__} was made by another function, whose values are not known")
        defaults = dict(enumerate(own.__defaults__ or ())) | (own.__kwdefaults__ or {})
        words |= {
            f"default {own.__name__} {place}": _argument(str(place), value, own) for place, value in defaults.items()
        }
    return words


def _argument(name: str, value: Any, reader: types.FunctionType) -> str:
    """Write an argument in words: of a function of a package the name, of one of the reader's notebook hashes, too."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return repr([_argument(name, part, reader) for part in value])
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | np.ufunc):
        package = (value.__module__ if hasattr(value, "__module__") else "numpy").partition(".")[0]
        if package in PACKAGES:
            return f"import {package} {value.__qualname__ if hasattr(value, '__qualname__') else value.__name__}"
    is_wrapped = hasattr(value, "__wrapped__") and not isinstance(value, Result)
    own = inspect.unwrap(value) if callable(value) else value
    if (
        is_wrapped
        or not inspect.isfunction(own)
        or own.__name__ == "<lambda>"
        or own.__globals__ is not reader.__globals__
    ):
        raise Unknown(f"the argument {name} is neither a word, a number nor a function of the notebook, with a name")
    texts: dict[str, str] = {}
    values: dict[str, object] = {}
    functions: list[types.FunctionType] = []
    try:
        _follow(own, texts, values, functions)
    except OSError as error:  # of what was typed elsewhere than in a cell, no text is kept
        raise Unknown(f"the text of {own.__name__} is not known") from error
    _check_constants(values)
    words = {name: _in_words(name, value) for name, value in values.items()} | _defaults(functions)
    return f"{own.__name__} {_short(texts)} {_short(words)}"


def _short(parts: dict[str, str]) -> str:
    joined = "\n".join(f"{name}: {part}" for name, part in sorted(parts.items()))
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


def _follow(
    function: Any, texts: dict[str, str], values: dict[str, object], functions: list[types.FunctionType]
) -> None:
    own = inspect.unwrap(function)
    functions.append(own)
    texts[own.__name__] = text_of(own)
    for name in sorted(_globals_of(own.__code__)):
        if name not in own.__globals__ or name in texts or name in values:  # a builtin, or read already
            continue
        value = own.__globals__[name]
        inner = inspect.unwrap(value) if callable(value) else value
        if inspect.isfunction(inner) and inner.__globals__ is own.__globals__:
            _follow(inner, texts, values, functions)
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
