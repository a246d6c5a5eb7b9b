from erralign.plot.html import Table as Table
from erralign.plot.html import table as table
from erralign.plot.systems import beside as beside
from erralign.plot.systems import heatmap as heatmap
from erralign.plot.systems import intervals as intervals
from erralign.plot.systems import points as points
from erralign.plot.theme import number as number
from erralign.plot.theme import with_interval as with_interval
