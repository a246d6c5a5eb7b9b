"""What was done to the photographs before people and networks saw them: twelve distortions of a picture.

A picture is an array of light from 0 to 1, grey (height, width) or in colour (height, width, 3). All functions but
:func:`false_colour` return it in grey, as the experiments did. Parameters are those of Geirhos et al. (2018), read in
their released code (rgeirhos/generalisation-humans-DNNs at 0b88343); the code here is our own.
"""

from erralign_book.distortions.frequencies import high_pass, low_pass, phase_scrambling, power_equalisation
from erralign_book.distortions.light import contrast, false_colour, grey, uniform_noise
from erralign_book.distortions.places import eidolon, rotation
