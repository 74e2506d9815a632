# Copyright (C) The detemplate authors
"""The soak's clients, which send requests all the time and check each body."""

import asyncio
import contextlib
import random
import time
from collections import Counter

import soak_pages as pages
from soak_servers import SITES

TIMEOUT = 20


class Ended(Exception):
    """The response ended too early."""


class Answer:
    def __init__(self):
        self.status = 0
        self.fields = {}
        self.raw = b""
        self.whole = False

    @property
    def body(self):
        if self.fields.get("content-encoding") != "gzip":
            return self.raw
        return pages.inflated(self.raw)


class Connection:
    """One connection, which is opened when it is needed."""

    def __init__(self, port):
        self.port = port
        self.writer = None
        self.used = 0

    def close(self):
        if self.writer:
            self.writer.transport.abort()
            self.writer = None
        self.used = 0

    async def ask(self, lines, answer, stop=None):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=65536)
        self.used += 1
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *rest = head.split("\r\n")
        answer.status = int(first.split(" ")[1])
        answer.fields = {n.lower(): v for n, _, v in
                         (line.partition(": ") for line in rest if line)}

        if stop:
            await stop(self)

        if (lines[0].startswith("HEAD") or answer.status in (204, 304)):
            answer.whole = True
        elif answer.fields.get("transfer-encoding") == "chunked":
            await self.chunks(answer)
        elif "content-length" in answer.fields:
            await self.take(answer, int(answer.fields["content-length"]))
            answer.whole = True
        elif lines[0].endswith("HTTP/1.0"):
            while got := await self.reader.read(65536):
                answer.raw += got
            answer.whole = True
        else:
            raise Ended("no length")

        if answer.fields.get("connection") == "close":
            self.close()

    async def take(self, answer, n):
        while n:
            got = await self.reader.read(min(n, 65536))
            if not got:
                raise Ended
            answer.raw += got
            n -= len(got)

    async def chunks(self, answer):
        while True:
            line = await self.reader.readuntil(b"\r\n")
            n = int(line, 16)
            await self.take(answer, n)
            await self.reader.readexactly(2)
            if n == 0:
                answer.whole = True
                return


