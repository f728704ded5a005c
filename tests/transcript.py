"""Transcripts: texts in which `$ command` is followed by what the command prints.

Samples and documents are transcripts, so one mechanism runs them all, in a real shell, and compares
(or, with `--rewrite`, writes) the outputs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"(?P<head>^```console\n)(?P<body>.*?)(?P<foot>^```$)", re.DOTALL | re.MULTILINE)


def commands(text: str) -> Iterator[str]:
    """Yield the commands of a transcript; one may go on after a line's final backslash."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            yield command


def replay(text: str, folder: Path) -> str:
    """Return the transcript with the outputs that its commands have now."""
    return "".join(f"$ {command}\n{shell(command, folder)}" for command in commands(text))


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
