"""What a picture holds."""


def level_sets(ax):
    """Return the drawn lines (x, y) by level."""
    (drawn,) = (c for c in ax.collections if hasattr(c, "allsegs"))
    return dict(zip(drawn.levels, (p.vertices for p in drawn.get_paths()), strict=True))


def line(ax, label):
    """Return the points (x, y) of the line whose name begins so."""
    (found,) = (x for x in ax.get_lines() if str(x.get_label()).startswith(label))
    return found.get_xydata()


def points(ax, label):
    """Return the scattered points (x, y) whose name begins so."""
    (found,) = (x for x in ax.collections if str(x.get_label()).startswith(label))
    return found.get_offsets()


def legend(ax):
    """Return the texts of the legend."""
    return [text.get_text() for text in ax.get_legend().get_texts()]