class Clients:
    """Counts the requests and their results."""

    def __init__(self, servers, seed):
        self.servers = servers
        self.rng = random.Random(seed)
        self.count = Counter()
        self.failed = []        # (from, to, what, where)
        self.wrong = []
        self.tags = {}
        self.two = []
        self.going = asyncio.Event()
        self.going.set()
        self.busy = 0
        self.ended = False

    async def run(self, n):
        await asyncio.gather(*(self.client() for _ in range(n)))

    async def client(self):
        conn = Connection(self.servers.port)

        while not self.ended:
            if not self.going.is_set():
                conn.close()
                await self.going.wait()
                continue
            self.busy += 1
            try:
                await self.one(conn)
            finally:
                self.busy -= 1

        conn.close()

    async def quiet(self):
        """Stops new requests, and waits for the present ones."""
        self.going.clear()
        while self.busy:
            await asyncio.sleep(0.05)

    def what(self):
        rng = self.rng
        host = rng.choice(SITES)
        name = "p%d" % rng.randint(1, pages.PAGES)

        if host == "lies.test" and rng.random() < 0.5:
            name = rng.choice(pages.LIES)
            if name == "bomb" and rng.random() < 0.9:
                name = "p1"
        elif rng.random() < 0.05:
            name = "big"

        return host, "/%s.html" % name

    async def one(self, conn):
        rng = self.rng
        host, path = self.what()
        dice = rng.random()
        method = "HEAD" if dice < 0.05 else "GET"
        version = "1.0" if rng.random() < 0.1 else "1.1"
        lines = ["%s %s HTTP/%s" % (method, path, version), "Host: " + host]
        stop = None

        if version == "1.0":
            self.count["requests by HTTP/1.0"] += 1
            conn.close()

        if host == "packed.test" and rng.random() < 0.7:
            lines.append("Accept-Encoding: gzip")
        if 0.05 <= dice < 0.15 and (host, path) in self.tags:
            tag = rng.choice(list(self.tags[host, path]))
            lines.append("If-None-Match: " + tag)
        elif 0.15 <= dice < 0.18:
            stop = self.stop
        elif 0.18 <= dice < 0.2:
            stop = self.abort

        if rng.random() < 0.2:
            conn.close()

        await self.ask(conn, host, path, lines, stop)

    async def stop(self, conn):
        """Reads a part, pauses, and reads the rest."""
        self.count["readers that stopped"] += 1
        conn.writer.transport.pause_reading()
        await asyncio.sleep(self.rng.uniform(0.5, 4))
        with contextlib.suppress(RuntimeError):
            conn.writer.transport.resume_reading()

    async def abort(self, conn):
        """Reads a part, and disconnects."""
        conn.close()
        raise asyncio.CancelledError

    async def ask(self, conn, host, path, lines, stop=None):
        """Sends a request; again if a kept-alive connection is closed before
        the response, as clients do."""
        for _ in range(2):
            answer, again, start = Answer(), conn.used > 0, time.monotonic()
            self.count["requests"] += 1
            try:
                await asyncio.wait_for(conn.ask(lines, answer, stop), TIMEOUT)
            except asyncio.CancelledError:
                self.count["readers that went away"] += 1
                return answer
            except (OSError, Ended, asyncio.IncompleteReadError,
                    asyncio.TimeoutError) as e:
                conn.close()
                if again and answer.status == 0:
                    self.count["asked again on a new connection"] += 1
                    continue
                self.fail(host, path, answer, start, e)
                return answer

            self.check(host, path, lines, answer, start)
            return answer

        return answer

    def lie(self, host, path, names):
        return host == "lies.test" and path[1:].partition(".")[0] in names

    def fail(self, host, path, answer, start, e):
        variant = int(answer.fields.get("x-variant", 0))

        if answer.raw and not pages.begins(host, path, variant, answer.body):
            self.wrong.append((host + path, "ended early, of another page"))

        if self.lie(host, path, pages.BROKEN):
            self.count["early ends of broken pages"] += 1
            return

        what = (type(e).__name__ if answer.status == 0 else
                "%d, ended early: %s" % (answer.status, type(e).__name__))
        self.failed.append((start, time.monotonic(), what, host + path))

    def check(self, host, path, lines, answer, start):
        self.count["status %d" % answer.status] += 1
        said = answer.fields.get("detemplate", "")
        variant = int(answer.fields.get("x-variant", 0))

        # an error page of nginx itself, not of the origin

        if answer.status >= 500 and "x-variant" not in answer.fields:
            if not self.lie(host, path, pages.BROKEN):
                self.failed.append((start, time.monotonic(),
                                    "status %d" % answer.status, host + path))
            return

        if answer.status not in (200, 304, 500):
            self.wrong.append((host + path, "status %d" % answer.status))
            return

        self.count[(said.partition(";")[0] or "no field")] += 1

        if lines[0].startswith("HEAD") or answer.status == 304:
            return

        body = answer.body
        self.count["bodies checked"] += 1
        why = pages.right(host, path, variant, body, said)

        # a rewritten page without a length must not end like a whole one

        if (why and said.startswith(("hit", "stale")) and lines[0].endswith(
                "HTTP/1.0") and self.lie(host, path, pages.PARTS)):
            self.wrong.append((host + path, "a part, as if whole; " + said))
            return

        if why and not (self.lie(host, path, pages.BROKEN)
                        and pages.begins(host, path, variant, body)):
            self.wrong.append((host + path, why + "; " + said))

        self.tagged(host, path, answer, body)

    def tagged(self, host, path, answer, body):
        """Checks that an entity tag names only one body."""
        tag = answer.fields.get("etag")

        if not tag or self.lie(host, path, pages.LIES):
            return

        known = self.tags.setdefault((host, path), {})

        if known.setdefault(tag, hash(body)) != hash(body):
            self.two.append((host + path, tag, answer.fields.get(
                "detemplate", "")))
