"""Charts and tables of anybody's data: they take what the package's functions return.

Every chart has a title that is a sentence, named axes, and a ``description``, its alternative text. Colours mean
the same everywhere and can be told apart by colour-blind readers (Okabe and Ito).
"""

from erralign.plot.html import Table, table
from erralign.plot.systems import beside, heatmap, ranking, whiskers
from erralign.plot.theme import number, with_interval

__all__ = ["Table", "beside", "heatmap", "number", "ranking", "table", "whiskers", "with_interval"]
__dir__ = __all__.copy
