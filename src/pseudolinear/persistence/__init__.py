"""Models as files: saved and loaded without executing code, and exported."""

from pseudolinear.persistence._loading import load
from pseudolinear.persistence._saving import save
from pseudolinear.persistence._trusted import TRUSTED

__all__ = ["TRUSTED", "load", "save"]
