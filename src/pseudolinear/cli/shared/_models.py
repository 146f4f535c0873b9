"""Models: read from files, described, and given rows of other files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pseudolinear._files import check_file
from pseudolinear.cli.shared._columns import check_column, text_column
from pseudolinear.cli.shared._output import Output


def load_model(path: str) -> Any:
    """Return the classifier that a file holds."""
    from pseudolinear.persistence import load

    check_file(Path(path))
    return load(path)


def load_evidence(path: str) -> Any:
    """Return the classifier that a file holds, with what it has seen."""
    classifier = load_model(path)
    if not hasattr(classifier, "sweep_"):
        raise ValueError(f"{path} was saved without its evidence; fit it again with --evidence.")
    return classifier


def save_retargeted(output: Output, classifier: Any, path: Path, found: Any = None) -> None:
    """Save a classifier that was aimed anew, and say what it is.

    Parameters
    ----------
    output : Output
        Where it is said.
    classifier : MeasureClassifier
        With its evidence.
    path : Path
        Where to save it.
    found : Adaptation, default=None
        What it was aimed by, to be said first.
    """
    classifier.save(path, evidence=True)
    data = {"model": str(path)} | describe(classifier)
    shown = [lambda: str(classifier.summary())]
    if found is not None:
        data["adaptation"] = found.to_dict()
        shown.insert(0, lambda: f"{found}\n")
    output.result(data, *shown)
    output.say(f"\nmodel: {path}")


def describe(classifier: Any) -> dict[str, Any]:
    """Return what a classifier is, as data.

    Parameters
    ----------
    classifier : MeasureClassifier
        Fitted.

    Returns
    -------
    dict
        Its measure, classes, features, thresholds and values.
    """
    measure = classifier.measure
    names = getattr(classifier, "feature_names_in_", None)
    promise, policy = getattr(classifier, "promise_", None), classifier.decision_.policy
    text = getattr(classifier, "text_name_", None)
    return {
        "kind": classifier.decision_.kind.name,
        "measure": measure if isinstance(measure, str) else repr(measure),
        "target": getattr(classifier, "target_name_", None),
        "classes": classifier.classes_.tolist(),
        "positive": getattr(classifier, "pos_label_", None),
        "thresholds": classifier.threshold_,
        "decision": None if policy is None else str(policy),
        "prevalence": classifier.prevalence_,
        "honest_score": getattr(classifier, "honest_score_", None),
        "honest_interval": getattr(classifier, "honest_interval_", None),
        "validation_score": classifier.best_score_,
        "promise": None if promise is None else promise.brief,
        "text": text,
        "n_features": getattr(classifier, "n_features_in_", None),
        "features": None if names is None else names.tolist(),
        "members": {row["learner"]: row["value"] for row in getattr(classifier, "portfolio_", [])},
        "evidence": hasattr(classifier, "sweep_"),
    }


def string_columns(classifier: Any) -> list[str]:
    """Return the columns that hold strings, which a file of numbers must not turn into numbers."""
    from pseudolinear.features._columns import Numbers

    columns = getattr(classifier.decision_.features.schema, "columns", ())
    names = [column.name for column in columns if not isinstance(column, Numbers)]
    if classifier.classes_.dtype.kind in "OU" and target_of(classifier) is not None:
        names.append(target_of(classifier))
    return names


def target_of(classifier: Any) -> str | None:
    """Return the column that the model was fitted to predict."""
    name: str | None = getattr(classifier, "target_name_", None)
    return name


def features_of(classifier: Any, rows: Any, text: str | None = None) -> Any:
    """Take what a model needs from what a file holds; further columns are ignored.

    Parameters
    ----------
    classifier : MeasureClassifier
        Fitted.
    rows : pandas.DataFrame or SparseRows
        What was read.
    text : str, default=None
        The column of texts, where the model does not know its name.

    Returns
    -------
    object
        The rows to predict.
    """
    named = hasattr(classifier, "feature_names_in_")
    if not hasattr(rows, "columns"):
        if named:
            raise ValueError("The model was fitted on named columns, which svmlight does not have.")
        return rows.X
    if named:
        return _named(rows, classifier.feature_names_in_.tolist())
    text = text or getattr(classifier, "text_name_", None)
    if text is not None:
        check_column(text, list(rows.columns), "--text")
        return text_column(rows, text)
    return _numbered(rows, classifier)


def _named(frame: Any, names: list[str]) -> Any:
    if missing := [name for name in names if name not in frame.columns]:
        some = ", ".join(map(repr, missing[:5])) + (" and others" if len(missing) > 5 else "")
        raise ValueError(f"The file lacks {len(missing)} of the model's columns: {some}.")
    return frame[names]


def _numbered(frame: Any, classifier: Any) -> Any:
    """Take columns by position, for a model that was fitted on an array."""
    others = [name for name in frame.columns if name == target_of(classifier)]
    frame, expected = frame.drop(columns=others), getattr(classifier, "n_features_in_", None)
    if frame.shape[1] != expected:
        raise ValueError(
            f"The model was fitted on {expected or 'texts'} columns without names, and the file "
            f"has {frame.shape[1]}; give those columns only."
        )
    return frame.to_numpy()


def predicted(
    classifier: Any, X: Any, *, scores: bool = False, probabilities: bool = False
) -> Iterator[tuple[str, Any]]:
    """Yield the columns of predictions, by name.

    Parameters
    ----------
    classifier : MeasureClassifier
        Fitted.
    X : object
        Rows.
    scores, probabilities : bool, default=False
        Whether these are wanted too.

    Yields
    ------
    tuple of str and array-like
        ``prediction``, or one column per label, then ``score`` and ``probability``: of the positive
        class of a binary problem, otherwise one for each class or label.
    """
    binary = classifier.decision_.kind.name == "binary"
    found = classifier.predict(X)
    if hasattr(found, "columns"):
        yield from ((f"prediction_{name}", found[name].to_numpy()) for name in found.columns)
    else:
        yield "prediction", _joined(found, getattr(classifier, "label_separator_", None))
    first = binary and classifier.classes_.tolist().index(classifier.pos_label_) == 0
    if scores:
        given = classifier.decision_function(X)  # of two classes, positive for the second one
        yield from _columns("score", -given if first else given, classifier.classes_)
    if probabilities:
        given = classifier.predict_proba(X)
        if binary:
            given = given[:, 0 if first else 1]
        yield from _columns("probability", given, classifier.classes_)


def _columns(name: str, values: Any, classes: Any) -> Iterator[tuple[str, Any]]:
    if values.ndim == 1:
        yield name, values
    else:
        yield from zip((f"{name}_{one}" for one in classes), values.T, strict=True)


def _joined(found: Any, separator: str | None) -> Any:
    """Return sets of labels as they came: separated, or as lists; classes as they are."""
    rows = list(found)
    if not any(isinstance(row, list | tuple | set | frozenset) for row in rows):
        return found
    lists = [
        sorted(row, key=str) if isinstance(row, set | frozenset) else list(row) for row in rows
    ]
    return lists if separator is None else [separator.join(map(str, row)) for row in lists]
