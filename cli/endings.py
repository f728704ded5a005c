"""Endings of file names that promise what a command does not write."""

from __future__ import annotations

from ..autodiff.errors import UsageError
from .forms import ending_of

PICTURES = (
    ".png",
    ".svg",
    ".pdf",
    ".jpg",
    ".jpeg",
    ".gif",
    ".eps",
    ".ps",
    ".webp",
    ".bmp",
    ".tif",
    ".tiff",
    ".dot",
    ".gv",
)
PAGES = (".html", ".htm", ".tex", ".docx", ".odt", ".rtf", ".ipynb")
CODE = (
    ".c",
    ".h",
    ".cpp",
    ".js",
    ".mjs",
    ".ts",
    ".py",
    ".m",
    ".jl",
    ".r",
    ".rs",
    ".go",
    ".java",
    ".f90",
    ".pbtxt",
    ".pb",
    ".onnx",
)
ARRAYS = (".npy", ".npz", ".mtx")
TABLES = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".jsonl", ".gz")
NOBODYS = (
    ".mat",
    ".h5",
    ".hdf5",
    ".pkl",
    ".pt",
    ".pth",
    ".safetensors",
    ".xls",
    ".xlsx",
    ".ods",
    ".yaml",
    ".xml",
    ".zip",
)

RESULTS = (*ARRAYS, *TABLES, *NOBODYS)
"""What the commands decide on themselves that have numbers for an answer."""

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "cgraph render makes pictures": PICTURES,
    "cgraph export writes code": CODE,
    "cgraph explain writes pages": PAGES,
}
"""Who writes it, by what it is."""

PROMISES = {*PICTURES, *PAGES, *CODE, *ARRAYS, *TABLES, *NOBODYS}


OF_COMMANDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("eval", "grad", "jac", "hess", "hvp", "jvp", "vjp", "taylor"), RESULTS),
    "explain": (".html", ".tex", ".md"),
}
"""What commands write besides text."""

OWN = ("render", "export", "optimize")
"""Commands whose exporters say what they write."""


def check_ending(command: str, out: str | None) -> None:
    """Raise `UsageError` for a file whose ending promises what a command does not write."""
    ending = ending_of(out)
    if ending in PROMISES and command not in OWN and ending not in OF_COMMANDS.get(command, ()):
        own = OF_COMMANDS.get(command, ())
        text = f"it writes {', '.join(('.txt', *own))}" if own else "it writes text"
        who = (who for who, endings in ELSEWHERE.items() if ending in endings)
        hint = text if command == "explain" else next(who, text)
        raise UsageError(f"{command} does not write {ending}", hint=hint)
