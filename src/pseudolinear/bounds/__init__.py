"""How far from the optimum a classifier can be, and what that rests on."""

from pseudolinear.bounds._certificate import (
    Certificate,
    Statement,
    certify,
    mean_certificate,
)
from pseudolinear.bounds._cone_bound import ConeBound
from pseudolinear.bounds._label_certificate import LabelBounds, certify_labels

__all__ = [
    "Certificate",
    "ConeBound",
    "LabelBounds",
    "Statement",
    "certify",
    "certify_labels",
    "mean_certificate",
]
