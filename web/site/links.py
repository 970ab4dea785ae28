# SPDX-License-Identifier: MIT
"""Follows every link of a site's pages: links.py FOLDER. Each leads to a file, and to a place there; none leads elsewhere
but where a document says so, and no page asks another address for what it shows."""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path: pathlib.Path):
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.places = {""}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        for name in ("href", "src"):
            if given.get(name):
                self.links.append((given[name], tag == "a"))


def wrong(folder: pathlib.Path):
    """What is wrong, a line each."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for link, is_anchor in page.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme == "data":
                continue
            if address.scheme or address.netloc:
                if not is_anchor:
                    yield f"{path}: asks {link}"
                continue
            to = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            if link.startswith("/"):
                yield f"{path}: {link} stands on one place of a server only"
            elif not to.is_file():
                yield f"{path}: there is no {link}"
            elif to in pages and "playground" not in to.parts and urllib.parse.unquote(address.fragment) not in pages[to].places:
                yield f"{path}: there is no place {link}"


found = list(wrong(pathlib.Path(sys.argv[1]).resolve()))
print(*found, sep="\n", end="\n" if found else "")
sys.exit(bool(found))
