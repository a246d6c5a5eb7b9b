from erralign.reports.comparison import Comparison as Comparison
from erralign.reports.comparison import compare as compare
from erralign.reports.comparison import compare_file as compare_file
from erralign.reports.formats import as_json as as_json
from erralign.reports.formats import as_markdown as as_markdown
from erralign.reports.formats import as_text as as_text
from erralign.reports.formats import page as page
from erralign.reports.options import Options as Options
