"""The rows of docs/performance.md: which figure is compared with what."""
import statistics
from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Goal:
    """At most `limit` times the peer's figure in the same rounds; without a peer, at most `limit` itself."""
    row: str
    work: str
    measurement: str
    corpus: str
    tool: str
    limit: float
    peer: str | None = None
    figure: str = "cpu"
    unit: str = "CPU s"
    scale: float = 1


@dataclass(frozen=True)
class Outcome:
    row: str
    work: str
    measurement: str
    ours: str
    theirs: str
    ratio: str
    goal: str
    met: bool
    line: dict


def outcomes(goals, lines):
    """Of every goal that has been measured, in the order of the goals; then of what programs judged themselves."""
    known = {(line["measurement"], line["corpus"], line["tool"]): line for line in lines if "tool" in line}
    found = [compared(goal, known) for goal in goals]
    return [one for one in found if one] + [
        Outcome(line["row"], line["row"], line["measurement"], line["figure"], "", "", line["goal"], line["met"], line)
        for line in lines if "met" in line
    ]


def compared(goal, known):
    ours = known.get((goal.measurement, goal.corpus, goal.tool))
    if not ours or goal.figure not in ours:
        return None
    own = ours[goal.figure]["median"] * goal.scale
    shown = f"{number(own)} {goal.unit}"
    if not goal.peer:
        return Outcome(goal.row, goal.work, goal.measurement, shown, "", "", f"{number(goal.limit)} {goal.unit}",
                       own <= goal.limit, ours)
    theirs = known.get((goal.measurement, goal.corpus, goal.peer))
    if not theirs or goal.figure not in theirs:
        return None
    # Two tools have taken turns in one run only; drives of several sizes never do.
    if theirs.get("run") != ours.get("run"):
        return None
    ratios = paired(ours[goal.figure], theirs[goal.figure])
    ratio = statistics.median(ratios)
    spread = f" ({number(min(ratios))} to {number(max(ratios))})" if len(ratios) > 1 else ""
    return Outcome(
        goal.row, goal.work, goal.measurement, shown,
        f"{goal.peer} {number(theirs[goal.figure]['median'] * goal.scale)} {goal.unit}", f"{number(ratio)}{spread}",
        f"{number(goal.limit)} x", ratio <= goal.limit, ours)


def paired(ours, theirs):
    """The ratio of each round: what else the machine did then hit both."""
    return [one / max(other, 1e-9) for one, other in zip(ours["each"], theirs["each"])]


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def table(goals, lines):
    for one in outcomes(goals, lines):
        peer = f"{one.ratio} x {one.theirs}" if one.theirs else ""
        yield f"{'ok  ' if one.met else 'MISS'}  {one.work:58}  {one.ours:16}  {peer:48}  goal {one.goal}"
