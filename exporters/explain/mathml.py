"""Equations in MathML, which browsers set as in a textbook without help from outside."""

from __future__ import annotations

import re
from html import escape

from ...autodiff.ops import OPS, Op
from ..code.forms import ATOM, Form, Target
from ..text import number
from .latex import WHOLE, written
from .story import Derivative, Formula, Line, Member
from .write import sum_of

SUM, PRODUCT, SIGN = (OPS[name].precedence for name in ("add", "mul", "neg"))
NEGATIVE = re.compile("-(<mn>[^<]*</mn>)")
WORD = re.compile(r"(.*?[^\d_])_?(\d+)")
"""A name that ends in a number, which becomes its index."""


def name(text: str) -> str:
    """Return a name, the number at its end as an index."""
    found = WORD.fullmatch(text)
    if found:
        return f"<msub><mi>{escape(found[1])}</mi><mn>{found[2]}</mn></msub>"
    return f"<mi>{escape(text)}</mi>"


def sign(text: str) -> str:
    """Return an operator."""
    return f"<mo>{escape(text)}</mo>"


def numeral(value: float) -> str:
    """Return a number."""
    text = f"<mn>{number(abs(value))}</mn>"
    return f"-{text}" if value < 0.0 else text  # what begins with - gets its brackets


def function(op: Op) -> str:
    """Return a function's name."""
    return op.function or op.name


def call(called: str) -> Form:
    """Return the call of a function."""
    if called == OPS["sqrt"].name:
        return Form("<msqrt>{args}</msqrt>", ATOM)
    return Form(f"<mi>{called}</mi><mo>(</mo>{{args}}<mo>)</mo>")


SIGNS: dict[str, str | Form] = {
    **{
        op.infix: sign(op.sign or op.infix)
        for op in OPS.values()
        if op.infix and op.most != 1 and op.infix not in "/^"
    },
    "*": sign("⋅"),
    "-x": Form(f"{sign('−')}{{0:{PRODUCT}}}", SUM),
    "notx": Form(f"{sign('not')}{{0:{SIGN}}}", OPS["not"].precedence),
    "/": Form("<mfrac><mrow>{0}</mrow><mrow>{1}</mrow></mfrac>", ATOM),
    "^": Form(f"<msup><mrow>{{0:{ATOM}}}</mrow><mrow>{{1}}</mrow></msup>", SIGN + 1),
}

TARGET = Target(
    name="mathml",
    title="MathML",
    signs=SIGNS,
    library=function,
    number=numeral,
    as_number=Form("<mo>[</mo>{0:?}<mo>]</mo>"),
    as_truth=Form(f"{{0:51}}{sign('≠')}<mn>0</mn>", 50, truth=True),
    brackets="<mo>(</mo>{}<mo>)</mo>",
    identifier=name,
    reserved=frozenset(),
    let=lambda label, piece: f"{label}{sign('=')}{piece.text}",
    sign=SUM,
    call=call,
    shared=WHOLE.shared,
    longest=WHOLE.longest,
)


def equation(line: Line) -> str:
    """Return the equation of a line; nothing where it has none."""
    members = sign("=").join(map(math, line.members))
    members = NEGATIVE.sub(rf"<mrow>{sign('−')}\1</mrow>", members)
    members = members.replace(">, <", f">{sign(',')}<")
    return f'<math displaystyle="true">{members}</math>' if members else ""


def math(member: Member) -> str:
    """Return a member of an equation."""
    if isinstance(member, Formula):
        return f"<mrow>{written(member, TARGET)}</mrow>"
    if isinstance(member, Derivative):
        mark = "<mo>∂</mo>" if member.partial else "<mi>d</mi>"
        above, below = (f"<mrow>{mark}{name(part)}</mrow>" for part in (member.of, member.by))
        return f"<mfrac>{above}{below}</mfrac>"
    return sum_of(member.terms, math, sign("⋅"), sign("+"), TARGET.brackets)
