"""Transcripts: texts in which `$ command` is followed by what the command prints.

Samples and documents are transcripts, so one mechanism runs them all, in a real shell, and compares
(or, with `--rewrite`, writes) the outputs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"(?P<head>^```console\n)(?P<body>.*?)(?P<foot>^```$)", re.DOTALL | re.MULTILINE)


COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
"""A command, which may go on after a line's final backslash, and what it prints."""

OTHERS = ("cc",)
"""Programs of other projects that transcripts run, and that a machine may lack."""


def absent(text: str) -> list[str]:
    """Return the programs that commands of a transcript need and that this machine lacks."""
    needed = {command.split()[0] for command, _ in COMMAND.findall(text)}
    return [program for program in OTHERS if program in needed and shutil.which(program) is None]


def replay(text: str, folder: Path) -> str:
    """Return the transcript with the outputs that its commands have now.

    Where a program is absent what it printed before stands.
    """
    lacking = absent(text)
    return "".join(
        f"$ {command}\n{output if command.split()[0] in lacking else shell(command, folder)}"
        for command, output in COMMAND.findall(text)
    )


def shell(command: str, folder: Path) -> str:
    """Return what a command prints, run in bash in `folder`, where `samples` is the project's."""
    link = folder / "samples"
    if not link.exists():
        link.symlink_to(ROOT / "samples")
    env = os.environ | {
        "PATH": sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"],
        "NO_COLOR": "1",
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode()


def replay_blocks(document: str, folder: Path) -> str:
    """Return a Markdown document with every console block replayed."""
    return BLOCK.sub(
        lambda block: block["head"] + replay(block["body"], folder) + block["foot"], document
    )
