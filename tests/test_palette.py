"""The colours are told apart by readers of any colour vision, and seen on their background.

Colour vision is simulated by the matrices of Machado, Oliveira and Fernandes (2009) for a complete
deficiency, which are applied to linear RGB. Distances are Euclidean in CIELAB, where about 2 is the
least difference that an eye sees; contrasts are those of the WCAG.
"""

from itertools import combinations

import numpy as np
import pytest

from pseudolinear._palette import (
    GREY,
    LINES,
    ORANGE,
    PAGE_DARK,
    PAGE_LIGHT,
    SKY,
    STYLES,
    channels,
)

VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
RGB_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
APART = 15.0
GRAPHICS, TEXT = 3.0, 4.5  # contrasts


def linear(colour):
    """Undo the gamma of sRGB."""
    share = np.array(channels(colour)) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(colour, vision):
    """Return CIELAB of a colour as it is seen."""
    seen = np.clip(VISION[vision] @ linear(colour), 0.0, 1.0)
    share = RGB_TO_XYZ @ seen / RGB_TO_XYZ.sum(axis=1)
    root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def contrast(one, other):
    """Return how much brighter one colour is than the other."""
    dark, light = sorted(float(RGB_TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def closest(colours, vision):
    """Return the least distance of two colours."""
    return min(
        np.linalg.norm(lab(one, vision) - lab(other, vision))
        for one, other in combinations(colours, 2)
    )


@pytest.mark.parametrize("vision", VISION)
def test_lines_are_told_apart(vision):
    """Any two lines have colours that differ for every reader."""
    assert closest(LINES, vision) > APART


@pytest.mark.parametrize("vision", ["normal", "protanopia", "deuteranopia"])
@pytest.mark.parametrize("page", [PAGE_LIGHT, PAGE_DARK], ids=["light", "dark"])
def test_colours_of_the_page_are_told_apart(page, vision):
    """The curves of a report and what is marked differ; the second curve is also dashed."""
    assert closest([page["line"], page["second"], page["now"]], vision) > APART


def test_red_and_green_are_not_told_apart():
    """The check finds what readers confuse."""
    assert closest(["#009E00", "#A68A00"], "deuteranopia") < APART
    assert closest(["#009E00", "#A68A00"], "normal") > 3 * APART


@pytest.mark.parametrize("paper", [PAGE_LIGHT["paper"], PAGE_DARK["paper"]])
def test_lines_are_seen(paper):
    """Lines, and what is behind them, have the contrast that graphics need, light and dark."""
    assert min(contrast(colour, paper) for colour in (*LINES, GREY)) >= GRAPHICS


def test_areas_are_no_lines():
    """The colours of areas lack the contrast of a line on white."""
    assert max(contrast(colour, "#FFFFFF") for colour in (ORANGE, SKY)) < GRAPHICS


@pytest.mark.parametrize("page", [PAGE_LIGHT, PAGE_DARK], ids=["light", "dark"])
def test_page_is_read(page):
    """Links have the contrast of text, everything else that of graphics."""
    assert contrast(page["line"], page["paper"]) >= TEXT
    assert min(contrast(page[name], page["paper"]) for name in ("second", "now")) >= GRAPHICS


def test_every_line_has_a_style():
    """Whoever sees no colour at all goes by the style."""
    assert len(set(STYLES)) == len(STYLES) == len(LINES)
