"""Samples are text pairs: a transcript beside each program, run and compared to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .transcript import ROOT, replay

TRANSCRIPTS = sorted((ROOT / "samples").rglob("*.out"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_sample_prints_what_its_transcript_says(path: Path, tmp_path: Path, rewrite: bool) -> None:
    before = path.read_text()
    after = replay(before, tmp_path)
    if rewrite:
        path.write_text(after)
    else:
        assert after == before


def test_every_program_has_a_transcript() -> None:
    programs = {path.with_suffix("") for path in (ROOT / "samples").rglob("*.cg")}
    assert programs == {path.with_suffix("") for path in TRANSCRIPTS}
