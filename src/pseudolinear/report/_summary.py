"""Summary: a fitted classifier in about ten lines."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

from pseudolinear._digits import in_digits
from pseudolinear.report._words import member_words

WIDTH = 88  # characters of a line
EXTREME = 3  # labels that are named at either end
LONGEST = 3  # steps that are named with their seconds,
SHORTEST = 0.05  # unless they took a smaller share of the time, or fewer seconds

STYLE = (
    "<style>.pl-summary{display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start;"
    "font-size:.9em;margin:.5em 0}"
    ".pl-summary table{border-collapse:collapse;flex:1 1 22em;max-width:40em;margin:0;"
    "font-size:inherit;background:none}"
    ".pl-summary caption{font-weight:600;text-align:left;padding-bottom:.3em;color:inherit}"
    ".pl-summary th,.pl-summary td{text-align:left;vertical-align:top;padding:.15em .8em .15em 0;"
    "font-weight:400;border:0;background:none;white-space:normal}"
    ".pl-summary th{opacity:.65}</style>"
)


@dataclass(frozen=True)
class Summary:
    """What was chosen, what it reached, how sure that is, and where the time went.

    Printed, it is a table of plain text; in a notebook, one with a small picture.

    Attributes
    ----------
    measure : str
        What was maximised.
    problem : str
        What kind of problem it is.
    chosen : str
        What predicts.
    threshold : str
        Where scores are cut; empty where a budget decides.
    value : float
        The measure on the rows on which the choice was made.
    value_of : str
        Which rows these are, and what else is known of them.
    honest_value : float or None
        What to expect on new rows.
    honest_interval : tuple of float or None
        Its 95 % interval.
    labels : tuple of (object, float)
        Of several labels or classes, each with what it reached, the best first.
    label_value : str
        What that is.
    certificate : str
        What is still possible, in one sentence.
    tried : str
        How much was tried.
    timings : tuple of (str, float)
        What took how many seconds, in order.
    picture : str
        A small SVG; empty without evidence.
    promise : str
        What the thresholds were chosen to keep on new rows; empty without a promise.
    policy : str
        What decides besides or in place of the threshold, such as a budget; mostly empty.
    population : str
        Which population thresholds are for; empty where it is that of the training rows.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> print(MeasureClassifier("linear", random_state=0).fit(X, y))  # doctest: +ELLIPSIS
    MeasureClassifier for F1
    problem    binary, positive class 1, 20 features
    chosen     LinearLearner with C=0.0625, level 1.2 (above any value), costs 0.667 to 1
    ...
    """

    measure: str
    problem: str
    chosen: str
    threshold: str
    value: float
    value_of: str
    honest_value: float | None
    honest_interval: tuple[float, float] | None
    labels: tuple[tuple[Any, float], ...]
    label_value: str
    certificate: str
    tried: str
    timings: tuple[tuple[str, float], ...]
    picture: str = ""
    promise: str = ""
    policy: str = ""
    population: str = ""

    @property
    def title(self) -> str:
        """What it is about."""
        return f"MeasureClassifier for {self.measure}"

    def lines(self) -> list[tuple[str, str]]:
        """List what is said, each with its subject."""
        lines = [
            ("problem", self.problem),
            ("chosen", self.chosen),
            ("threshold", self.threshold),
            ("for", self.population),
            ("decision", self.policy),
            ("reached", f"{in_digits(self.value)} {self.value_of}"),
            ("expected", self._expected()),
            ("promised", self.promise),
            *self._extremes(),
            ("certain", self.certificate),
            ("tried", self.tried),
            ("time", self._time()),
        ]
        return [(subject, text) for subject, text in lines if text]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and texts in types that JSON knows.

        Returns
        -------
        dict
            The attributes without the picture; names of labels are texts.
        """
        kept = {name: value for name, value in vars(self).items() if name != "picture"}
        interval = self.honest_interval
        return kept | {
            "honest_interval": None if interval is None else list(interval),
            "labels": [{"label": str(name), "value": value} for name, value in self.labels],
            "timings": [{"what": what, "seconds": seconds} for what, seconds in self.timings],
        }

    def __str__(self) -> str:
        """Write aligned plain text."""
        margin = max(len(subject) for subject, _ in self.lines()) + 2
        text = [self.title]
        for subject, what in self.lines():
            first, *others = wrap(what, WIDTH - margin)
            text.append(f"{subject:{margin}}{first}")
            text += [" " * margin + other for other in others]
        return "\n".join(text)

    def __repr__(self) -> str:
        return f"<Summary: {self.measure} {in_digits(self.value)}, {self.problem}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{subject}</th><td>{escape(text)}</td></tr>" for subject, text in self.lines()
        )
        table = f"<table><caption>{escape(self.title)}</caption>{rows}</table>"
        return f'{STYLE}<div class="pl-summary">{table}{self.picture}</div>'

    def _expected(self) -> str:
        if self.honest_value is None:
            return ""
        if self.honest_interval is None:
            return f"{in_digits(self.honest_value)} on new rows"
        value, low, high = map(in_digits, (self.honest_value, *self.honest_interval))
        return f"{value} on new rows, 95 % interval {low} to {high}"

    def _extremes(self) -> list[tuple[str, str]]:
        """Name a few labels at either end, or all of a few."""
        if len(self.labels) <= 2 * EXTREME:
            return [("each", self._named(self.labels))]
        best, worst = self.labels[:EXTREME], self.labels[-EXTREME:]
        return [("best", self._named(best)), ("worst", self._named(worst))]

    def _named(self, labels: tuple[tuple[Any, float], ...]) -> str:
        mark = ":" * any(str(name)[-1:].isdigit() for name, _ in self.labels)  # two numbers
        named = ", ".join(f"{name}{mark} {in_digits(value, 3)}" for name, value in labels)
        return f"{named} ({self.label_value})" if named else ""

    def _time(self) -> str:
        if not self.timings:
            return ""
        total = sum(seconds for _, seconds in self.timings)
        names = member_words([what for what, _ in self.timings])
        steps = zip(names, (seconds for _, seconds in self.timings), strict=True)
        ordered = sorted(steps, key=lambda one: -one[1])
        longest = [one for one in ordered[:LONGEST] if one[1] >= SHORTEST * max(total, 1)]
        named = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in longest)
        several = len(self.timings) > 1 and bool(named)
        return f"{total:.1f} s, of which {named}" if several else f"{total:.1f} s"
