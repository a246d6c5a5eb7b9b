"""Do two systems see alike? Measures of representations, one short module a family."""

from erralign.similarity.kernels import cka

__all__ = ["cka"]
