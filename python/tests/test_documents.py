"""Do the examples of README.md and docs/*.md run, and print what they show? Do their links lead
somewhere?

A document's fenced blocks run in order, in a folder of their own that looks like the root of the
repository, with the built `trapeze` and a C compiler in the PATH. What a block's language means:

    sh            lines that begin with `$ ` are commands, and what stands below is what they print;
                  without any such line, all lines are commands
    python        a program; all of a document's share their names
    rules         a rule file: `trapeze rules check` takes it
    c, json, ...  a file that a command below uses
    text          what the program, or the commands without `$ `, right above it print

A name after the language, as in "rules segment.rules", is the file that the block is kept as;
rules and files have one. A command below which nothing is shown must only end well. `...` in what
is shown stands for anything. A comment on the line above a block, <!-- not run: REASON -->, leaves
it out."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = os.environ.get("TRAPEZE_COMMAND")
pytestmark = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")

RUN, FILES = ("sh", "python", "rules"), ("c", "json", "conllu", "text")
SENTENCES = r"\btrapeze (tag|parse|compress|align|train|pairs|trees|model|eval)\b|trapeze\.Model|\bmodel\."


@dataclass
class Block:
    """A fenced block of a document."""

    document: pathlib.Path
    line: int
    language: str
    file: str
    text: str
    #: Why it does not run.
    marked: str
    #: What it prints, where the document says so.
    shown: str | None = None

    def __str__(self) -> str:
        return f"{self.document.name}:{self.line}"

    @property
    def prints(self) -> bool:
        """Does it leave what it prints to the block below?"""
        return self.language == "python" or self.language == "sh" and not self.text.startswith("$ ")


def blocks_of(document: pathlib.Path) -> list[Block]:
    blocks: list[Block] = []
    lines = ["", *document.read_text(encoding="utf-8").splitlines()]
    behind = 0  # the line behind the last block
    for at, line in enumerate(lines):
        if at < behind or not line.lstrip().startswith("```"):
            continue
        fence = re.fullmatch(r"```(\w+) ?([\w.-]*)", line)
        assert fence, f"{document.name}:{at}: a fence is ``` and a language, and may have a file name"
        end = lines.index("```", at)
        text = "\n".join(lines[at + 1 : end]) + "\n"
        mark = re.fullmatch(r"<!-- not run: (.+) -->", lines[at - 1])
        block = Block(document, at, fence[1], fence[2], text, mark[1] if mark else "")
        above = blocks[-1] if blocks and not any(lines[behind:at]) else None
        if line == "```text" and above and above.prints:
            above.shown = text
        else:
            blocks.append(block)
        behind = end + 1
    return blocks


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]
RUNNING = [block for block in BLOCKS if not block.marked]


@dataclass
class Session:
    """A document that is being gone through."""

    folder: pathlib.Path
    names: dict[str, Any] = field(default_factory=dict)
    missing: str = ""


@pytest.fixture(scope="module")
def sessions(tmp_path_factory) -> dict[pathlib.Path, Session]:
    sessions = {document: Session(tmp_path_factory.mktemp(document.stem)) for document in DOCUMENTS}
    for session in sessions.values():
        for name in ("bench", "models", "scripts", "tests"):
            (session.folder / name).symlink_to(ROOT / name)
    return sessions


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> Callable[[str, pathlib.Path], str]:
    """shell(script, folder): what the script prints, with all that it may find if Trapeze is installed."""
    build = pathlib.Path(str(COMMAND)).parent
    programs = tmp_path_factory.mktemp("programs")
    compiler = programs / "cc"
    command = f"PATH='{os.environ['PATH']}' exec {os.environ.get('TRAPEZE_CC', 'cc')}"
    compiler.write_text(f'#!/bin/sh\n{command} "$@"\n')
    compiler.chmod(0o755)
    # Only Python itself needs a sanitizer to be loaded first, and leaks.
    kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "ASAN_OPTIONS")}
    environment = {
        **kept,
        "PATH": f"{programs}:{build}:{os.environ['PATH']}",
        "LD_LIBRARY_PATH": str(build),
        "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
        "CPATH": f"{ROOT / 'include'}:{ROOT}",
        "LC_ALL": "C.UTF-8",
    }

    def run(script: str, folder: pathlib.Path) -> str:
        return subprocess.run(
            ["sh", "-c", script],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        ).stdout

    return run


def same(printed: str, shown: str) -> None:
    """Is that what is printed, `...` standing for anything?"""
    printed, shown = ("\n".join(map(str.rstrip, t.rstrip().splitlines())) for t in (printed, shown))
    pattern = ".*".join(map(re.escape, shown.split("...")))
    if not re.fullmatch(pattern, printed, re.S):
        pytest.fail(f"printed\n{printed}\nbut is said to print\n{shown}", pytrace=False)


def commands_of(block: Block) -> list[list[str]]:
    """Commands, each with what it is said to print."""
    if block.prints:
        return [[f"(set -e\n{block.text})", block.shown or ""]]
    commands: list[list[str]] = []
    continues = False
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], ""])
        else:
            commands[-1][0 if continues else 1] += f"\n{line}" if continues else f"{line}\n"
        continues = line.endswith(("|", "\\")) and commands[-1][1] == ""
    return commands


END = "\x1e"


def run_shell(block: Block, session: Session, shell: Callable[[str, pathlib.Path], str]) -> None:
    """Runs the commands in one shell, which says after each how it ended."""
    commands = commands_of(block)
    script = "".join(f"{command}\nprintf '{END}%d{END}' $?\n" for command, _ in commands)
    parts = shell(script, session.folder).split(END)
    for (command, shown), text, status in zip(commands, parts[::2], [*parts[1::2], "?"]):
        if status != "0":
            pytest.fail(f"exit code {status} of\n{command}\n{text}", pytrace=False)
        if shown:
            same(text, shown)


def run_python(block: Block, session: Session) -> None:
    printed = io.StringIO()
    program = compile("\n" * block.line + block.text, str(block.document), "exec")
    try:
        with contextlib.redirect_stdout(printed):
            exec(program, session.names)
    except (ModuleNotFoundError, NameError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name in ("numpy", "torch"):
            session.missing = error.name
        if not session.missing:
            raise
        pytest.skip(f"there is no {session.missing}")
    same(printed.getvalue(), block.shown or "")


def without_sentences() -> bool:
    """Is the command built without its part for sentences?"""
    done = subprocess.run([str(COMMAND), "--help"], capture_output=True, encoding="utf-8")
    return "\n  compress " not in done.stdout


ran: list[Block] = []


@pytest.mark.parametrize("block", RUNNING, ids=str)
def test_example(block, sessions, shell, monkeypatch):
    session = sessions[block.document]
    if re.search(SENTENCES, block.text) and without_sentences():
        pytest.skip("the command is built without sentences")
    assert block.language in RUN + FILES
    if block.file:
        (session.folder / block.file).write_text(block.text, encoding="utf-8")
    if block.language == "sh":
        run_shell(block, session, shell)
    elif block.language == "python":
        monkeypatch.chdir(session.folder)
        run_python(block, session)
    elif block.language == "rules":
        check = f"$ trapeze rules check {block.file}\n"
        run_shell(replace(block, language="sh", text=check), session, shell)
    else:
        after = [b.text for b in RUNNING[RUNNING.index(block) + 1 :] if b.document == block.document]
        assert block.file and any(block.file in text for text in after), "no command uses it"
    ran.append(block)


def test_marks(capsys):
    """How many examples run; few do not, and each says why. (scripts/check-fresh runs README.md's.)"""
    marked = [block for block in BLOCKS if block.marked]
    with capsys.disabled():
        print(f"\ndocuments: {len(ran)} examples ran, {len(marked)} are marked as not run")
        for block in marked:
            print(f"  {block}: {block.marked}")
    assert len(marked) <= 12


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda page: page.name)
def test_all_blocks_are_fenced(document):
    """No test sees an indented one."""
    assert re.findall(r"\n\n(    .*)", prose(document)) == []


