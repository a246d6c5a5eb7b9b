"""Charts and tables of anybody's data: they take what the package's functions return.

Every chart has a title that is a sentence, named axes, and a ``description``, its alternative text. Colours mean
the same everywhere and can be told apart by colour-blind readers (Okabe and Ito).
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
