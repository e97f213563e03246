"""Plots as SVG: lines through points on axes that may be logarithmic."""
import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 70, 210, 40, 50
COLOURS = ["#1f5fa8", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#0f766e", "#be123c", "#475569"]


def plot(title, x, y, series, logarithmic=(True, True)):
    """`series` is a name with points (x, y) for each line; `x` and `y` say what the axes are."""
    series = {name: sorted(points) for name, points in series.items() if points}
    across = Axis([point[0] for points in series.values() for point in points], logarithmic[0], LEFT, WIDTH - RIGHT)
    upward = Axis([point[1] for points in series.values() for point in points], logarithmic[1], HEIGHT - BOTTOM, TOP)
    parts = [text(LEFT, 22, title, "start", 15), text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x, "middle"),
             text(LEFT, TOP - 6, y, "start")]
    for mark in across.marks:
        at = across.place(mark)
        parts += [line(at, TOP, at, HEIGHT - BOTTOM), text(at, HEIGHT - BOTTOM + 16, shown(mark), "middle")]
    for mark in upward.marks:
        at = upward.place(mark)
        parts += [line(LEFT, at, WIDTH - RIGHT, at), text(LEFT - 6, at + 4, shown(mark), "end")]
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{across.place(one):.1f},{upward.place(other):.1f}" for one, other in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(points) < 10:
            parts += [f'<circle cx="{across.place(one):.1f}" cy="{upward.place(other):.1f}" r="3" fill="{colour}"/>'
                      for one, other in points]
        parts.append(text(WIDTH - RIGHT + 12, TOP + 12 + 20 * number, name, "start", 12, colour))
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n')


class Axis:
    def __init__(self, values, logarithmic, start, end):
        self.logarithmic, self.start, self.end = logarithmic, start, end
        self.marks = decades(values) if logarithmic else steps(max(values))
        self.low, self.high = self.scaled(self.marks[0]), self.scaled(self.marks[-1])

    def scaled(self, value):
        return math.log10(max(value, 1e-9)) if self.logarithmic else value

    def place(self, value):
        share = (self.scaled(value) - self.low) / ((self.high - self.low) or 1)
        return self.start + share * (self.end - self.start)


def decades(values):
    low = math.floor(math.log10(max(min(values), 1e-9)))
    return [10.0 ** power for power in range(low, max(low + 1, math.ceil(math.log10(max(values)))) + 1)]


def steps(highest):
    step = 10.0 ** math.floor(math.log10(highest or 1))
    step *= next(share for share in (0.1, 0.2, 0.5, 1, 2) if highest / (step * share) <= 6)
    return [step * number for number in range(math.ceil(highest / step) + 1)]


def line(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#e2e8f0"/>'


def text(x, y, words, anchor, size=12, colour="#1e293b"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
            f"{html.escape(words)}</text>")


def shown(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
