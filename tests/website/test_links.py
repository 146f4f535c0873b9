"""Links of the site: to files of the repository, and inside what was built."""

import re
import runpy
import sys
from io import StringIO

import pytest
from website.conftest import ROOT

PAGE = """
# Page

[changes](../CHANGELOG.md) [example](../examples/first/plot_1.py) [all](../examples)
[results](../results) [script](../results/run.py) [report](part/report.html) [table](table.csv)
"""


@pytest.fixture
def project(tmp_path):
    """Return a folder with a small repository whose documentation links to its files."""
    pytest.importorskip("myst_parser", reason="the extra docs is not installed")
    files = {
        "CHANGELOG.md": "# Changes",
        "examples/first/plot_1.py": "",
        "results/run.py": "",
        "docs/index.md": PAGE,
        "docs/table.csv": "a,b",
        "docs/part/report.html": "<p>report</p>",
        "docs/reference/changelog.md": "# Changelog",
        "docs/gallery/index.md": "# Gallery",
        "docs/gallery/first/plot_1.md": "# Example",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def build(folder, monkeypatch):
    """Build the site of a folder; return the links of its first page and the warnings."""
    from sphinx.application import Sphinx

    monkeypatch.setattr(sys, "path", [str(ROOT / "docs" / "_ext"), *sys.path])
    docs, out, warnings = folder / "docs", folder / "html", StringIO()
    app = Sphinx(
        docs, None, out, folder / "trees", "html",
        confoverrides={
            "extensions": ["myst_parser", "repository_links"],
            "repository": "https://github.com/them/it",
            "suppress_warnings": ["toc.not_included"],
        },
        status=None, warning=warnings,
    )  # fmt: skip
    app.build()
    body = (out / "index.html").read_text().partition('<div class="body"')[2]
    links = re.findall(r'<a class="reference[^"]*"[^>]*href="([^"]+)"', body)
    return links, warnings.getvalue()


@pytest.mark.filterwarnings("ignore")  # what Sphinx and MyST say of each other
def test_files_of_the_repository_have_an_address(project, monkeypatch):
    """A page of the site where there is one; GitHub otherwise."""
    links, warnings = build(project, monkeypatch)
    assert warnings == ""
    assert links[:6] == [
        "reference/changelog.html",
        "gallery/first/plot_1.html",
        "gallery/index.html",
        "https://github.com/them/it/tree/main/results",
        "https://github.com/them/it/blob/main/results/run.py",
        "part/report.html",
    ]
    assert links[6].endswith("table.csv")
    assert (project / "html" / "part" / "report.html").is_file()


@pytest.mark.filterwarnings("ignore")
def test_a_link_to_what_does_not_exist_is_a_warning(project, monkeypatch):
    """Warnings are errors in `make docs`."""
    (project / "docs" / "index.md").write_text("# Page\n\n[nothing](../nothing.md)")
    _, warnings = build(project, monkeypatch)
    assert "target not found: '../nothing.md'" in warnings


def test_broken_links_of_a_built_site_are_found(tmp_path):
    """Files and anchors; other hosts are not asked."""
    broken_links = runpy.run_path(str(ROOT / ".ci" / "links.py"))["broken_links"]
    (tmp_path / "a.html").write_text(
        '<h1 id="top-1">A</h1><a href="#top-1"></a><a href="b.html#here"></a><img src="no.png">'
        '<a href="b.html#there"></a><a href="https://example.org/x"></a><a href="c"></a>'
    )
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "index.html").write_text("<p></p>")
    assert broken_links(tmp_path) == [
        "a.html: b.html#there has no such anchor",
        "a.html: no.png does not exist",
    ]
