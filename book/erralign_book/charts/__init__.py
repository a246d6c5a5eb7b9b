"""The charts of single pages, a module per chapter or paper, drawn with :mod:`erralign.plot`."""
