"""What is minimised: one file per loss, found by its name.

A new module of this package that defines a child of :class:`Loss` with a name is all that a new
loss takes: every module here is imported, and named classes enter ``LOSSES``.
"""

from importlib import import_module
from pkgutil import iter_modules

from pseudolinear.learners.losses._loss import LOSSES, Loss, get_loss
from pseudolinear.learners.losses._smooth import SmoothLoss

__all__ = ["LOSSES", "Loss", "SmoothLoss", "get_loss"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
