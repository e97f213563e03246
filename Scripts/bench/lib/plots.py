"""The plots of docs/performance.md, from the figures of a run."""
import re

import svg

MIB = 1 << 20
SIZED = re.compile(r"docdrive (.+), ([\d,]+) items$")


def all_of(lines):
    """File name and SVG of each plot that there are figures for."""
    plots = {
        "time.svg": against_items(lines, "CPU against items", "CPU s", "cpu", 1, ("first sync", "unchanged"), (True, True)),
        "memory.svg": against_items(
            lines, "Peak memory against items", "MiB", "memory", 1 / MIB, ("first sync", "unchanged"), (True, False)),
        "latency.svg": latency(lines),
    }
    return {name: plot for name, plot in plots.items() if plot}


def against_items(lines, title, unit, figure, scale, works, logarithmic):
    series = {}
    for line in lines:
        found = SIZED.match(line.get("tool", "")) if line["measurement"] == "scale" else None
        if found and found.group(1) in works and figure in line:
            point = int(found.group(2).replace(",", "")), line[figure]["median"] * scale
            series.setdefault(f"docdrive, {found.group(1)}", []).append(point)
    return svg.plot(title, "items", unit, series, logarithmic) if any(len(all) > 1 for all in series.values()) else None


def latency(lines):
    """How large a share of saves has arrived after how long. What waits for a timer is far from what does not: the axis is
    logarithmic."""
    series = {
        line["tool"]: [(value, 100 * (number + 1) / len(line["arrivals"])) for number, value in enumerate(line["arrivals"])]
        for line in lines if line["measurement"] == "latency" and "arrivals" in line
    }
    return svg.plot("Save on A to right bytes on B", "seconds", "% of the saves", series, (True, False)) if series else None
