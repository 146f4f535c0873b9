"""Check the links inside a built site: every file and every anchor that a page names exists.

Usage: ``python .ci/links.py docs/_build/html``. Links to other hosts are not followed.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ATTRIBUTES = ("href", "src")


class Page(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links and anchors of an element."""
        values = {name: value for name, value in attrs if value}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        self.links.update(values[name] for name in ATTRIBUTES if name in values)


def broken_links(root: Path) -> list[str]:
    """Return a line for every link that leads nowhere."""
    paths = [path for path in sorted(root.rglob("*.html")) if "_static" not in path.parts]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    broken = []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                broken.append(f"{path.relative_to(root)}: {link} does not exist")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                broken.append(f"{path.relative_to(root)}: {link} has no such anchor")
    return broken


if __name__ == "__main__":
    found = broken_links(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "All links inside the site lead somewhere.")
    sys.exit(bool(found))
