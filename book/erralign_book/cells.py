"""A result whose code stands in a chapter: computed where its archives are, else read as it was frozen.

    @frozen("lesson_3/pairs", inputs=["xu2024/stylized"])
    def pairs():
        ...                      # what the page shows is what is computed
        return a_table

The text of the function, with that of the notebook's functions that it uses, and the values that it reads from the
notebook are hashed apart. While both are as they were frozen, a machine without the data reads
``data/frozen/lesson_3/pairs.csv``; whoever changes a line never gets the old numbers for the new code.
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
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign.datasets.archives import is_complete
from erralign.datasets.data_sets import records
from erralign.datasets.guests import files_for
from erralign.files import write_whole
from erralign_book.files import data_folder

FREEZE, BUILD = "ERRALIGN_FREEZE", "ERRALIGN_BUILD"  # set by `erralign freeze`, and by `erralign book`
COPIES = "ERRALIGN_COPIES"  # set by `erralign book --with`: what is as it was frozen is read, not computed again
AGAIN, WHOLE = "ERRALIGN_AGAIN", "ERRALIGN_WHOLE"  # set by `erralign reproduce`: where it notes what came out; --whole
EQUAL, DIFFERENT, NOT_HERE, LEFT = "equal", "different", "not rechecked", "slow, left"
PLAIN = (str, int, float, bool, type(None), tuple, list, dict, set, frozenset)


class Stale(RuntimeError):
    """The cell is not the one whose result was frozen, and it cannot be computed here."""


def frozen(
    name: str, *, inputs: Sequence[str] = (), needs: Sequence[str] = (), slow: bool = False, rtol: float = 1e-9
) -> Callable[[Callable[..., pd.DataFrame]], Callable[..., pd.DataFrame]]:
    """Make a function of a chapter a frozen result.

    Parameters
    ----------
    name : str
        ``<chapter or paper>/<table>``: where the copy lies in ``data/frozen``.
    inputs : sequence of str
        What the function reads: names of data sets, as :func:`erralign.load` takes them, or archives
        (``owner/name@commit``).
    needs : sequence of str
        Packages beyond those that a reader has, such as ``torch``.
    slow : bool
        Read the copy even where the data are; only ``erralign freeze`` computes it. ``function.compute()`` computes it
        in any case.
    rtol : float
        How far fresh and frozen numbers may differ, relatively.

    Returns
    -------
    callable
        The function. Called with arguments, which are never the book's, it only computes.

    Raises
    ------
    Stale
        When the function is called where it cannot be computed and is not as it was frozen.
    """

    def decorate(function: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
        @wraps(function)
        def result(*args: Any, **kwargs: Any) -> pd.DataFrame:
            if args or kwargs:
                return function(*args, **kwargs)
            known, now = record(name), hashes(function, inputs)
            as_frozen = all(known.get(what) == now[what] for what in now)
            if FREEZE in os.environ and can_be_computed(inputs, needs):
                return _freeze(name, function, now, rtol)
            if AGAIN in os.environ:
                return _again(name, function, rtol, possible=can_be_computed(inputs, needs), slow=slow)
            if slow or not can_be_computed(inputs, needs) or (COPIES in os.environ and as_frozen):
                if not as_frozen:
                    raise Stale(_what_to_do(name, function.__name__, inputs, needs, known=bool(known)))
                return table(name)
            computed = as_read(function())
            if as_frozen or BUILD in os.environ:
                _compare(name, computed, rtol, as_frozen=as_frozen)
            return computed

        result.compute = function  # type: ignore[attr-defined]
        return result

    return decorate


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
    arrays = name.endswith(".npz")
    path = data_folder() / "frozen" / name if arrays else _path(name)
    if not path.is_file():
        raise ValueError(f"no frozen table is called {name!r}; expected one below {path.parent}")
    if arrays:
        with np.load(path) as file:
            return dict(file)
    return _read(path.read_text(encoding="utf-8"), record(name).get("index_levels", 0))


def record(name: str) -> dict[str, Any]:
    """Return what is known of a frozen result, such as the hashes of its text and values; nothing if there is none."""
    path = _path(name).with_suffix(".json")
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def can_be_computed(inputs: Sequence[str], needs: Sequence[str]) -> bool:
    """Say whether all packages and archives are on this machine."""
    return all(map(find_spec, needs)) and all(map(is_complete, archives_of(inputs)))


def archives_of(inputs: Sequence[str]) -> list[str]:
    """Return the archives that some data sets, or archives, are read from."""
    found: list[str] = []
    for name in inputs:
        found += [name] if "@" in name else records()[name].archives
    return list(dict.fromkeys(found))


def _data_sets(inputs: Sequence[str]) -> list[str]:
    """Return the data sets that can be read from the archives of the inputs."""
    archives = set(archives_of(inputs))
    return [name for name, data_set in records().items() if archives & set(data_set.archives)]


# --- hashes -----------------------------------------------------------------------------------------------------------


def hashes(function: Callable, inputs: Sequence[str] = ()) -> dict[str, str]:
    """Hash what a function says, with all functions of its own notebook that it uses, and the values that it reads.

    Comments, docstrings and decorators don't count. Of what packages define, only the names do. A guest that answered
    none of the inputs changes nothing.
    """
    texts: dict[str, str] = {}
    values: dict[str, object] = {}
    _follow(function, texts, values)
    if values.get("guest") and not any(files_for(data_set, values["guest"]) for data_set in _data_sets(inputs)):
        values["guest"] = ""
    return {"text": _short(texts), "values": _short({name: _in_words(name, value) for name, value in values.items()})}


def hash_of_text(function: Callable) -> str:
    """Hash what a function says, with the functions of its own file that it uses."""
    texts: dict[str, str] = {}
    _follow(function, texts, {})
    return _short(texts)


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
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
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
    return data_folder() / "frozen" / f"{name}.csv"


def _index_levels(computed: pd.DataFrame) -> int:
    plain = isinstance(computed.index, pd.RangeIndex) and computed.index.name is None
    return 0 if plain else computed.index.nlevels


def _written(computed: pd.DataFrame) -> str:
    return computed.to_csv(index=bool(_index_levels(computed)))


def _read(text: str, index_levels: int) -> pd.DataFrame:
    index = list(range(index_levels)) or None
    return pd.read_csv(io.StringIO(text), index_col=index)


def as_read(computed: pd.DataFrame) -> pd.DataFrame:
    """Return a table in the form in which it comes out of its file: the same on a machine with the data and without."""
    return _read(_written(computed), _index_levels(computed))


def _differs(computed: pd.DataFrame, other: pd.DataFrame, rtol: float) -> str:
    try:
        pd.testing.assert_frame_equal(computed, other, rtol=rtol, atol=1e-12, check_dtype=False)
    except AssertionError as error:
        return str(error)
    return ""


def _compare(name: str, computed: pd.DataFrame, rtol: float, *, as_frozen: bool) -> None:
    how = f"freeze the page that computes it: `erralign freeze {name}`"
    if not as_frozen:
        raise Stale(f"{name}: the cell or its values are not as they were frozen; {how}")
    if difference := _differs(computed, table(name), rtol):
        said = f"{name}: the same cell gives other numbers than when it was frozen; {how}. {difference}"
        if BUILD in os.environ:
            raise Stale(said)
        print(said)


def _freeze(name: str, function: Callable, now: dict[str, str], rtol: float) -> pd.DataFrame:
    start = time.perf_counter()
    computed = function()
    seconds = time.perf_counter() - start
    path, result = _path(name), as_read(computed)
    levels = _index_levels(computed)
    if not path.is_file() or record(name).get("index_levels") != levels or _differs(result, table(name), rtol):
        write_whole(path, _written(computed))  # an equal one is left, since last bits differ between machines
    entry = now | {"index_levels": levels, "seconds": round(seconds, 1)}
    write_whole(path.with_suffix(".json"), json.dumps(entry, indent=1) + "\n")
    return result


def _again(name: str, function: Callable, rtol: float, *, possible: bool, slow: bool) -> pd.DataFrame:
    """Compute a result again where that is possible, note how it came out, and go on with the copy."""
    how, difference = NOT_HERE if not possible else LEFT, ""
    if possible and (not slow or WHOLE in os.environ):
        difference = _differs(as_read(function()), table(name), rtol)
        how = DIFFERENT if difference else EQUAL
    with Path(os.environ[AGAIN]).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps([name, how, difference and f"{name} differs: {difference}"]) + "\n")
    return table(name)


def _what_to_do(name: str, function: str, inputs: Sequence[str], needs: Sequence[str], *, known: bool) -> str:
    why = "this cell is not the one that was frozen" if known else "nothing is frozen under this name"
    missing = [need for need in needs if not find_spec(need)]
    lacking = [key for key in archives_of(inputs) if not is_complete(key)]
    if missing:
        how = f"install {', '.join(missing)}"
    elif lacking:
        how = "fetch the data:  " + "; ".join(f"erralign fetch {key.partition('@')[0]}" for key in lacking)
    else:
        return f"{name}: {why}, and it is slow; to compute it here, call {function}.compute()"
    return f"{name}: {why}, and it cannot be computed here. To compute it, {how}"
