"""The book's commands. The library's command line finds them as a plug-in (``erralign.commands``, see pyproject.toml).

They work in the book's repository; elsewhere ``erralign --help`` does not list them, and each says where it works.
"""

from pathlib import Path

from erralign_book.commands.freezing import freeze
from erralign_book.commands.site import benchmarks, book, check, lint, pictures, serve, test

COMMANDS = (book, lint, check, test, freeze, serve, pictures, benchmarks)

for _command in COMMANDS:
    _command.hidden = not Path("_toc.yml").is_file()
