"""What can go wrong that is not wrong use."""


class DataError(Exception):
    """Data are missing or damaged; the message names the file, its repository and how to get it."""


class ChapterError(Exception):
    """A chapter or the site did not come out; the message names what broke, in one line."""
