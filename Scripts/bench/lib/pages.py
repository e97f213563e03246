"""The tables of docs/performance.md, in Markdown."""
import goals

MIB = 1 << 20


def rows(outcomes, notes):
    """Goals that are missed first, each with what limits it and what would be needed; then those that are met."""
    missed, met = ([one for one in outcomes if one.met is wanted] for wanted in (False, True))
    yield f"{len(met)} of {len(met) + len(missed)} goals that were measured are met."
    yield from ["", "### Missed", "", *listed(missed), ""]
    for one in missed:
        note = notes.get(one.row)
        if note:
            yield f"- **{one.work}.** {note['limit']} Needed: {note['needed']}"
    yield from ["", "### Met", "", *listed(met)]


def listed(outcomes):
    yield "| work | docdrive | peer | ratio (rounds) | goal | n | measured by |"
    yield "|---|---|---|---|---|---|---|"
    for one in outcomes:
        yield (f"| {one.work} | {one.ours} | {one.theirs or '-'} | {one.ratio or '-'} | {one.goal} | {one.line.get('n', '-')} "
               f"| `Scripts/bench/run --only {one.measurement}` |")


def unmeasured(all, lines):
    known = {(line["measurement"], line["corpus"], line["tool"]) for line in lines if "tool" in line}
    for goal in all:
        if (goal.measurement, goal.corpus, goal.tool) not in known:
            yield f"- {goal.work}: `Scripts/bench/run --only {goal.measurement}`"


def figures(lines):
    """All that was measured, tool by tool."""
    last = None
    for line in lines:
        if "tool" not in line or "cpu" not in line:
            continue
        if (line["measurement"], line["corpus"]) != last:
            last = line["measurement"], line["corpus"]
            yield from ["", f"### {last[0]}: {last[1]}", "",
                        "| tool | n | CPU s | wall s | largest process | others |", "|---|---|---|---|---|---|"]
        yield (f"| {line['tool']} {line['version']} | {line['n']} | {spread(line['cpu'])} | {spread(line.get('wall'))} "
               f"| {mebibytes(line.get('memory'))} | {spread(line.get('others'), False)} |")


def spread(figure, all=True):
    if not figure:
        return "-"
    text = goals.number(figure["median"])
    if all and figure["min"] != figure["max"]:
        text += f" ({goals.number(figure['min'])} to {goals.number(figure['max'])})"
    return text


def mebibytes(figure):
    return f"{figure['median'] / MIB:.0f} MiB" if figure and figure["median"] else "-"


def latencies(lines):
    found = [line for line in lines if line["measurement"] == "latency" and "median" in line]
    if found:
        yield from ["", "### latency: saves on A until B has the bytes", "",
                    "| tool | saves | median | 95th percentile | CPU a change |", "|---|---|---|---|---|"]
    for line in found:
        yield (f"| {line['tool']} {line['version']} | {len(line['arrivals'])} | {line['median']['median']:.3f} s "
               f"| {line['p95']['median']:.3f} s | {1000 * line['cpu a change']['median']:.1f} ms |")


def conflicts(lines):
    found = [line for line in lines if line["measurement"] == "conflicts"]
    if found:
        yield from ["", "### conflicts: 22 scenarios", "",
                    "In brackets the scenarios of `Scripts/bench/lib/scenarios.py`. 20, bytes that change while size and time "
                    "stay, is counted as unequal for nobody: it has a goal of its own. rclone and git-annex had each scenario alone.",
                    "",
                    "| tool | lost | A and B unequal | needless copies |", "|---|---|---|---|"]
    for line in found:
        cells = (which(line, name) for name in ("lost", "unequal", "spurious"))
        yield f"| {line['tool']} {line['version']} | {' | '.join(cells)} |"


def which(line, name):
    keys = [scenario["key"] for scenario in line["scenarios"] if scenario[name]]
    return f"{len(keys)} ({', '.join(keys)})" if keys else "0"
