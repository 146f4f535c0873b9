"""Decisions as plain scikit-learn pipelines, which need nothing of this package."""

from pseudolinear.persistence.plain._export import to_sklearn

__all__ = ["to_sklearn"]
