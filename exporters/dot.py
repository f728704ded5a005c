"""The picture of a graph as Graphviz DOT.

A node is a small table: its shape with the sign or name in it, the value above and the gradient
below (to its right, where the graph runs up or down): edges meet the shape and miss the text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.evaluate import from_nested
from ..autodiff.ops.leaves import constant, placeholder
from .clusters import Cluster, clusters_of, events
from .glance import glance, in_a_line
from .html import Word, cell, labelled, one_line, table, with_ports
from .names import path_of, unique_names
from .options import DEFAULT, Options
from .scene import Kind, Scene
from .text import formula, value_text
from .themes import THEMES, Theme

if TYPE_CHECKING:
    from .text import Value

WIDEST = 80
"""Names and value stand above one another where they would be wider, in points."""

MOST_NAMES = 3
LONGEST = 24
"""A longer name is cut in its middle."""


SPELLED = {math.pi: "π", math.tau: "τ", math.e: "e"}
"""Constants that a picture shows by their letters."""

NOTHING = "≈ 0"
"""What is shown for a number that rounding alone made; all its digits are in the tooltip."""

LARGE = 3000
"""A graph of so many nodes is drawn for programs rather than for people."""


class Direction(NamedTuple):
    """Where the graph runs to: Graphviz's word for it, the sides where edges enter and leave.

    `top` is what Graphviz calls the upper side, which it turns round with the graph.
    """

    rankdir: str
    enter: str
    leave: str
    upright: bool
    top: str = "t"


DIRECTIONS = {
    "right": Direction("LR", "w", "e", False),
    "up": Direction("BT", "s", "n", True, "b"),
    "down": Direction("TB", "n", "s", True),
}


def dot(scene: Scene, options: Options = DEFAULT, fit: Callable[[str], str] = str) -> str:
    """Return the picture of a scene as DOT; the same scene gives the same bytes.

    `fit` prepares text for a program that knows no fonts.
    """
    return "\n".join(Drawing(scene, options, fit).lines()) + "\n"


def export(scene: Scene, options: Options) -> str:
    """Return the picture as DOT, for whoever draws it."""
    return dot(scene, options)


class Drawing:
    """A scene being drawn."""

    def __init__(self, scene: Scene, options: Options, fit: Callable[[str], str]) -> None:
        self.scene = scene
        self.fit = fit
        self.sure = fit is not str
        self.digits = options.digits
        self.theme: Theme = THEMES[options.theme]
        self.direction = DIRECTIONS[options.direction]
        self.graph = scene.graph
        self.nodes = self.graph.needed(scene.outputs)
        self.names = unique_names(self.graph, self.nodes)
        self.assigned = self.graph.names_of()
        self.kinds = {node: scene.kind(node) for node in self.nodes}
        self.home: Mapping[int, str] = {}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the DOT file."""
        theme = self.theme
        yield "digraph cgraph {"
        yield f'  graph [rankdir={self.direction.rankdir} bgcolor="{theme.paper}" pad=0.2'
        # Without newrank boxes that share inputs lie in one column, and edges run backwards.
        yield "    newrank=true outputorder=edgesfirst nodesep=0.25 ranksep=0.5"
        yield '    fontname="Helvetica" labelloc=b labeljust=l'
        yield f"    label=<{self.legend()}>]"
        yield f'  node [shape=plain fontname="Helvetica" fontsize=14 fontcolor="{theme.ink}"]'
        yield f'  edge [color="{theme.edge}" arrowsize=0.6 fontname="Helvetica" fontsize=9'
        yield f'    fontcolor="{theme.faint}"]'
        yield from self.body()
        yield "}"

    def body(self) -> Iterator[str]:
        """Yield nodes and edges; the edges into a box come after it, or they would lie in it."""
        drawn = [node for node in self.nodes if self.kinds[node] is not Kind.CONSTANT]
        clusters, home = clusters_of({node: self.path(node) for node in drawn})
        self.home = home
        depth, later = 0, list[str]()
        for event in events(drawn, clusters, home):
            if event.opens:
                yield from self.opening(event.opens, "  " * (depth + 1))
                depth += 1
            elif event.closes:
                depth -= 1
                yield f"{'  ' * (depth + 1)}}}"
            else:
                yield "  " * depth + self.node(self.names[event.node], event.node)
                for line in self.edges(event.node):
                    if depth and " -> " in line:
                        later.append(line)
                    else:
                        yield "  " * depth + line
            if not depth:
                yield from later
                later.clear()

    def path(self, node: int) -> str:
        """Return the scope that a node is drawn in: that of its name, or where it was made."""
        scope = self.names[node].rpartition("/")[0]
        made_here = self.graph.nodes[node].op is not placeholder
        return scope or (path_of(self.graph, node) if made_here else "")

    def opening(self, cluster: Cluster, indent: str) -> Iterator[str]:
        """Yield the first lines of a box."""
        fill, line = self.theme.box
        label = Word(self.fit(one_line(cluster.label, LONGEST)), 11).html(self.theme.faint)
        yield f'{indent}subgraph "cluster {cluster.scope}" {{'
        yield f"{indent}  graph [label=<{label}> labelloc={self.direction.top} labeljust=l"
        yield f'{indent}    margin=14 style="rounded,filled" color="{line}" fillcolor="{fill}"]'

    # -- nodes ----------------------------------------------------------------------------------

    def node(self, name: str, node: int) -> str:
        """Return the statement of a node; in a large graph, which nobody points at, no tooltip."""
        tooltip = f' tooltip="{self.tooltip(node)}"' if len(self.nodes) < LARGE else ""
        return f'  "{name}" [label=<{self.table(node)}>{tooltip}]'

    def table(self, node: int) -> str:
        """Return the label of a node: shape and text."""
        shape, above, below = self.shape(node), self.above(node), self.below(node)
        if not above and not below:
            return shape
        behind = self.behind(node)
        if not self.direction.upright:
            texts = [[cell(line, bgcolor=behind) for line in lines] for lines in (above, below)]
            return table([*texts[0], cell(shape), *texts[1]], cellpadding=1)
        lines = [cell(line, align="LEFT", bgcolor=behind) for line in (*above, *below)]
        beside = table(lines, cellpadding=1)
        return table([cell(shape) + cell(width=4) + cell(beside, align="LEFT")])

    def shape(self, node: int) -> str:
        """Return the shape of a node with its sign or name, and ports for ordered operands."""
        op, look = self.graph.nodes[node].op, self.theme.looks[self.kinds[node]]
        ports = self.ports(node)
        if op is placeholder:
            word = self.word(str(self.graph.nodes[node].attrs[0]), 13, "B")
            return labelled(word, look, (28, 24), self.sure)
        if op is constant:
            return labelled(self.word(self.constant(node), 12), look, (18, 18), self.sure)
        sign = op.sign or op.function or op.name
        word = self.word(sign, 17 if len(sign) == 1 else 13)
        if not ports:
            return labelled(word, look, (32, 32), self.sure)
        return with_ports(word, look, ports, self.direction.enter, 32, self.sure)

    def behind(self, *nodes: int) -> str:
        """Return the colour behind texts at nodes: they stand out from edges that pass by."""
        scopes = {self.home.get(node, "") for node in nodes}
        return self.theme.paper if scopes == {""} or len(scopes) > 1 else self.theme.box[0]

    def word(self, text: str, size: int, tag: str = "") -> Word:
        """Return a text as it is to be written."""
        return Word(self.fit(one_line(text, LONGEST)), size, tag)

    def constant(self, node: int) -> str:
        """Return what to write for a constant: a number, or the name of an array."""
        held = self.graph.nodes[node].attrs[0]
        if held in SPELLED:
            return SPELLED[held]
        if node in self.assigned and not isinstance(held, float):
            return self.assigned[node][0]
        return in_a_line(from_nested(held), self.digits)

    def ports(self, node: int) -> list[str]:
        """Return what to write where each operand enters, nothing where their order is plain."""
        op, args, _ = self.graph.nodes[node]
        if not op.ordered or len(args) < 2:
            return []
        known = list(op.parameters) if op.infix is None else []
        return [known[k] if k < len(known) else str(k + 1) for k in range(len(args))]

    def above(self, node: int) -> list[str]:
        """Return the names that a node was given, and its value, in one line or more."""
        labels = filter(None, [self.scene.labels.get(node)])
        names = [*self.assigned.get(node, ())[:MOST_NAMES], *labels]
        words = [self.word(name, 11, "B") for name in names]
        written = [word.html(self.theme.ink) for word in words]
        numbers = self.numbers(self.scene.values, node)
        words += numbers
        written += [word.html(self.theme.value) for word in numbers]
        if sum(word.width for word in words) > WIDEST or len(numbers) > 1:
            return written
        return [Word(" = ", 11).html(self.theme.faint).join(written)] if written else []

    def below(self, node: int) -> list[str]:
        """Return the gradient of a node; where there are several, what each is of comes first."""
        found: list[str] = []
        for output, known, lost in self.scene.gradients:
            words = [self.word(NOTHING, 11)] if node in lost else self.numbers(known, node)
            lines = [word.html(self.theme.gradient) for word in words]
            if lines and len(self.scene.gradients) > 1:
                of = Word(self.fit(one_line(f"∂{output} = ", LONGEST)), 11).html(self.theme.faint)
                lines[0] = of + lines[0]
            found += lines
        return found

    def numbers(self, known: Mapping[int, Value], node: int) -> list[Word]:
        """Return what is known of a node in few lines; a number has its value written in it."""
        if node not in known or self.graph.nodes[node].op is constant:
            return []
        return [Word(self.fit(line), 11) for line in glance(known[node], self.digits)]

    def tooltip(self, node: int) -> str:
        """Return what a reader sees who points at the node: its formula and all digits."""
        lines = [formula(self.graph, node, limit=200)]
        several = len(self.scene.gradients) > 1
        gradients = [
            (f"gradient of {output}" if several else "gradient", known)
            for output, known, _ in self.scene.gradients
        ]
        for title, known in [("value", self.scene.values), *gradients]:
            if node in known:
                lines.append(f"{title} {value_text(known[node])}")
        plain = (one_line(line, 200) for line in lines)
        return "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in plain)

    # -- edges ----------------------------------------------------------------------------------

    def edges(self, node: int) -> Iterator[str]:
        """Yield the edges into a node, each constant as a node of its own before its edge."""
        ports = self.ports(node)
        for k, arg in enumerate(self.graph.nodes[node].args):
            source = self.names[arg]
            if self.kinds[arg] is Kind.CONSTANT:
                source = f"{source} for {self.names[node]} {k + 1}"
                yield self.node(source, arg)
            port = f"a{k}" if ports else "v"
            label = one_line(self.scene.edges.get((node, k), ""), LONGEST)
            beside = table([cell(escape(self.fit(label)))], bgcolor=self.behind(arg, node))
            text = f" label=<{beside}>" if label else ""
            # As attributes: of a port after a colon pydot and networkx make a node of its own.
            ends = f'tailport="v:{self.direction.leave}" headport="{port}:{self.direction.enter}"'
            yield f'  "{source}" -> "{self.names[node]}" [{ends}{text}]'

    # -- legend ---------------------------------------------------------------------------------

    def legend(self) -> str:
        """Return a line that explains what occurs in the picture, and nothing else."""
        kinds = set(self.kinds.values())
        entries = [
            cell(labelled(Word("", 8), self.theme.looks[kind], (14, 10), sure=True))
            + self.note(kind.value)
            for kind in Kind
            if kind in kinds
        ]
        if self.scene.values:
            entries.append(self.note("value", self.theme.value))
        if self.scene.gradients:
            entries.append(self.note("gradient", self.theme.gradient))
        if any(gradient.lost for gradient in self.scene.gradients):
            entries.append(self.note(f"{NOTHING}: 0 but for rounding"))
        if any("1" in self.ports(node) for node in self.nodes):
            entries.append(self.note("1, 2: operand order"))
        if self.scene.edges and self.scene.edge_meaning:
            entries.append(self.note(f"on edges: {one_line(self.scene.edge_meaning, 40)}"))
        gap = cell(height=6)
        return table([gap, "".join(entries)], cellpadding=2)

    def note(self, text: str, color: str | None = None) -> str:
        """Return a cell of the legend with a text."""
        return cell(Word(text + "   ", 9).html(color or self.theme.faint))
