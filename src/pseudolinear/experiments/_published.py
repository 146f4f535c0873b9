"""The published experiments, and a quick version of them."""

from __future__ import annotations

from pseudolinear.experiments._protocol import LearnerSetting, Protocol, Source, TableSetting

LEVELS = tuple(i / 10 for i in range(1, 20))  # cost ratios (2 - t) / t: 19 to 0.05


def _powers(low: int, high: int, step: int = 1) -> tuple[float, ...]:
    return tuple(2.0**i for i in range(low, high + 1, step))


def _learners(
    levels: tuple[float, ...], C: tuple[float, ...], gamma: tuple[float, ...]
) -> tuple[LearnerSetting, ...]:
    # The literature appends a constant feature of 100 for the intercept, but not with RBF.
    bias = {"intercept_scaling": 100.0}
    loose = {"tol": 1e-2}  # as the literature's solvers, which stop earlier still
    perf = {"solution": "last", **bias}  # as the original programme, which the literature ran
    return (
        LearnerSetting("SVMperf", "svm_perf", perf, {"C": C}, (1.0,), ("none", "T"), effort=10.0),
        LearnerSetting(
            "SVM", "linear", {"loss": "hinge", **bias, **loose}, {"C": C}, levels, effort=5.0
        ),
        LearnerSetting("LR", "linear", {"loss": "logistic", **bias}, {"C": C}, levels),
        LearnerSetting(
            "SVM-RBF",
            "kernel",
            loose,
            {"gamma": gamma, "C": C},
            levels,
            effort=5.0,
        ),
    )


def _tables(
    binary: tuple[str, ...], multilabel: tuple[str, ...], kernel: tuple[str, ...]
) -> tuple[TableSetting, ...]:
    linear, rbf = ("SVMperf", "SVM", "LR"), ("SVM-RBF",)
    return (
        TableSetting("tab_bin", "Binary F1", "binary_F1", binary, linear),
        TableSetting("tab_MF", "Macro F1", "macro_F1", multilabel, linear),
        TableSetting("tab_MF_kern", "Macro F1 with an RBF kernel", "macro_F1", kernel, rbf),
        TableSetting("tab_mF", "Micro F1", "micro_F1", multilabel, linear),
        TableSetting("tab_mF_kern", "Micro F1 with an RBF kernel", "micro_F1", kernel, rbf),
    )


PUBLISHED = Protocol(
    "published",
    (
        Source("adult", published="Adult"),
        Source(
            "galaxy",
            "galaxy",
            {"n_train": 18_000, "n_test": 7_000, "seed": 0},
            published="Galaxy",
            note="The literature gives no positions of the clusters; these were fitted to its "
            "figures, so agreement is no replication.",
        ),
        Source("scene", published="Scene"),
        Source("yeast", published="Yeast"),
        Source(
            "siam500", note="500 selected words in place of the 30,438 of Siam; not comparable."
        ),
        Source("rcv1sub", note="Other rows of RCV1-v2 than the published ones; not comparable."),
    ),
    _learners(LEVELS, _powers(-6, 6), _powers(-6, 6)),
    _tables(("adult", "galaxy"), ("rcv1sub", "scene", "siam500", "yeast"), ("scene", "yeast")),
    LEVELS,
    n_splits=5,
)
"""The experiments of the literature, exactly as published."""

QUICK = Protocol(
    "quick",
    (
        Source("small galaxy", "galaxy", {"n_train": 6_000, "n_test": 6_000, "seed": 0}),
        Source(
            "six topics",
            "multilabel",
            {"n_train": 600, "n_test": 600, "n_features": 40, "n_labels": 6, "seed": 0},
        ),
    ),
    _learners(LEVELS, _powers(-6, 6, 2), _powers(-4, 4, 4)),
    _tables(("small galaxy",), ("six topics",), ("six topics",)),
    LEVELS,
    n_splits=3,
)
"""The same on small generated data, with fewer splits and values of C."""
