"""Old names, which work for one release and say what is called otherwise now."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from warnings import warn

Function = TypeVar("Function", bound=Callable[..., Any])


def renamed(**now: str) -> Callable[[Function], Function]:
    """Let a function take arguments by their old names, too."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def with_old_names(*arguments: Any, **given: Any) -> Any:
            for old in now.keys() & given.keys():
                warn_of_name(f"{old}=... of {function.__name__}", f"{now[old]}=...", depth=1)
                given[now[old]] = given.pop(old)
            return function(*arguments, **given)

        return cast(Function, with_old_names)

    return decorate


def warn_of_name(old: str, new: str, *, depth: int = 0) -> None:
    """Say once per place of use that a name is an old one."""
    warn(f"{old} is now {new}; the old name goes with the next release", DeprecationWarning, stacklevel=3 + depth)
