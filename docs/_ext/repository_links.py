"""Links of Markdown pages to files of the repository lead to a page, or to GitHub.

Pages are read on GitHub as well as on the site, so they link to files by their path. A file that
has a page on the site is linked there; a page of HTML is copied beside the others; any other file
or folder outside of the documentation is shown by GitHub. What does not exist is left to MyST,
which warns of it.
"""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

PAGES = {"CHANGELOG.md": "reference/changelog", "examples": "gallery/index"}


class RepositoryLinks(SphinxTransform):
    """Replace links to files before files to download are collected."""

    default_priority = 400

    def apply(self, **options: Any) -> None:
        """Look at every link of a Markdown page."""
        for kind in (addnodes.pending_xref, addnodes.download_reference):
            for node in list(self.document.findall(kind)):
                path = self._path(node) if node["reftype"] == "myst" else None
                if path is not None:
                    self._replace(node, path)

    def _path(self, node: nodes.Element) -> Path | None:
        """Return the file or folder that a link is to; None of pages and anchors."""
        target = node["reftarget"].partition("#")[0]
        if node.get("refdomain") == "doc":
            if target in self.env.found_docs:
                return None
            target = f"/{target}.md"
        path = Path(self.env.relfn2path(target, self.env.docname)[1]).resolve()
        return path if target and path.exists() else None

    def _replace(self, node: nodes.Element, path: Path) -> None:
        docs = Path(self.env.srcdir).resolve()
        inside = path.relative_to(docs.parent)
        page = PAGES.get(str(inside))
        if inside.parts[0] == "examples" and path.suffix == ".py":
            page = "gallery/" + "/".join(inside.with_suffix("").parts[1:])
        if page is not None:
            link: nodes.Element = addnodes.pending_xref(
                refdomain="doc",
                reftype="myst",
                reftarget=page,
                reftargetid=None,
                refdoc=self.env.docname,
                refexplicit=True,
            )
        elif docs in path.parents and path.suffix == ".html":
            link = nodes.reference(refuri=node["reftarget"])
        elif docs in path.parents and path.is_file():
            return
        else:
            kind = "tree" if path.is_dir() else "blob"
            link = nodes.reference(
                refuri=f"{self.config.repository}/{kind}/main/{inside.as_posix()}"
            )
        link += node.children
        node.replace_self(link)


def copy_pages(app: Sphinx, failure: Exception | None) -> None:
    """Copy pages of HTML that stand beside the sources."""
    if failure is None and app.builder.format == "html":
        source = Path(app.srcdir)
        for page in source.glob("[!_]*/**/*.html"):
            if "_build" not in page.parts:
                target = Path(app.outdir) / page.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                copyfile(page, target)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the transform."""
    app.add_config_value("repository", "", "env")
    app.add_transform(RepositoryLinks)
    app.connect("build-finished", copy_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