# ---- What documents refer to -----------------------------------------------------------------------

PAGES = [*DOCUMENTS, *(ROOT / page for page in ("CONTRIBUTING.md", "SECURITY.md", "src/README.md", "models/README.md"))]


def prose(page: pathlib.Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)


def anchors(page: pathlib.Path) -> set[str]:
    """What `#` links may name: headings, in lower case, with - for blanks."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def leads_somewhere(page: pathlib.Path, link: str) -> bool:
    file, _, heading = link.partition("#")
    target = page.parent / file if file else page
    return target.exists() and (not heading or heading in anchors(target))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page):
    links = re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(page))
    assert [link for link in links if not leads_somewhere(page, link)] == []


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_names(page):
    """Functions of the library, and files of the repository, are there."""
    headers = "".join(h.read_text() for h in (ROOT / "include" / "trapeze").glob("*.h"))
    functions = re.findall(r"`(tz_\w+)`", prose(page))
    assert [name for name in functions if not re.search(rf"\b{name}\b", headers)] == []
    folders = "bench|docs|include|kernels|models|python|rules|scripts|semirings|sentences|src|tests"
    files = re.findall(rf"`((?:{folders})/[\w./*-]+)`", prose(page))
    assert [file for file in files if not any(ROOT.glob(file.rstrip("/")))] == []


def test_readme_is_short():
    assert len(DOCUMENTS[0].read_text(encoding="utf-8").splitlines()) <= 200
