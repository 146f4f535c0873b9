"""How far from the optimum a classifier can be, and what that rests on."""

from pseudolinear.bounds._certificate import (
    Certificate,
    Statement,
    certify,
    mean_certificate,
)
from pseudolinear.bounds._cone_bound import ConeBound

__all__ = ["Certificate", "ConeBound", "Statement", "certify", "mean_certificate"]
