"""Twelve distortions of a picture, light from 0 to 1; all but :func:`false_colour` return it in grey."""

# Parameters are those of Geirhos et al. (2018), read in their released code (rgeirhos/generalisation-humans-DNNs at
# 0b88343); the code here is our own.

from erralign_book.distortions.frequencies import high_pass, low_pass, phase_scrambling, power_equalisation
from erralign_book.distortions.light import contrast, false_colour, grey, uniform_noise
from erralign_book.distortions.places import eidolon, rotation
