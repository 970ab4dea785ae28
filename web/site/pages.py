# SPDX-License-Identifier: MIT
"""Writes what mkdocs makes the site of: a page for each document, rule set and interface, and mkdocs.yml.

    pages.py TRAPEZE SITE

TRAPEZE is the command; SITE a folder, in which pages/ is made. The playground is to be in pages/playground."""

import base64
import json
import pathlib
import re
import subprocess
import sys
import zlib

import c_interface
import python_interface

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Documents in the order of reading. Those that stand nowhere come under the last of these headings.
CHAPTERS = {
    "Rules": ["rules", "command", "semirings", "limits", "rediscoveries"],
    "Language": ["sentences", "marked", "learning", "grammars", "automata", "aligner", "deletions", "trees"],
    "Python": ["python", "torch", "gpus"],
    "How it works": ["engine", "speed", "checking", "scale", "building"],
}


def power(text: str) -> str:
    """n^3 as people write it."""
    return re.sub(r"\^(\d+)", lambda found: f"<sup>{found[1]}</sup>", text).replace("|", "&#124;")


def document(text: str) -> str:
    """A document as mkdocs knows Markdown: files' names above their blocks; no links to the source, which is not here."""
    text = re.sub(r"^```(\w+) (\S+)$", r'```\1 title="\2"', text, flags=re.M)
    text = re.sub(r"\[([^]]*)\]\(\.\./README\.md(#[^)]*)?\)", r"[\1](index.md\2)", text)
    return re.sub(r"\[([^]]*)\]\((?:\.\./|src/|web/|models/|sentences/)[^)]*\)", r"\1", text)


def title(text: str) -> str:
    return re.search(r"^# (.*)$", text, re.M)[1]


