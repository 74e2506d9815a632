# Copyright (C) The detemplate authors
"""The part of the speed bench with nginx: its measurements."""

import contextlib
import http.client
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from statistics import mean

import speed_sites
from speed_servers import (CLIENTS, PAUSE, PIECES, SOURCES, VARIANTS, Burst,
                           Nginx, Page, Slow, apart, request)

LEARNING = 60
BIG = 10000000
BLOCK = 40
BURST = 0.004   # seconds of CPU time
RATE = re.compile(r"Requests/sec:\s+([\d.]+)")


# the measurements of each page, in their order
CACHED = ("plain", "strip")
ROWS = ([("new", v) for v in ("plain", "sub_filter", "sub_filter 25",
                              "gzip 1", "gzip 6", "strip", "selectors",
                              "annotate",
                              "markdown", "strip + gzip 1")]
        + [("cached", v) for v in CACHED])


class Bench:
    def __init__(self, found, module, quick, work):
        self.pages = [Page(*p) for p in found]
        self.quick = quick
        self.work = work
        self.module = module
        self.rounds = 4 if quick else 9
        self.block = 25 if quick else BLOCK
        self.files()

        keys = [(v, s) for v in VARIANTS for s in SOURCES]
        held = [socket.create_server(("127.0.0.1", 0)) for _ in keys]
        self.ports = {k: s.getsockname()[1] for k, s in zip(keys, held)}
        self.slow = Slow(self.pages)
        for s in held:
            s.close()

        self.nginx = {n: Nginx(n, work, module, self.ports, self.pages,
                               self.slow.port) for n in ("plain", "module")}

    def __enter__(self):
        try:
            self.slow.start()
            for n in self.nginx.values():
                n.start()
        except BaseException:
            self.__exit__()
            raise

        return self

    def __exit__(self, *_):
        self.slow.socket.close()
        for n in self.nginx.values():
            n.stop()

    def files(self):
        """Writes a page of BIG bytes and a file of 1 KB."""
        body = self.pages[-1].body
        start = body.index(b">", body.index(b"<body")) + 1
        end = body.find(b"</body>")
        end = end if end > 0 else len(body)
        times = BIG // (end - start) + 1
        self.big = body[:start] + body[start:end] * times + body[end:]

        for name, data in (("big.html", self.big), ("1k.txt", b"x" * 1024)):
            with open(os.path.join(self.work, name), "wb") as f:
                f.write(data)

    def get(self, variant, source, page, uri=None):
        conn = http.client.HTTPConnection(
            "127.0.0.1", self.ports[variant, source], timeout=30)
        conn.request("GET", uri or page.uri, headers=self.fields(
            variant, page))
        answer = conn.getresponse()
        body = answer.read()
        conn.close()

        if answer.status != 200:
            sys.exit("speed: %s, %s: status %d"
                     % (variant, uri or page.uri, answer.status))

        return answer, body

    def fields(self, variant, page):
        fields = {"Host": page.host}
        if "gzip" in variant:
            fields["Accept-Encoding"] = "gzip"

        return fields

    def learn(self):
        """Requests all pages until a round causes no learning."""
        until = time.monotonic() + LEARNING
        done = None

        while True:
            for page in self.pages:
                self.get("strip", "file", page)
                while True:
                    _, body = self.get("strip", "file", page, "/bench/status")
                    now = json.loads(body)["learning"]
                    if now["queued"] + now["running"] == 0:
                        break
                    if time.monotonic() > until:
                        sys.exit("speed: still learning")
                    time.sleep(0.05)

            if done == now["done"]:
                return
            done = now["done"]

    def check(self, page, source, variants):
        """Checks that each variant does what it is measured for."""
        size = len(page.body)

        for variant in variants:
            answer, body = self.get(variant, source, page)
            state = answer.getheader("Detemplate", "")
            ok = True

            if "gzip" in variant:
                ok = answer.getheader("Content-Encoding") == "gzip"
            elif variant in ("plain", "off", "sub_filter 25"):
                ok = body == page.body
            elif variant == "markdown":
                # with the port in each URL, it may be larger
                ok = answer.getheader("Content-Type",
                                      "").startswith("text/markdown")
            elif variant in ("strip", "selectors"):
                ok = len(body) < size
            else:
                ok = len(body) > size

            if "strip" in variant or variant in ("selectors", "annotate",
                                                 "markdown"):
                ok = ok and state.startswith("hit")

            if source == "cached":
                again, copy = self.get(variant, source, page)
                ok = (ok and copy == body
                      and again.getheader("X-Cache") == "HIT")

            if not ok:
                sys.exit("speed: %s of %s gives %d bytes of %d, %s"
                         % (variant, page.uri, len(body), size, state))

    def wrk(self, variant, source, page, uri, clients, seconds):
        command = ["wrk", "-t1", "-c%d" % clients, "-d%d" % seconds,
                   "--latency"]
        for field in self.fields(variant, page).items():
            command += ["-H", "%s: %s" % field]

        command.append("http://127.0.0.1:%d%s" % (
            self.ports[variant, source], uri))

        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def result(self, wrk):
        out, _ = wrk.communicate(timeout=60)
        if wrk.returncode != 0 or "Non-2xx" in out:
            sys.exit("speed: wrk: " + out)

        return out

    def restart(self, page):
        for nginx in self.nginx.values():
            nginx.stop()
            nginx.purge()
            nginx.start()

        self.learn()

        self.check(page, "file", VARIANTS)
        self.check(page, "new", VARIANTS)
        self.check(page, "cached", CACHED)

    def throughput(self):
        return [{"page": page.file, "bytes": len(page.body),
                 "dense": page.dense,
                 "cpu": self.alternate(ROWS, page, self.rounds),
                 "cut": 1 - len(self.get("strip", "file", page)[1])
                 / len(page.body)}
                for page in self.pages]

    def all_rates(self):
        """Measures three pages of middle size."""
        rows = [(p, s) for p in self.middle() for s in ("file", "new")]

        return [{"page": page.file, "source": source,
                 "rate": self.rates(source, page)} for page, source in rows]

    def middle(self):
        """Returns three pages; with "--page" they may be the same."""
        pages = [p for p in self.pages if not p.dense] or self.pages
        n = max(1, len(pages) // 2)

        return (3 * pages)[n - 1:n + 2]

    def rates(self, source, page):
        """Returns lists of requests per second that clients get, measured in
        turn."""
        rates = {v: [] for v in ("plain", "sub_filter 25", "gzip 1", "strip",
                                 "annotate")}

        for n in range(self.rounds // 2):
            for v in list(rates)[::-1 if n % 2 else 1]:
                out = self.result(self.wrk(v, source, page, page.uri,
                                           CLIENTS, 1))
                rates[v].append(float(RATE.search(out).group(1)))

        return rates

    def other(self):
        """Measures a file that is not a page, and a page that passes."""
        rows = [("file", v) for v in ("plain", "off", "strip")]
        rounds = 2 * self.rounds    # it is about one percent
        page = self.middle()[1]

        return {
            "text": self.alternate(rows, page, rounds, "/bench/1k.txt"),
            "no-transform": self.alternate(rows, page, rounds,
                                           "/bench/kept" + page.name())}

    def alternate(self, rows, page, rounds, uri=None):
        """Returns lists of CPU time per request, in short bursts in turn.

        What else the machine does changes from one tenth of a second to the
        next: bursts are shorter, and many.  Where a process happens to lie in
        memory makes some percent of difference: each block of bursts has new
        ones.
        """
        cpu = {row: [] for row in rows}

        for _ in range(rounds):
            self.restart(page)

            with contextlib.ExitStack() as stack:
                stack.enter_context(apart(*self.nginx.values()))
                bursts = {}
                for source, v in rows:
                    burst = Burst(self.ports[v, source], uri or page.uri,
                                  self.fields(v, page))
                    stack.callback(burst.close)
                    bursts[source, v] = self.nginx[VARIANTS[v][0]], burst

                times = {}
                for row, b in bursts.items():
                    self.burst(*b, 5)
                    times[row] = max(1, round(BURST / self.burst(*b, 3)
                                              / CLIENTS))

                for n in range(self.block):
                    for row in list(cpu)[::-1 if n % 2 else 1]:
                        cpu[row].append(self.burst(*bursts[row], times[row]))

        return cpu

    @staticmethod
    def burst(nginx, burst, times):
        cpu = nginx.cpu()
        burst.run(times)

        return (nginx.cpu() - cpu) / (times * CLIENTS)

    def template(self):
        """Returns the mean size of the templates in the zone, in bytes."""
        _, body = self.get("strip", "file", self.pages[0], "/bench/status")

        return mean(site["bytes"] for site in json.loads(body)["sites"])

    def first_byte(self):
        page = self.middle()[1]
        times = {v: {"first": [], "last": []} for v in
                 ("plain", "sub_filter", "off", "strip", "annotate")}

        for _ in range(self.rounds):
            for variant, t in times.items():
                first, last = self.timed(variant, page)
                t["first"].append(first)
                t["last"].append(last)

        return {"bytes": len(page.body), "pieces": PIECES,
                "pause": 1000 * PAUSE, "variants": times}

    def timed(self, variant, page):
        with socket.create_connection(
                ("127.0.0.1", self.ports[variant, "slow"]), 30) as s:
            start = time.monotonic()
            first = None
            s.sendall(b"GET %s HTTP/1.0\r\nHost: %s\r\n\r\n"
                      % (page.uri.encode(), page.host.encode()))
            data = b""

            while True:
                more = s.recv(65536)
                if not more:
                    break
                data += more
                if first is None and data.find(b"\r\n\r\n") not in (
                        -1, len(data) - 4):
                    first = time.monotonic() - start

        return first, time.monotonic() - start

    def waiting(self):
        page = self.pages[-1]
        times = {v: {"p50": [], "p99": []} for v in
                 ("plain", "sub_filter", "gzip 1", "off", "strip",
                  "strip + gzip 1")}

        for _ in range(self.rounds // 2):
            for variant, t in times.items():
                big = self.wrk(variant, "file", page, "/bench/big.html", 4, 3)
                out = self.result(self.wrk(variant, "file", page,
                                           "/bench/1k.txt", 1, 2))
                self.result(big)
                for p in t:
                    t[p].append(latency(out, p[1:]))

        return {"bytes": len(self.big), "clients": 4, "variants": times}

    def slow_clients(self):
        page = self.pages[-1]
        n = 200 if self.quick else 1000
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE,
                           (max(limit[0], min(4096, limit[1])), limit[1]))

        rows = []
        for source in ("file", "cache", "gzip"):
            growth = {v: self.growth(v, "stuck " + source, page, n) for v in
                      (("off", "strip") if source == "gzip" else
                       ("plain", "sub_filter", "gzip 1", "off", "strip",
                        "strip + gzip 1"))}
            rows.append({"source": source, "growth": growth})

        return {"bytes": len(page.body), "clients": n, "rows": rows}

    def growth(self, variant, source, page, n):
        """Measures a new worker from its first request on."""
        self.restart(page)
        nginx = self.nginx[VARIANTS[variant][0]]
        before = nginx.memory()
        data = request(page.uri, self.fields(variant, page))

        with contextlib.ExitStack() as stack:
            for _ in range(n):
                s = stack.enter_context(socket.socket())
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                s.settimeout(30)
                s.connect(("127.0.0.1", self.ports[variant, source]))
                s.sendall(data)

            for _ in range(100):
                cpu = nginx.cpu()
                time.sleep(0.2)
                if nginx.cpu() - cpu < 0.002:
                    break

            return nginx.memory() - before


def latency(out, percent):
    m = re.search(r"\b%s%%\s+([\d.]+)(us|ms|s|m)\b" % percent, out)

    return float(m.group(1)) * {"us": 1e-6, "ms": 1e-3, "s": 1,
                                "m": 60}[m.group(2)]


def measure(found, module, quick):
    """found: root, URL and file of each page, and whether its tags are dense;
    the last is the largest."""
    if not os.path.exists(module):
        sys.exit("speed: %s is not here: run make" % module)

    work = tempfile.mkdtemp(prefix="detemplate-speed-")
    os.chmod(work, 0o755)

    try:
        with Bench(found, module, quick, work) as bench:
            bench.learn()

            return {"pages": bench.throughput(), "rates": bench.all_rates(),
                    "template": bench.template(),
                    "sites": speed_sites.measure(bench),
                    "other": bench.other(),
                    "ttfb": bench.first_byte(), "wait": bench.waiting(),
                    "slow": bench.slow_clients()}
    finally:
        shutil.rmtree(work, ignore_errors=True)
