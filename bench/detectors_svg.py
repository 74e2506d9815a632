# Copyright (C) The detemplate authors
"""Draws two pictures for bench/detectors: F1 and time, by number of pages."""

import math

from accuracy_svg import line, text

WIDTH, HEIGHT = 430, 300  # of the inside
LEFT, TOP = 64, 44
LABELS = 190              # room for names on the right
COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#009e73", "#cc79a7", "#882255",
           "#999933", "#555555", "#e69f00")


def picture(title, lines, scale, marks, place, sites):
    """lines: name -> [(pages, value)]; place: value -> 0 to 1."""
    low, high = scale
    pages = [n for n, _ in next(iter(lines.values()))]
    width = LEFT + WIDTH + LABELS
    height = TOP + HEIGHT + 52

    def at(n, value):
        x = LEFT + WIDTH * pages.index(n) / (len(pages) - 1)
        share = ((place(min(max(value, low), high)) - place(low))
                 / (place(high) - place(low)))
        return x, TOP + HEIGHT * (1 - share)

    svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"'
           % (width, height),
           ' viewBox="0 0 %d %d" font-family="sans-serif" font-size="12"'
           % (width, height),
           ' fill="#222222">',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           text(LEFT, 22, title, ' font-size="14" font-weight="bold"')]

    for value, label in marks:
        y = at(pages[0], value)[1]
        svg.append(line([(LEFT, y), (LEFT + WIDTH, y)], "#dddddd"))
        svg.append(text(LEFT - 6, y + 4, label, ' text-anchor="end"'))

    for n in pages:
        svg.append(text(at(n, low)[0], TOP + HEIGHT + 17, n,
                        ' text-anchor="middle"'))

    # names are written at the ends of their lines, without overlapping
    below = 0
    order = sorted(lines, key=lambda name: -place(lines[name][-1][1]))

    for name, colour in zip(lines, COLOURS):
        svg.append(line([at(*p) for p in lines[name]], colour, width=2))

    for name in order:
        x, y = at(*lines[name][-1])
        below = max(y + 4, below + 14)
        svg.append(text(x + 8, below, name, ' fill="%s"'
                        % COLOURS[list(lines).index(name)]))

    svg.append(text(LEFT + WIDTH / 2, TOP + HEIGHT + 38,
                    "random pages, at most (means over %d sites)" % sites,
                    ' text-anchor="middle"'))

    return "\n".join(svg) + "\n</svg>\n"


def write(stem, mean, sizes, sites):
    def lines(column):
        return {d: [(n, mean["random:%d" % n][d][column]) for n in sizes]
                for d in mean["cs"]}

    marks = [(v / 10, "%.1f" % (v / 10)) for v in range(4, 11)]
    with open(stem + "_f1.svg", "w") as f:
        f.write(picture("F1 of template nodes", lines("F1"), (0.4, 1), marks,
                        lambda v: v, sites))

    marks = [(v, "%g ms" % v) for v in (0.03, 0.1, 0.3, 1, 3, 10, 30, 100)]
    with open(stem + "_time.svg", "w") as f:
        f.write(picture("Time for a key page", lines("ms"), (0.03, 100),
                        marks, math.log10, sites))
