"""The line that installs the package with an extra: today from the repository, and after a release as well."""

REPOSITORY = "https://github.com/erralign/erralign"


def install_line(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'erralign[{extra}] @ git+{REPOSITORY}'"


def lacking(what: str, extra: str, name: str | None) -> ModuleNotFoundError:
    """Return the error of what needs an extra of which a module is not installed."""
    return ModuleNotFoundError(
        f"{what} needs the extra {extra!r} ({name} is not installed); get it with  {install_line(extra)}"
    )
