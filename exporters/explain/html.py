"""A story as one HTML page that readers step through; it needs nothing from outside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .mathml import equation
from .story import Chapter, Line, Step, Story

STYLE = """
:root { color-scheme: light dark; --ink: #1d2433; --paper: #fdfdfb; --soft: #6b7280;
  --line: #d9dce3; --now: #fff4d6; --edge: #d97706; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ee; --paper: #14171f; --soft: #9aa3b2;
  --line: #333a47; --now: #33290f; --edge: #f5b041; } }
body { margin: 0 auto; max-width: 54rem; padding: 1rem 1.25rem 6rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font: 600 1.3rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0; font-size: 1.15rem; }
.saying { margin: 0 0 .75rem; color: var(--soft); }
.step { margin: .35rem 0; padding: .35rem .9rem; border-left: 4px solid var(--line);
  border-radius: 2px; overflow-x: auto; }
.step p { margin: .3rem 0; }
.step .line { margin: .6rem 0; padding-left: 1.75rem; }
.step .about + .line { margin-top: .5rem; }
math { font-size: 1.1rem; }
mfrac { padding: 0 .1em; }
.remark { margin-left: .75rem; color: var(--soft); font-size: .9rem; }
.stepping .later { visibility: hidden; }
.stepping .now { background: var(--now); border-left-color: var(--edge); }
nav { position: fixed; inset: auto 0 0; display: none; gap: .5rem; align-items: center;
  justify-content: center; padding: .6rem; background: var(--paper);
  border-top: 1px solid var(--line); }
.scripted nav { display: flex; }
button { padding: .4rem .9rem; border: 1px solid var(--line); border-radius: 6px; font: inherit;
  color: inherit; background: transparent; cursor: pointer; }
button:disabled { opacity: .4; cursor: default; }
#count { min-width: 7rem; text-align: center; color: var(--soft); }
@media print { nav { display: none !important; } .later { visibility: visible !important; } }
"""

SCRIPT = """
const steps = [...document.querySelectorAll(".step, h2, .saying")];
const real = steps.filter((one) => one.classList.contains("step"));
const [first, back, next, all] = document.querySelectorAll("nav button");
let at = 0, stepping = true;
function show(move) {
  at = Math.min(Math.max(at, 0), real.length - 1);
  const last = steps.indexOf(real[at]);
  document.body.classList.toggle("stepping", stepping);
  steps.forEach((one, k) => {
    one.classList.toggle("later", k > last);
    one.classList.toggle("now", k === last);
  });
  document.getElementById("count").textContent = `step ${at + 1} of ${real.length}`;
  first.disabled = back.disabled = stepping && at === 0;
  next.disabled = stepping && at === real.length - 1;
  all.textContent = stepping ? "Show all" : "Step through";
  if (move && stepping) real[at].scrollIntoView({ block: "center", behavior: "smooth" });
}
function go(to) { at = to; stepping = true; show(true); }
first.onclick = () => go(0);
back.onclick = () => go(at - 1);
next.onclick = () => go(at + 1);
all.onclick = () => { stepping = !stepping; show(true); };
document.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowRight") go(at + 1);
  else if (event.key === "ArrowLeft") go(at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(real.length - 1);
  else return;
  event.preventDefault();
};
document.body.classList.add("scripted");
const asked = parseInt(location.hash.slice(1), 10);
at = asked > 0 ? asked - 1 : 0;
show(at > 0);
"""

NAV = (
    '<nav aria-label="steps"><button>First</button><button>Back</button>'
    '<span id="count" aria-live="polite"></span>'
    "<button>Next</button><button>Show all</button></nav>"
)


def html(stories: Sequence[Story]) -> str:
    """Return the stories as a page."""
    body = "\n".join(part for story in stories for part in parts(story))
    title = escape(stories[0].title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n{NAV}\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def parts(story: Story) -> list[str]:
    """Return a story's heading and chapters."""
    return [f"<h1>{escape(story.title)}</h1>", *map(chapter_html, story.chapters)]


def chapter_html(chapter: Chapter) -> str:
    """Return a chapter."""
    head = [f"<h2>{escape(chapter.title)}</h2>"]
    if chapter.saying:
        head.append(f'<p class="saying">{escape(chapter.saying)}</p>')
    return "\n".join([*head, *map(step_html, chapter.steps)])


def step_html(step: Step) -> str:
    """Return a step."""
    about = [line_html(step.about, "about")] if step.about else []
    kind = "line" if step.about else "alone"
    lines = [*about, *(line_html(one, kind) for one in step.lines)]
    return f'<div class="step">{"".join(lines)}</div>'


def line_html(line: Line, kind: str) -> str:
    """Return an equation with its remark."""
    remark = f'<span class="remark">{escape(line.remark)}</span>' if line.remark else ""
    return f'<p class="{kind}">{equation(line)}{remark}</p>'