def playground(name: str) -> str:
    """The address that opens a rule set (web/playground/src/state.ts)."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    letters = packed.compress(json.dumps({"builtin": name}).encode()) + packed.flush()
    return f"playground/index.html#{base64.urlsafe_b64encode(letters).decode().rstrip('=')}"


class RuleSet:
    """What the command says of a rule set."""

    def __init__(self, command: str, name: str, summary: str):
        self.name, self.summary = name, summary
        self.text = (ROOT / "rules" / f"{name}.rules").read_text("utf-8")
        self.shown = run(command, "rules", "show", name)
        self.checked = run(command, "rules", "check", name)
        self.page = name.replace("/", "-") + ".md"
        self.time, self.space = (re.search(rf"^{word} +(.*)$", self.checked, re.M)[1] for word in ("time", "space"))
        # Who, and when; a file has the titles.
        cites = re.findall(r"^cite +(?!Notation)([^:\n]*)", self.text, re.M)
        self.source = "; ".join(cites)

    def write(self, folder: pathlib.Path, figures: str) -> None:
        short = self.name.split("/")[-1]
        source = re.sub(r"\n*# SPDX.*\n", "\n", self.text).strip()
        (folder / self.page).write_text(
            f"# {short}\n\nTime {power(self.time)}, space {power(self.space)}. "
            f"[Open it in the playground](../{playground(self.name)})\n\n"
            f"<div class=\"rules\">{figures}</div>\n\n"
            f"## What it costs\n\n`trapeze rules check {self.name}` says:\n\n```text\n{self.checked.strip()}\n```\n\n"
            f"## Its file\n\n```text title=\"rules/{self.name}.rules\"\n{source}\n```\n",
            "utf-8",
        )


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rule_sets(command: str) -> list[RuleSet]:
    """Those that are listed: name, degree, summary; with two blanks between at least."""
    lines = [re.split(r" {2,}", line) for line in run(command, "rules", "list").splitlines()]
    return [RuleSet(command, line[0], line[-1]) for line in lines]


def table(sets: list[RuleSet]) -> str:
    rows = (
        f"| [{one.name.split('/')[-1]}]({one.page}) | {one.summary} | {power(one.time)} | {one.source} |"
        for one in sets
    )
    return "| name | derives | time | source |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"


def write_rules(command: str, pages: pathlib.Path) -> list:
    """The page of each rule set, and one that lists them; their places in the navigation."""
    folder = pages / "rule-sets"
    folder.mkdir()
    sets = rule_sets(command)
    shown = json.dumps({one.name: one.shown for one in sets})
    drawn = subprocess.run(["node", HERE / "figures.mjs"], input=shown, check=True, capture_output=True, text=True)
    figures = json.loads(drawn.stdout)
    for one in sets:
        one.write(folder, figures[one.name])
    gallery = [one for one in sets if one.name.startswith("gallery/")]
    builtin = [one for one in sets if one not in gallery]
    (folder / "index.md").write_text(
        "# Rule sets\n\nEach page has a rule set as a paper prints it, what it costs, its file, and a link that opens it in "
        f"the playground.\n\n## Built in\n\n{table(builtin)}\n## Gallery\n\nFrom the literature, ready to run, and to be "
        f"changed: [how](../gallery.md).\n\n{table(gallery)}",
        "utf-8",
    )
    listed = [[{one.name.split("/")[-1]: f"rule-sets/{one.page}"} for one in group] for group in (builtin, gallery)]
    return [{"All": "rule-sets/index.md"}, {"Built in": listed[0]}, {"Gallery": [{"Examples": "gallery.md"}, *listed[1]]}]


def write_documents(pages: pathlib.Path) -> list:
    """README.md and docs/*.md; their places in the navigation."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (pages / "index.md").write_text(document(readme.replace("](docs/", "](").replace("](CONTRIBUTING.md", "](contributing.md")), "utf-8")
    (pages / "contributing.md").write_text(document((ROOT / "CONTRIBUTING.md").read_text("utf-8").replace("](docs/", "](")), "utf-8")
    names = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))
    titles = {}
    for name in names:
        text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
        titles[name] = title(text)
        (pages / f"{name}.md").write_text(document(text), "utf-8")
    (pages / "figures").mkdir()
    for figure in (ROOT / "docs" / "figures").iterdir():
        (pages / "figures" / figure.name).write_bytes(figure.read_bytes())
    placed = {name for chapter in CHAPTERS.values() for name in chapter} | {"gallery"}
    chapters = {heading: [*chapter] for heading, chapter in CHAPTERS.items()}
    chapters["How it works"] += [name for name in names if name not in placed]
    ret = [{heading: [{titles[name]: f"{name}.md"} for name in chapter]} for heading, chapter in chapters.items()]
    ret[-1]["How it works"].append({"Contributing": "contributing.md"})
    return ret


def by_weight(path: pathlib.Path):
    """The header of everything first."""
    return path.name != "trapeze.h", path.name


def write_interfaces(pages: pathlib.Path) -> list:
    """The headers and the Python package; their places in the navigation."""
    headers = {f"c-{path.stem}": path.name for path in sorted((ROOT / "include" / "trapeze").glob("*.h"), key=by_weight)}
    made, places = {}, {}
    for name, header in headers.items():
        made[name] = c_interface.interface(ROOT / "include" / "trapeze" / header, header)
        for names, anchor in re.findall(r"^### (.*) \{: #(\w+) \}$", made[name], re.M):
            places |= {one: f"{name}.md#{anchor}" for one in re.findall(r"`(\w+)`", names) if one not in places}
    for name, text in made.items():
        (pages / f"{name}.md").write_text(c_interface.linked(text, places), "utf-8")
    package = python_interface.Package(ROOT / "python" / "trapeze")
    modules = {"python-interface": ("__init__", "trapeze", ""), "torch-interface": ("torch", "trapeze.torch", "")}
    for name, (module, heading, prefix) in modules.items():
        (pages / f"{name}.md").write_text(python_interface.interface(package, module, heading, prefix), "utf-8")
    return [{header: f"{name}.md"} for name, header in headers.items()] + [
        {heading: f"{name}.md"} for name, (_, heading, _) in modules.items()
    ]


def main(command: str, site: str) -> None:
    folder = pathlib.Path(site)
    pages = folder / "pages"
    for name in ("site.css", "folder.js"):
        (pages / name).write_bytes((HERE / name).read_bytes())
    chapters = write_documents(pages)
    navigation = [
        {"Trapeze": "index.md"},
        {"Playground": "playground/index.html"},
        {"Rule sets": write_rules(command, pages)},
        *chapters,
        {"Interfaces": write_interfaces(pages)},
    ]
    # What JSON writes is YAML.
    settings = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": "pages", "site_dir": "html", "nav": navigation}
    settings["theme"] = {"custom_dir": str(HERE / "theme")}
    (folder / "mkdocs.yml").write_text(json.dumps(settings, indent=1), "utf-8")


main(*sys.argv[1:])
