"""The op table: one row says everything about an op.

Rows are written with `Op(...)` in the sibling modules, a module a kind; `registry.py` holds them.
Rules (`partials`, `conditions`, `definition`) are written with graph expressions only, so a
derivative can be differentiated again. Nothing else in the repository lists ops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

from .registry import BUILTINS, FUNCTIONS, OPS, TWINS, enter_all, register
from .rules import At, Condition, Definition, Each, Expr, Move, Operand, Partial, asking

if TYPE_CHECKING:
    from ..graph import Attribute, Graph, Shape


Kind: TypeAlias = Literal[
    "axis", "axes", "flag", "index", "number", "serial", "shape", "text", "whole"
]
"""What an attribute is: None, an axis or several; a permutation of all or None; yes or no; an index
as it is written, `1:3, 0`; a number; a number that the graph gives, so that nodes differ; sizes; a
string; a whole number."""

REQUIRED = "required"
"""The default of an attribute that has none."""


class Attr(NamedTuple):
    """An attribute of an op: what is known when its node is made, and no node."""

    name: str
    kind: Kind
    default: Any = REQUIRED
    valid: Callable[[str], bool] | None = None
    """Whether a text is one that it may have."""
    least: float | None = None
    most: float | None = None
    """What its numbers are from, and to."""

    @property
    def span(self) -> str:
        """The range of its numbers in words, nothing where any will do: ` from 0 on`."""
        if self.least is None:
            return ""
        return f" from {self.least} " + ("on" if self.most is None else f"to {self.most:,}")

    def spans(self, value: float | tuple[float, ...]) -> bool:
        """Tell whether all numbers of a value are in the range."""
        if self.least is None:
            return True
        most = float("inf") if self.most is None else self.most
        numbers = value if isinstance(value, tuple) else (value,)
        return all(self.least <= number <= most for number in numbers)

    @property
    def shown(self) -> str:
        """The attribute as signatures have it: `axis=None`, `keepdims=0`."""
        if self.default == REQUIRED:
            return self.name
        default = int(self.default) if isinstance(self.default, bool) else self.default
        return f"{self.name}={default}"


class Domain(NamedTuple):
    """The values of one argument at which an op has a derivative, as tests may draw them.

    `low` and `high` bound the values; with `outside` the values lie beyond the two instead;
    with `whole` they are whole numbers; `text` says it to a reader.
    """

    text: str
    low: float = float("-inf")
    high: float = float("inf")
    outside: bool = False
    whole: bool = False


REAL = Domain("any real number")
POSITIVE = Domain("x > 0", low=0.0)
UNIT = Domain("-1 < x < 1", low=-1.0, high=1.0)
BEYOND_UNIT = Domain("x < -1 or x > 1", low=-1.0, high=1.0, outside=True)
NOT_ZERO = Domain("any real number but 0", low=0.0, high=0.0, outside=True)


def needs_arrays(*args: float) -> float:
    """Stand for the scalar form of ops that move elements: no program runs them on scalars."""
    raise AssertionError("an op that moves elements is run on arrays")


@dataclass(frozen=True, eq=False, repr=False, slots=True, kw_only=True)
class Builtin:
    """What formulas can call.

    `signature` is the call as readers see it: `"leaky_relu(x, slope=0.01)"`, `"max(x, y, *more)"`;
    the function's name in it may be shared by rows that take different numbers of arguments. What
    is no node but known when one is made is in `attributes`, and goes after the arguments or by
    name: `sum(x, axis=0)`. With `listed` its arguments may be given as one list. `misfit` is
    (attributes) -> what to say where they do not go together.
    """

    name: str
    signature: str
    doc: str
    topic: str = ""
    """What it is listed under in the reference of functions."""
    internal: bool = False
    """Whether only derivatives and rules are written with it: no list of functions has it."""
    aliases: tuple[str, ...] = ()
    attributes: tuple[Attr, ...] = ()
    listed: bool = False
    misfit: Callable[[Sequence[Any]], str | None] | None = None
    function: str = field(init=False)
    least: int = field(init=False)
    most: int | None = field(init=False)
    filling: tuple[float, ...] = field(init=False)
    parameters: tuple[str, ...] = field(init=False)
    defaults: tuple[Any, ...] = field(init=False)
    """The defaults of the attributes."""

    def __post_init__(self) -> None:
        """Read the signature and register the function's names."""
        function, _, inside = self.signature.removesuffix(")").partition("(")
        words = tuple(word.strip() for word in inside.split(",") if word.strip())
        filling = tuple(float(word.partition("=")[2]) for word in words if "=" in word)
        variadic = bool(words) and words[-1].startswith("*")
        fixed = len(words) - variadic
        settle = object.__setattr__
        settle(self, "function", function)
        settle(self, "parameters", tuple(word.partition("=")[0] for word in words))
        settle(self, "least", fixed - len(filling))
        settle(self, "most", None if variadic else fixed)
        settle(self, "filling", filling)
        settle(self, "defaults", tuple([attr.default for attr in self.attributes]))
        register(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __reduce__(self) -> tuple[Callable[[str], Builtin], tuple[str]]:
        """Say how a copy is made, in this process or another: there it is the row of its name."""
        return row, (self.name,)

    def accepts(self, count: int) -> bool:
        """Tell whether a call may have `count` arguments."""
        return count >= self.least and (self.most is None or count <= self.most)

    @property
    def usage(self) -> str:
        """The call as readers see it, with its attributes."""
        told = [attr.shown for attr in self.attributes if attr.kind != "serial"]
        if not told:
            return self.signature
        inside = self.signature.removesuffix(")").partition("(")[2]
        return f"{self.function}({', '.join(filter(None, [inside, *told]))})"


@dataclass(frozen=True, eq=False, repr=False, slots=True, kw_only=True)
class Composition(Builtin):
    """A function that is written with the ops there are.

    `make` returns it in a graph at arguments, defaults filled in, and attributes, all of them.
    """

    make: Callable[[Graph, Sequence[Expr], Sequence[Any]], Expr]
    paired: bool = False
    """Whether its arrays go together entry by entry: broadcasting both is a slip."""


class TensorFlowInput(NamedTuple):
    """An attribute that an op of TensorFlow takes as its last input, a constant of whole numbers.

    `kind` is TensorFlow's attribute for the type of these; `none` says what takes the place of
    None: all axes, or all of them backwards. Else an op with None is none of TensorFlow's.
    """

    name: str
    kind: str = "Tidx"
    none: Literal["", "all", "backwards"] = ""


class Torch(NamedTuple):
    """What PyTorch calls the node of its backward pass for an op, and which arguments it has.

    "" is no such node: nothing is differentiated by what the op is made from. None is the op's own
    name. `numbers` has other names by the places of arguments that are plain numbers, which are no
    inputs of the node then; `ranks` by the arguments' numbers of axes; `told` by the op's
    attributes, None for no other. `inputs` are the places of its inputs, None for all.
    """

    name: str | None = None
    numbers: Mapping[tuple[int, ...], str] = {}
    ranks: Mapping[tuple[int, ...], str] = {}
    told: Callable[[tuple[Any, ...]], str | None] | None = None
    inputs: tuple[int, ...] | None = None


SAME_NAME = Torch()
UNTRACKED = Torch("")


@dataclass(frozen=True, eq=False, repr=False, slots=True, kw_only=True)
class Op(Builtin):
    """One row of the table.

    `scalar` works on Python floats and follows IEEE 754 (it raises nothing); `array`, as
    `"module:function"`, is the same for NumPy arrays and is imported when first used.
    `partials` has one rule an argument. An op that selects also states in `conditions` where each
    argument is selected. Only an op that moves or mixes elements states a `move` instead.
    """

    scalar: Callable[..., float] = needs_arrays
    array: str
    partials: tuple[Partial, ...] | Each = ()
    conditions: tuple[Condition, ...] | Each = ()
    convention: str = ""
    kink: str = ""
    """Where its first derivative is a convention, so that it has no second one: `at 0`."""
    domain: tuple[Domain, ...] = (REAL,)
    defined: str = ""
    """Where it has a value, in words, if that is more, or other, than `domain` says."""
    differentiable: str = ""
    """Where it has a derivative that is no convention, in words, if `domain` and `kink` do not."""
    infix: str | None = None
    """The operator that formulas use for it, before its operand where the op takes one."""
    precedence: int = 100
    """How tightly the printed form binds; a call binds tightest."""
    brackets: tuple[str, str] | None = None
    """The brackets that formulas write around its arguments."""
    postfix: str | None = None
    """What formulas write behind its argument, attributes in braces; those not in it have their
    defaults then: `[{index}]`, `.T`."""
    sign: str | None = None
    """What pictures show for it; the function's name where it is None."""
    ordered: bool = True
    """Whether the order of its arguments matters."""
    graphdef: str | None = None
    """TensorFlow's name for it."""
    graphdef_arity: int | None = None
    """The number of arguments that TensorFlow's op takes, where ours takes any number."""
    graphdef_last: bool = False
    """Whether TensorFlow's op goes along the last axis and knows no other."""
    graphdef_input: TensorFlowInput | None = None
    """The attribute that TensorFlow's op takes as its last input."""
    torch: Torch = SAME_NAME
    """The node of PyTorch's backward pass."""
    complex: str = ""
    """Its form for complex arrays, where `array` has none though it is analytic."""
    definition: Definition | None = None
    textbook: Definition | None = None
    """How a derivative that is to be read has it: shorter, and not right at every awkward point."""
    spelling: Mapping[str, str] = field(default_factory=dict[str, str])
    """How code targets write it, by format, where neither an operator nor a function of their own
    has its name: `{0}` is the first argument (`exporters/code/forms.py` says more)."""
    rule: str | None = None
    """What its rule of differentiation is called by hand; the function's name where it is None."""
    by_hand: Callable[[Expr, Expr, Expr, Expr], Expr] | None = None
    """(u, v, u', v') -> the derivative, as it is written by hand."""
    parity: Literal["odd", "even"] | None = None
    """Whether f(-x) is -f(x), or f(x)."""
    natural: str | None = None
    """The op of its other arguments that it is where the first is the constant e."""
    undoes: str | None = None
    """The op after which it gives back the argument, wherever that op has a value."""
    nonnegative: bool = False
    """Whether its value is never below 0."""
    quotient: tuple[str, str] | None = None
    """The two ops of the same argument whose quotient it is."""
    squares: tuple[str, float] | None = None
    """An op g and a number s with f(x)^2 + s*g(x)^2 = 1."""
    addition: tuple[str, float] | None = None
    """An op c and a number k: f(a + b) = f(a)*c(b) + c(a)*f(b), c(a + b) = c(a)*c(b) - k*f(a)*f(b).

    So 2*f(a)*c(a) is f(2*a).
    """
    heeds: tuple[Condition, ...] = ()
    """Of logic, where it is the argument that decides: a kink of another is none."""
    complement: str | None = None
    """The comparison that holds where this one does not."""
    move: Move | None = None
    """None is elementwise, with broadcasting."""
    of_shapes: Callable[[tuple[Any, ...], tuple[Shape, ...]], float] | None = None
    """(attrs, argument shapes) -> its value, where that depends on nothing else."""
    fold: tuple[str, float] | None = None
    """The op that a comprehension writes between its items, and what it starts from."""
    view: bool = False
    """Whether its value shares memory with its first argument's."""
    checkpoints: bool = False
    """Whether what only it is made from is run again for the backward pass rather than kept."""
    stops: bool = False
    """Whether nothing is differentiated by what it is made from, by definition."""
    labels: Callable[[tuple[Shape, ...]], tuple[int, ...]] | None = None
    """(argument shapes) -> the arguments that are labels, or count by their shape alone: by them
    there is no derivative."""
    jumps: bool = False
    """Whether a last bit of an argument may decide over more than that where neither a domain nor a
    partial of 0 tells: its value jumps there, or there is none for some arguments in between."""
    to_shape: bool = False
    """Whether its value has the shape that is its first attribute, whatever shape x had before."""
    keeps_sum: bool = False
    """Whether the sum of its value's entries is that of x, if no entry of x is there twice."""
    draws: bool = False
    """Whether it draws random numbers: its form gets a seed after its attributes."""
    modes: bool = False
    """Whether its first argument is meant in training, and its second otherwise."""
    plain: Op | None = field(default=None, init=False)
    """Of a twin, the row that it is the twin of."""
    twin: str = field(default="", init=False)
    """What a twin is called in `TWINS`."""
    bears: bool = field(default=False, init=False)
    """Whether its derivative, 0 or nan, is handed on by what only asks for its truth."""

    def __post_init__(self) -> None:
        """Register the row."""
        Builtin.__post_init__(self)
        OPS.entered[self.name] = self

    def twinned(
        self,
        twin: str,
        partials: tuple[Partial, ...],
        conditions: tuple[Condition, ...],
        bears: bool = False,
    ) -> Op:
        """Return a twin of this row, of which only the derivative is another.

        It has the same name, forms and spellings, so that it is run and written as this row is. No
        formula can call it: partials are made of it.
        """
        found = object.__new__(Op)
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        rules = {"partials": partials, "conditions": conditions}
        other = {"twin": twin, "plain": self, "bears": bears, "jumps": True}
        for name, value in (own | rules | other).items():
            object.__setattr__(found, name, value)
        TWINS[twin] = found
        return found

    def __reduce__(self) -> tuple[Callable[[str], Builtin], tuple[str]]:
        """Say how a copy is made, as of every row; a twin is known by its own name."""
        return Builtin.__reduce__(self) if self.plain is None else (twin, (self.twin,))

    def takes(self, count: int) -> bool:
        """Tell whether a node of this op may have `count` arguments, defaults filled in."""
        return count >= self.least + len(self.filling) and (self.most is None or count <= self.most)

    def local(self, at: At, wanted: Iterable[int]) -> Iterator[tuple[int, Operand, Expr | None]]:
        """Yield each wanted argument with its partial derivative and the condition it is under.

        Left out are arguments whose partial is 0 everywhere; a condition of None always holds.
        """
        if self.partials and not self.conditions and not isinstance(self.partials, Each):
            for k in wanted:
                rule = cast("Callable[..., Operand] | None", self.partials[k])
                if rule is not None:
                    yield k, rule(at.result, *at.args), None
            return
        partial = asking(self.partials, at)
        condition = asking(self.conditions, at) if self.conditions else None
        for k in wanted:
            found = partial(k)
            if found is not None:
                yield k, found, condition(k) if condition else None

    def selected(self, k: int, at: At) -> Expr | None:
        """Return the condition under which argument k is selected, None where it always is."""
        found: Expr | None = asking(self.conditions, at)(k)
        return found

    def on_arrays(self) -> Callable[..., Any]:
        """Return the NumPy form, importing its module at first use."""
        return array_form(self.array)

    def __call__(self, *args: Operand, attrs: tuple[Attribute, ...] = ()) -> Expr:
        """Return this op's node at expressions and numbers, at least one of them an expression."""
        graph = graph_of(args)
        nodes = tuple(
            [arg.node if isinstance(arg, Expr) else graph.constant(float(arg)) for arg in args]
        )
        if self.filling:
            nodes = fill(self, graph, nodes)
        if self.plain is not None:
            graph.kinked = True
        return Expr(graph, graph.add(self, nodes, attrs or self.defaults))


def graph_of(args: Iterable[Operand]) -> Graph:
    """Return the graph that expressions are in."""
    for arg in args:
        if isinstance(arg, Expr):
            return arg.graph
    raise ValueError("numbers alone are in no graph")


def fill(op: Builtin, graph: Graph, args: tuple[int, ...]) -> tuple[int, ...]:
    """Return the arguments with the signature's defaults put in for those left out."""
    missing = op.least + len(op.filling) - len(args) if op.filling else 0
    if missing <= 0:
        return args
    return args + tuple(graph.constant(value) for value in op.filling[-missing:])


@cache
def array_form(path: str) -> Callable[..., Any]:
    """Return the function at `"module:name"`; a module that begins with a dot is a sibling."""
    module, _, name = path.partition(":")
    found: Callable[..., Any] = getattr(import_module(module, __package__), name)
    return found


def row(name: str) -> Builtin:
    """Return the one row of a name. Raises `KeyError` where there is none."""
    found = BUILTINS.entered.get(name)
    return BUILTINS[name] if found is None else found


def twin(name: str) -> Builtin:
    """Return the one twin of a name. Raises `KeyError` where there is none."""
    if name not in TWINS:
        enter_all()
    return TWINS[name]


def rows() -> list[Builtin]:
    """Return what formulas can call, sorted by signature."""
    named = {id(one): one for found in FUNCTIONS.values() for one in found}
    return sorted(named.values(), key=lambda one: one.signature)
