"""One study of what people's answers teach: heads are trained, and tested with other pictures and other people."""

from erralign_book.studies.training.findings import Findings as Findings
from erralign_book.studies.training.study import Study as Study
