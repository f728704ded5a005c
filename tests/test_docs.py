"""Documents are transcripts too: every console block of README and docs/ is run and compared."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from .transcript import ROOT, absent, replay_blocks

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_document_prints_what_it_says(path: Path, tmp_path: Path, rewrite: bool) -> None:
    before = path.read_text()
    after = replay_blocks(before, tmp_path)
    if rewrite:
        path.write_text(after)
        for made in (*tmp_path.glob("*.svg"), *tmp_path.glob("*.png")):
            (ROOT / "docs" / made.name).write_bytes(made.read_bytes())
    else:
        assert after == before
        if lacking := absent(before):
            pytest.skip(f"{', '.join(lacking)} is not on this machine: the rest holds")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_picture_is_there(path: Path) -> None:
    for picture in PICTURE.findall(path.read_text()):
        assert (path.parent / picture).is_file(), picture


def test_python_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted >= 6
    assert found.failed == 0
