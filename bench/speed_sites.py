# Copyright (C) The detemplate authors
"""The speed bench's ten thousand sites: one page under many names.

Each site has a page and a template of its own, made of the same bytes: its
snapshot is that of a site that was learned, without what only learning needs.
Names are asked for by Zipf's law.  nginx itself has more to do for ten
thousand cached pages than for one: "detemplate off" is measured as well.
"""

import contextlib
import glob
import hashlib
import json
import os
import random
import socket
import struct
import sys
import time
import urllib.request
import zlib

from speed_servers import (CACHE, CLIENTS, Burst, Server, apart, connect,
                           request)

SITES = 10000
LOADING = 120
ROUNDS = 60
TIMES = 100             # requests of each client in a burst
MASK = (1 << 64) - 1

ZONE = """detemplate_zone templates:1200m;
    detemplate_path {dir}/templates;
    detemplate_site $http_site;
    detemplate_learn off;"""

SERVER = """
    server {{
        listen 127.0.0.1:{port};
        server_name {host};
        detemplate {mode};
        location {path} {{ {source} }}
        location = /bench/status {{ detemplate off; detemplate_status; }}
    }}
"""

NEW = (CACHE.replace("$host$uri", "$http_site$uri")
       + "proxy_hide_header ETag; proxy_hide_header Last-Modified;")

MODES = ("strip", "off")

# the layout in core/template/table.h, and that of a snapshot's head
SUMMED, TEMPLATE_SIZES, EVIDENCE = 32, "<II", 84
HEAD, TIMES_AT, NAME = 296, 16, 36


def mix(a, b):
    x = (a ^ ((b << 32 | b >> 32) & MASK)) * 0x9e3779b97f4a7c15

    return (x & MASK) ^ (x >> 64)


def dt_hash(data, seed):
    """The hash of core/base/hash.h."""
    h = mix(seed, len(data))
    for i in range(0, len(data), 8):
        h = mix(h, int.from_bytes(data[i:i + 8], "little"))

    return h


def named(site):
    """Returns the name of a site's snapshot."""
    return hashlib.md5(site).hexdigest() + ".dt"


def bare(template):
    """Returns the serving part of a template, as a whole template."""
    serve = struct.unpack_from("<I", template, 12)[0]
    out = bytearray(template[:serve])
    struct.pack_into(TEMPLATE_SIZES, out, 8, serve, serve)
    struct.pack_into("<IIII", out, EVIDENCE, 0, 0, 0, 0)
    struct.pack_into("<QQ", out, 16, dt_hash(out[SUMMED:], 0x64657465),
                     dt_hash(b"", 0x64657465))

    return bytes(out)


def snapshot(head, template, site):
    head = bytearray(head)
    valid = int(time.time()) + 86400
    struct.pack_into("<I", head, 12, len(template))
    struct.pack_into("<qq", head, TIMES_AT, valid, valid)
    struct.pack_into("<I256s", head, NAME, len(site), site)
    struct.pack_into("<I", head, 8, zlib.crc32(head[12:]))

    return bytes(head) + template


class Many(Server):
    def __init__(self, bench, page):
        held = [socket.create_server(("127.0.0.1", 0)) for _ in MODES]
        ports = [s.getsockname()[1] for s in held]
        for s in held:
            s.close()

        super().__init__("many", bench.work, ports)
        self.page = page
        self.sites = [b"site%d.bench" % i for i in range(SITES)]
        origin = bench.ports["plain", "file"]
        self.write(bench.module, ZONE, "".join(
            SERVER.format(port=port, host=page.host, path=page.path, mode=mode,
                          source=NEW.format(origin=origin))
            for port, mode in zip(ports, MODES)))

    def fill(self, directory):
        """Writes snapshots of all sites, from that of one site."""
        own = named(self.page.host.encode())
        with open(os.path.join(directory, own), "rb") as f:
            data = f.read()

        template = bare(data[HEAD:])
        to = self.dir + "/templates"
        os.mkdir(to)
        self.own(to)

        for site in self.sites:
            path = to + "/" + named(site)
            with open(path, "wb") as f:
                f.write(snapshot(data[:HEAD], template, site))
            self.own(path)

    def loaded(self):
        until = time.monotonic() + LOADING
        url = "http://127.0.0.1:%d/bench/status" % self.ports[0]

        while time.monotonic() < until:
            ask = urllib.request.Request(url, headers={"Host":
                                                       self.page.host})
            with urllib.request.urlopen(ask, timeout=30) as answer:
                if json.load(answer)["zone"]["sites"] == SITES:
                    return
            time.sleep(0.2)

        sys.exit("speed: the snapshots were not taken")

    def burst(self, sockets, sites):
        requests = [request(self.page.uri, {"Host": self.page.host,
                                            "Site": s.decode()})
                    for s in sites]
        cpu = self.cpu()

        for i in range(0, len(requests), CLIENTS):
            for s, r in zip(sockets, requests[i:i + CLIENTS]):
                s.sendall(r)
            Burst.answers(sockets)

        return (self.cpu() - cpu) / len(requests)


def measure(bench):
    page = bench.middle()[0]
    many = Many(bench, page)
    many.fill(bench.nginx["module"].dir + "/templates")
    many.start()
    rounds = ROUNDS // (2 if bench.quick else 1)

    try:
        many.loaded()
        modes = {mode: compare(many, port, rounds)
                 for mode, port in zip(MODES, many.ports)}
    finally:
        many.stop()

    return {"sites": SITES, "page": page.file, "modes": modes}


def compare(many, port, rounds):
    """Measures many sites and one site, in turn."""
    times = {"one": [], "many": []}
    weights = [1 / (i + 1) for i in range(SITES)]
    draw = random.Random(1)

    with contextlib.ExitStack() as stack:
        stack.enter_context(apart(many))
        sockets = [stack.enter_context(connect(port)) for _ in range(CLIENTS)]

        # proxy_cache takes each page now
        many.burst(sockets, many.sites)

        # the first requests are not measured: they fill the workers' copies
        for n in range(-2 * rounds, rounds):
            sites = draw.choices(many.sites, weights, k=TIMES * CLIENTS)
            one = [many.sites[0]] * len(sites)
            pairs = (("many", sites), ("one", one))
            for name, names in pairs[::-1 if n % 2 else 1]:
                t = many.burst(sockets, names)
                if n > 0:
                    times[name].append(t)

    return times
