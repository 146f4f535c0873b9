"""Figures of the gallery as vector graphics, which stay sharp at any size."""

from sphinx_gallery.scrapers import matplotlib_scraper


def _get_sg_image_scraper():
    """Give sphinx-gallery the function that saves figures."""
    return save


def save(block, block_vars, gallery_conf):
    """Save figures as SVG; nothing in the files depends on the day or the run."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "pseudolinear"}):
        return matplotlib_scraper(
            block, block_vars, gallery_conf, format="svg", metadata={"Date": None}
        )
