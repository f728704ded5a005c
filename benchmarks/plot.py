"""The plot of the page: rows a second, memory, texts and small calls, cgraph beside others.

Each panel is drawn from the points that were measured, none where there are none. cgraph is blue,
limits are hollow, peers grey; lines are told apart by colour (Okabe and Ito's), mark and name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .report import Point

OURS, REUSED = "cgraph", "cgraph, outputs reused"
LIMITS = ("Numba by hand", "Numba by hand, outputs reused", "a copy of as many bytes")
BLUE, GREY, RULE, INK = "#0072B2", "#7A828C", "#E3E6EA", "#24292F"
COLOURS = ("#D55E00", "#009E73", "#CC79A7", "#B07D00", "#56B4E9", "#5B6470")
MARKS = "s^DvPX"
WIDTH, HEIGHT = 11.0, 3.3
"""Of the whole, and of a row of panels, in inches."""

STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 10.0,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "figure.facecolor": "white",
    "font.size": 9.0,
    "grid.color": RULE,
    "svg.fonttype": "path",
    "svg.hashsalt": "cgraph",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


class Panel(NamedTuple):
    """A part of the plot: which points, how it is headed and scaled, whether more is better.

    What is less than `floor` is drawn there, for an axis of logarithms has no zero.
    """

    points: str
    title: str
    unit: str
    scale: float
    more: bool
    draw: Callable[[Any, Panel, Sequence[Point]], None]
    floor: float = 0.0


def dots(axes: Any, panel: Panel, points: Sequence[Point]) -> None:
    """Draw a dot for each series, the best on top."""
    best = sorted(points, key=lambda point: point.y, reverse=not panel.more)
    for row, point in enumerate(best):
        value = point.y * panel.scale
        place = max(value, panel.floor)
        colour = BLUE if point.series in (OURS, REUSED) else GREY
        face = "white" if point.series in LIMITS else colour
        axes.plot([place], [row], "o", ms=7, color=colour, mfc=face, mew=1.6, clip_on=False)
        axes.annotate(number(value), (place, row), (9, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(best)), [short(point.series) for point in best])
    for label in axes.get_yticklabels():
        if label.get_text() in (OURS, short(REUSED)):
            label.set(color=BLUE, fontweight="bold")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.set_ylim(-0.6, len(best) - 0.4)
    low, high = axes.get_xlim()
    axes.set_xlim(low / 1.15, high * 1.9)
    axes.grid(axis="both")
    axes.set_xlabel(f"{panel.unit} ({'more' if panel.more else 'less'} is better)")


def lines(axes: Any, panel: Panel, points: Sequence[Point]) -> None:
    """Draw a line for each series, named in the order of their ends."""
    names = sorted({point.series for point in points}, key=lambda name: name != OURS)
    looks = {
        OURS: (BLUE, "o"),
        **dict(zip(names[1:], zip(COLOURS, MARKS, strict=True), strict=False)),
    }
    for name in reversed(names):
        line = sorted((point.x, point.y * panel.scale) for point in points if point.series == name)
        colour, mark = looks[name]
        width = 2.4 if name == OURS else 1.4
        axes.plot(*zip(*line, strict=True), color=colour, marker=mark, ms=5, lw=width, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(low / 12, high)  # room for the names
    axes.grid(axis="both")
    last = {name: max(point for point in points if point.series == name).y for name in names}
    handles = dict(zip(reversed(names), axes.get_lines(), strict=True))
    slowest = sorted(names, key=lambda name: -last[name])
    axes.legend(
        [handles[name] for name in slowest],
        slowest,
        frameon=False,
        loc="lower right",
        ncols=2,
        fontsize=8.0,
        handlelength=1.6,
        columnspacing=1.0,
    )
    axes.set_xlabel(f"terms; time in {panel.unit} (less is better)")


SPEED = "million rows a second"
PANELS = (
    Panel("rows a second: cheap", "(x+y)*z", SPEED, 1e-6, True, dots),
    Panel(
        "rows a second: transcendental",
        "sin(x)*exp(-y²) + log(1+x²z²)",
        SPEED,
        1e-6,
        True,
        dots,
    ),
    Panel("rows a second: 50 operations", "A formula of 50 operations", SPEED, 1e-6, True, dots),
    Panel(
        "peak memory",
        "Memory of the formula above",
        "MB beside inputs, outputs",
        1.0,
        False,
        dots,
        floor=1.0,
    ),
    Panel("text to value and gradient", "Text to value and gradient", "seconds", 1.0, False, lines),
    Panel("a call", "(x+y)*z at numbers", "microseconds", 1e6, False, dots),
)


def short(series: str) -> str:
    """Return a name as there is room for it."""
    return series.replace(", outputs reused", ", reused").replace("a Python function", "Python")


def number(value: float) -> str:
    """Return a number in three digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def plot(points: Iterable[Point], path: Path) -> bool:
    """Draw what was measured, as the path's ending says; tell whether there was anything."""
    by_panel = {
        panel: [point for point in points if point.panel == panel.points] for panel in PANELS
    }
    shown = [panel for panel, found in by_panel.items() if found]
    if not shown:
        return False
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("Agg")
    pyplot: Any = import_module("matplotlib.pyplot")
    rows = (len(shown) + 1) // 2
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(
            rows, 2, figsize=(WIDTH, HEIGHT * rows), layout="constrained", squeeze=False
        )
        for panel, one in zip(shown, axes.flat, strict=False):
            one.set_title(panel.title)
            panel.draw(one, panel, by_panel[panel])
        for one in axes.flat[len(shown) :]:
            one.set_axis_off()
        figure.suptitle("Value and gradient in float64, on two threads", x=0.01, ha="left")
        figure.get_layout_engine().set(wspace=0.06, hspace=0.06)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=144)
        pyplot.close(figure)
    return True
