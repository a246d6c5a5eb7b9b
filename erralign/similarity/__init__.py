"""Do two systems see alike? Measures of representations, one short module per family."""

from erralign.similarity.kernels import cka

__all__ = ["cka"]
