"""The parameter by which a chapter takes a guest."""

from pathlib import Path


def check_guest(name: str, path: object) -> None:
    """Refuse what is no file or folder."""
    if not isinstance(path, str) or (path and not Path(path).exists()):
        raise ValueError(
            f"{name} is {path!r}; expected the path of a CSV file with your model's answers or of a folder with one "
            "for each data set, or '' for none"
        )
