"""What does a person at a terminal see? Drawings as wide as the terminal; that a command waits."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios

import pytest

COMMAND = os.environ.get("TRAPEZE_COMMAND", "")
pytestmark = pytest.mark.skipif(not COMMAND, reason="TRAPEZE_COMMAND names the command")

WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
CHAIN = "".join(
    f"{w + 1}\t{word}\t_\t_\t_\t_\t{w}\tnext\t_\t_\n" for w, word in enumerate(WORDS)
)


def at_terminal(columns, *arguments, stdin=None):
    """What the command writes to a terminal of so many columns, which is its input, too."""
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [COMMAND, *arguments], stdin=stdin or there, stdout=there, stderr=there, env=environment
    ) as process:
        os.close(there)
        if stdin is None:
            os.write(here, b"\x04")
        text = b""
        try:
            while part := os.read(here, 65536):
                text += part
        except OSError:  # the other side is closed
            pass
        process.wait()
    os.close(here)
    return text.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [30, 50, 200])
def test_drawings_keep_to_the_terminal(tmp_path, columns):
    file = tmp_path / "chain.conllu"
    file.write_text(CHAIN)
    text = at_terminal(columns, "draw", file)
    assert max(map(len, text.splitlines())) <= columns
    rows = [line for line in text.splitlines() if set(line) & set("abcdefg") and "next" not in line]
    assert " ".join(rows).split() == ["ROOT", *WORDS]
    assert (len(rows) > 1) == (columns < 100)


def test_no_line_is_cut_in_a_pipe(tmp_path):
    file = tmp_path / "chain.conllu"
    file.write_text(CHAIN)
    done = subprocess.run([COMMAND, "draw", file], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines()[-1].split() == ["ROOT", *WORDS]


def test_a_command_that_waits_says_so(tmp_path):
    waiting = ": reading what you type (Ctrl-D ends it); give a FILE to read that\n"
    assert f"trapeze run{waiting}" in at_terminal(80, "run", "-r", "eisner", "-s", "max")
    assert f"trapeze draw{waiting}" in at_terminal(80, "draw")
    assert waiting not in at_terminal(80, "draw", os.devnull)
    assert waiting not in at_terminal(80, "draw", stdin=subprocess.DEVNULL)
