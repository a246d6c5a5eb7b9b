"""Every colour of every chart, on a light page and on a dark one; no other module names a colour.

Vermilion, amber and blue are kinds of pairs (people, mixed, networks), brown, green and pink are families of networks.
Teal and olive are classes of pictures, as points and as tiles. All else is grey, or the one purple for what matters; in
heatmaps it is the stronger the larger a value is. Marks have a contrast of at least 3:1 with the page in both themes;
tiles and the low ends of the ramps recede towards the page. The book's script takes one for the other.
"""

from typing import Final

# On a light page -> on a dark one. Readers who cannot tell all hues apart can tell these, or have shapes beside them.
DARK: Final[dict[str, str]] = {}


def _colour(light: str, dark: str) -> str:
    DARK[light] = dark
    return light


def _colours(light: str, dark: str) -> tuple[str, ...]:
    return tuple(map(_colour, light.split(), dark.split()))


GROUNDS: Final = ("#FFFFFF", "#121212")  # of the page, light and dark

# Kinds of pairs, and people and networks where these are one side of a comparison.
VERMILION, AMBER, BLUE = _colour("#C8430B", "#FF6B3D"), _colour("#BB8300", "#F5C242"), _colour("#0072B2", "#56AEE8")
SKY = _colour("#3A8FB7", "#A6D8F5")  # a kind of two networks
# Families of networks.
BROWN, GREEN, PINK = _colour("#7A4E2D", "#C9A184"), _colour("#00805E", "#33C79A"), _colour("#B5478C", "#E58FC3")

PURPLE, LILAC = _colour("#5635B8", "#B9AAE6"), _colour("#9680DA", "#7E62D2")
SLATE, GREY, SILVER = _colour("#3D3D3D", "#E0E0E0"), _colour("#6E6E6E", "#A8A8A8"), _colour("#919191", "#747474")
# Levels of a number, from low to high.
LEVELS: Final = _colours("#9B87D7 #846BCE #6D50C5 #5639AC #3D297B", "#7154C6 #876ECF #9F8CD9 #B9ABE3 #D2C9ED")

TEAL, OLIVE = _colour("#1B7F87", "#56C2CB"), _colour("#727A1E", "#B9C24A")

# Tiles, and what stands on them: words, and the lines between them.
INK, PAPER = _colour("#111111", "#F2F2F2"), _colour(*GROUNDS)
PALE = _colour("#E6E9EC", "#3F3F46")
PALE_GREY, PALE_PURPLE = _colour("#E3E3E6", "#2B2B2F"), _colour("#DDD4F5", "#3A2F63")
TILE_TEAL, TILE_OLIVE, TILE_GREY = _colours("#2F9BA3 #8D9438 #8F8F8F", "#24747A #696E29 #6A6A6A")
# From low to high, and from −1 over 0 to 1.
RAMP: Final = _colours("#F4F1FB #CFC4EE #A08CDC #6C4BC4 #341E7E", "#17151C #3D2F70 #6D52BC #A290DD #DDD5F8")
TWO_SIDED: Final = _colours("#474747 #A5A5A5 #F5F4F8 #A692DE #4527A0", "#D6D6D6 #6B6B6B #18171B #6A50B8 #D4CAF6")
