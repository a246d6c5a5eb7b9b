"""The one colour law, and every colour of every chart, on a light page and on a dark one.

Orange is people, blue is machines (:data:`MACHINES` has the shade and the mark of each family), a pair of both is a
mark split in both, and magenta is the reader's own. Teal is an amount, the more the stronger, and below zero grey. All
else, with whatever matters among it, is black and grey: black, a thicker line and a filled mark stand out, grey, thin
and hollow recede. Wrong answers are coloured, in a frame round a picture, else filled. No other module names a colour.
Marks have a contrast of at least 3:1 with the page in both themes; tiles and the low ends of the ramps recede towards
the page. The book's script takes one for the other.
"""

from typing import Final

# On a light page -> on a dark one. Readers who cannot tell all hues apart can tell these, or have shapes beside them.
DARK: Final[dict[str, str]] = {}


def _colour(light: str, dark: str) -> str:
    DARK[light] = dark
    return light


def _colours(light: str, dark: str) -> tuple[str, ...]:
    return tuple(map(_colour, light.split(), dark.split()))


_GROUNDS: Final = ("#FFFFFF", "#121212")  # of the page, light and dark

ORANGE = _colour("#D55E00", "#FF8A3D")  # people
BLUE, DEEP, NAVY = _colours("#0072B2 #06497C #002550", "#469FE2 #7FC1F5 #C6E6FF")  # machines, the newer the stronger
MAGENTA = _colour("#B0237E", "#F08CC4")  # the reader's own

# Family -> shade and mark. The shade says what machines learned from, and so how new they are: pictures with names;
# many more, or captions; pictures and language, so that one can ask them. The mark says how they are built.
MACHINES: Final = {
    "CNN": (BLUE, "square"),
    "ViT": (BLUE, "M-.5,-1h1v2h-1Z"),  # an upright bar, whose halves are alike
    "MLP": (BLUE, "triangle-down"),
    "other": (BLUE, "cross"),
    "more data": (DEEP, "triangle-up"),
    "vision-language": (NAVY, "triangle-up"),
}

BLACK, SLATE, GREY, SILVER = _colours("#161616 #4F4F4F #6E6E6E #919191", "#F5F5F5 #B4B4B4 #949494 #747474")
# Tiles, and what stands on them: words, and the lines between them.
INK, PAPER = _colour("#111111", "#F2F2F2"), _colour(*_GROUNDS)
PALE, PALE_GREY, TILE_GREY = _colours("#E6E9EC #C4C8CC #8F8F8F", "#2C2C30 #46464C #6A6A6A")

# Amounts: levels from low to high, values from low to high, and from −1 over 0 to 1.
LEVELS: Final = _colours("#489A9C #36888B #1F6D70 #0F5255 #05373A", "#2F7F82 #4C9C9F #6FB7B9 #97D1D2 #C5EAEA")
RAMP: Final = _colours("#EEF6F6 #B5DADA #6FB3B4 #2C7E81 #0A4143", "#151A1A #1F494B #2F7E81 #7DBFC0 #D3F0EF")
TWO_SIDED: Final = _colours("#474747 #A5A5A5 #F3F6F6 #82C0C1 #0D5255", "#D6D6D6 #6B6B6B #171A1A #357F82 #C2ECEB")
