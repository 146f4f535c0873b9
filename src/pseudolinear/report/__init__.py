"""What people read of a fitted classifier: a few lines, or one self-contained page."""

from pseudolinear.report._summarise import summarise
from pseudolinear.report._summary import Summary

__all__ = ["Summary", "summarise"]
