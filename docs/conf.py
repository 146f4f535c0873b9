"""How the documentation site is built: ``make docs``."""

import sys
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile

import pseudolinear

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "pseudolinear"
author = "the pseudolinear developers"
copyright = f"{date.today().year}, {author}"
version = release = pseudolinear.__version__
repository = "https://github.com/pseudolinear/pseudolinear"

extensions = [
    "myst_parser",
    "numpydoc",
    "repository_links",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
smartquotes = False  # quotes and dashes of code stay as they are
templates_path = ["_templates"]
default_role = "literal"  # of backticks in docstrings

myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

autodoc_typehints = "none"  # the tables of parameters say them in words
autodoc_member_order = "groupwise"
autosummary_generate = True
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "FileNameSortKey",
    "subsection_order": [
        f"../examples/{name}"
        for name in ("first_steps", "decisions", "labels", "trust", "deploying", "how_it_works")
    ],
    "image_scrapers": ("vector_figures",),
    "capture_repr": (),
    "abort_on_example_error": True,
    "backreferences_dir": "reference/generated/backreferences",
    "doc_module": ("pseudolinear",),
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "pseudolinear"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_show_sourcelink = False
html_context = {
    "default_mode": "auto",
    "github_user": "pseudolinear",
    "github_repo": "pseudolinear",
    "github_version": "main",
    "doc_path": "docs",
}
html_sidebars = {"index": []}
html_theme_options = {
    "logo": {"text": "pseudolinear", "image_light": "_static/logo.svg"},
    "header_links_before_dropdown": 7,
    "icon_links": [
        {"name": "GitHub", "url": repository, "icon": "fa-brands fa-github", "type": "fontawesome"},
    ],
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

# Pages can be read without a network: MathJax is one file, taken from a package.
mathjax_path = "mathjax.js"
mathjax3_config = {"options": {"enableMenu": False}}


def copy_mathjax(app, failure):
    """Put MathJax beside the pages."""
    if failure is None and app.builder.format == "html":
        package = Path(find_spec("sphinx-mathjax-offline").origin).parent
        source = package / "static" / "mathjax" / "tex-svg-full.js"
        copyfile(source, Path(app.outdir) / "_static" / mathjax_path)


def is_left_out(app, what, name, obj, skip, options):
    """Leave out what is private, and what comes from another library, whose site documents it."""
    function = getattr(obj, "fget", obj)
    module = getattr(function, "__module__", None) or "pseudolinear"
    foreign = name.endswith("_request") or not module.startswith("pseudolinear")
    return True if foreign or name.startswith("_") else None  # None leaves it to others


def setup(app):
    """Connect what is defined here."""
    app.connect("build-finished", copy_mathjax)
    app.connect("autodoc-skip-member", is_left_out)
