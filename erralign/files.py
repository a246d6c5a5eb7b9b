"""Files that are whole or not there, and files of numbers."""

import os
from pathlib import Path

import numpy as np

NPY = b"\x93NUMPY"  # how a file of NumPy begins
AS_FLOATS = "expected numbers: write them with numpy.save(path, features.astype(float))"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, and move it in when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The process's number, since two may write the same file.
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_features(path: Path) -> np.ndarray:
    """Read the features of one system from a file that NumPy wrote."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a .npy file")
    with path.open("rb") as file:
        start = file.read(len(NPY))
        if start != NPY:
            kind = "is an archive, perhaps of several arrays" if start.startswith(b"PK") else "is no array"
            raise ValueError(f"{path} {kind}; expected a .npy file: write one with numpy.save(path, features)")
        file.seek(0)
        try:
            array = np.lib.format.read_array(file, allow_pickle=False)
        except ValueError as error:
            if "pickle" in str(error):
                raise ValueError(f"{path} holds pickled Python objects, which may run any code; {AS_FLOATS}") from None
            raise ValueError(f"{path} is damaged ({str(error).splitlines()[0]}); write it again") from None
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{path} holds {array.dtype}; {AS_FLOATS}")
    return array
