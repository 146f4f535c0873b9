"""What is minimised: one file per loss, known by its name."""

from pseudolinear._discovery import import_modules
from pseudolinear.learners.losses._loss import Loss, get_loss
from pseudolinear.learners.losses._smooth import SmoothLoss

__all__ = ["Loss", "SmoothLoss", "get_loss"]

import_modules(__name__)  # so that a new loss is known by its name
