# Copyright (C) The detemplate authors
"""The pages of the soak's sites, and which bodies are right for them.

A page is a list of parts, template and content by turns.  Whoever knows its
host, its path and its variant has its bytes, so the client that checks needs
not ask the origin.
"""

import functools
import gzip
import hashlib
import random
import re
import zlib

PAGES = 8
FILL = 120
DESIGN = 40     # seconds that a design is in force

WORDS = """river stone lantern copper meadow orbit violin harbour winter ledger
canyon pepper saddle marble thunder ribbon velvet anchor timber glacier falcon
mirror compass garden engine button feather basket candle island jacket kettle
ladder magnet needle oyster pencil quarry rocket signal tunnel umbrella valley
window yellow zipper bridge cloud desert ember forest grain hollow iris jungle
kernel lemon motor noble olive""".split()

MARK = re.compile(rb" data-template(?=[\s/>])|<!--/?template-->")

# what the origin of lies.test does with its pages
LIES = ("short", "chunk", "stall", "slow", "garbage", "cut", "bomb", "tag",
        "error", "reset", "binary", "long")

# of these the origin breaks off in the middle
PARTS = ("short", "chunk", "stall", "reset")

# these end early for every client
BROKEN = ("short", "chunk", "stall", "garbage", "cut", "reset", "long")


def text(rng, words):
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize()


@functools.lru_cache(4096)
def parts(host, path, variant=0):
    """Returns the page as (template, bytes) pairs."""
    name = path.strip("/").partition(".")[0]
    rng = random.Random("%s %s" % (host, name))
    word = "design%d" % variant if host == "design.test" else "design"
    links = ["p%d" % (i + 1) for i in range(PAGES)]

    if host == "lies.test":
        links += LIES

    menu = "".join('<li><a href="/%s.html">Chapter %s</a></li>\n' % (n, n)
                   for n in links)
    size = {"big": 2500, "bomb": 60000}.get(name, 4 + rng.randrange(4))
    own = "".join("<p>%s of %s %s.</p>\n"
                  % (text(rng, 6 if name == "bomb" else 25), name, i)
                  for i in range(size))

    if name == "bomb":
        own = "<p>The same of bomb.</p>\n" * 60000
    if name == "tag":
        own += "<p>As it was told at the %06d. time.</p>\n" % variant

    return [
        (0, '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta '
            'charset="utf-8">\n<title>%s %s</title>\n</head>\n<body>'
            % (name, text(rng, 3))),
        (1, '\n<header id="top" class="%s">\n<p class="brand">'
            '<a href="/p1.html">The quiet %s of %s</a></p>\n<nav><ul>\n%s'
            '</ul></nav>\n</header>\n' % (word, word, host, menu)),
        (0, "<main>\n<h1>%s of %s</h1>\n%s</main>"
            % (text(rng, 4), name, own)),
        (1, '\n<aside class="side"><h2>About this %s of %s</h2>\n<p>It has '
            'been written by hand since the first frost of the year.</p>\n'
            '</aside>\n' % (word, host)),
        (0, "<p>%s, said %s at the end.</p>" % (text(rng, 9), name)),
        (1, "\n<footer>\n<p>Printed by the society of %s. All rights "
            "reserved by its members.</p>\n<p>Write to the editors of %s with "
            "questions of any kind.</p>\n</footer>\n" % (host, word)),
        (0, "</body>\n</html>\n"),
    ]


@functools.lru_cache(4096)
def page(host, path, variant=0):
    body = "".join(p for _, p in parts(host, path, variant)).encode()

    return body if path != "/garbage.html" else inflated(garbage(body))


@functools.lru_cache(256)
def packed(body):
    return gzip.compress(body, 6)


def garbage(body):
    """Returns the page compressed, and damaged in the middle."""
    body = packed(body)
    half = len(body) // 2

    return body[:half] + b"\xff" * 64 + body[half + 64:]


@functools.lru_cache(256)
def inflated(body):
    """Inflates the bytes before the damage."""
    inflate = zlib.decompressobj(31)

    try:
        return inflate.decompress(body)
    except zlib.error:
        pass

    inflate = zlib.decompressobj(31)
    out = b""

    try:
        for i in range(len(body)):
            out += inflate.decompress(body[i:i + 1])
    except zlib.error:
        pass

    return out


def tag(body):
    return '"%s"' % hashlib.sha256(body).hexdigest()[:12]


def subsequence(some, whole):
    rest = iter(whole)

    return all(c in rest for c in some)


@functools.lru_cache(4096)
def stripped(host, path, variant, body):
    """Whether a body is the page: all bytes of content in their order, and
    besides them only template."""
    at = 0
    left = b""

    for template, part in parts(host, path, variant):
        part = part.encode()

        if template:
            left = part
            continue

        found = body.find(part, at)
        if found < 0 or not subsequence(body[at:found], left):
            return False

        at = found + len(part)
        left = b""

    return at == len(body)


def right(host, path, variant, body, said):
    """Returns what is wrong with a whole body, or None; said is the field
    Detemplate."""
    whole = page(host, path, variant)

    if body == whole:
        return None

    if not said.startswith("hit") and not said.startswith("stale"):
        return "changed, though it says " + (said or "nothing")

    if "mode=annotate" in said:
        return (None if MARK.sub(b"", body) == whole
                else "more than marks was added")

    if not stripped(host, path, variant, body):
        return "content is lost, or something was added"

    return None


def begins(host, path, variant, body):
    """Whether the bytes of a page that ended early belong to that page."""
    return subsequence(MARK.sub(b"", body)[:20000],
                       page(host, path, variant)[:200000])
