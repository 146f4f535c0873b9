"""Blends as nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pseudolinear._calibration import BEYOND
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._learners import score
from pseudolinear.persistence.onnx._views import Rows
from pseudolinear.portfolio._blend import Blend, BlendScorer
from pseudolinear.portfolio._scale import Scale


def blend(scorer: BlendScorer, graph: Graph, models: Sequence[Blend], rows: Rows) -> list[str]:
    """Add the scores of several blends; every learner scores all its models at once."""
    totals: list[str | None] = [None] * len(models)
    for i, (learner, view) in enumerate(zip(scorer.learners, scorer.views, strict=True)):
        used = [
            (k, share, model)
            for k, one in enumerate(models)
            for share, model in zip(one.shares, one.models, strict=True)
            if share.member == i
        ]
        if not used:
            continue
        scores = score(learner, graph, [model for _, _, model in used], rows(view))
        for (k, share, _), own in zip(used, scores, strict=True):
            part = graph("Mul", rescale(share.scale, graph, own), float(share.weight))
            before = totals[k]
            totals[k] = part if before is None else graph("Add", before, part)
    both = zip(models, totals, strict=True)
    return [rescale(one.log_odds, graph, total) for one, total in both if total is not None]


def rescale(scale: Scale, graph: Graph, scores: str) -> str:
    """Add scores on another scale."""
    flat = flatten(graph, scores, scale.limit)
    return graph("Div", graph("Sub", flat, scale.centre), scale.spread)


def flatten(graph: Graph, scores: str, limit: float) -> str:
    """Add scores that are pulled back beyond a limit, in their order."""
    if limit == np.inf:
        return scores
    clipped = graph("Clip", scores, -limit, limit)
    return graph("Add", clipped, graph("Mul", graph("Sub", scores, clipped), BEYOND))
