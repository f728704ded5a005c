"""Colours of pictures. Blue, orange and ink stay apart for the colour-blind, and in grey."""

from __future__ import annotations

from typing import NamedTuple

from .scene import Kind


class Look(NamedTuple):
    """The colours of a node: its inside, its outline and its sign or name."""

    fill: str
    line: str
    ink: str


class Theme(NamedTuple):
    """The colours of a picture."""

    paper: str
    ink: str
    faint: str
    edge: str
    value: str
    gradient: str
    box: tuple[str, str]
    """Inside and outline of the box around a scope."""
    looks: dict[Kind, Look]


LIGHT = Theme(
    paper="#ffffff",
    ink="#1f2d3a",
    faint="#66737f",
    edge="#93a0ac",
    value="#0b5fa5",
    gradient="#c2410c",
    box=("#f6f8fa", "#c3ccd4"),
    looks={
        Kind.WRT: Look("#ffedd0", "#d97706", "#1f2d3a"),
        Kind.INPUT: Look("#e3f0fb", "#4c8fc7", "#1f2d3a"),
        Kind.CONSTANT: Look("#eef1f4", "#eef1f4", "#4b5763"),
        Kind.OPERATION: Look("#ffffff", "#5b6875", "#1f2d3a"),
        Kind.DERIVED: Look("#fff6ef", "#c2410c", "#9a3412"),
        Kind.OUTPUT: Look("#1f2d3a", "#1f2d3a", "#ffffff"),
        Kind.DERIVATIVE: Look("#c2410c", "#c2410c", "#ffffff"),
    },
)

DARK = Theme(
    paper="#11161c",
    ink="#e6ebf0",
    faint="#93a0ac",
    edge="#6b7986",
    value="#79b8f2",
    gradient="#ff9d66",
    box=("#171e26", "#3a4651"),
    looks={
        Kind.WRT: Look("#4a3312", "#f0a63a", "#fff3df"),
        Kind.INPUT: Look("#16314a", "#5ba3df", "#e6f2fc"),
        Kind.CONSTANT: Look("#222a33", "#222a33", "#b4bfca"),
        Kind.OPERATION: Look("#1a222b", "#8795a3", "#e6ebf0"),
        Kind.DERIVED: Look("#2d1d15", "#ff9d66", "#ffc9a8"),
        Kind.OUTPUT: Look("#e6ebf0", "#e6ebf0", "#11161c"),
        Kind.DERIVATIVE: Look("#ff9d66", "#ff9d66", "#11161c"),
    },
)

THEMES = {"light": LIGHT, "dark": DARK}
