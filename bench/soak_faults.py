# Copyright (C) The detemplate authors
"""The soak's faults: what each does, when it ran, and which errors it
excuses."""

import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
import time
from collections import Counter, namedtuple

import soak_pages as pages
from soak_client import Answer, Connection
from soak_servers import SITES, until

CROWD = 100

Fault = namedtuple("Fault", "run replaces excuses")

# lines of the log that only faults cause
PROVOKED = (
    ("worker process N exited on signal N", "worker killed"),
    ("cache manager process N exited on signal N", "manager killed"),
    ("Cannot allocate memory", "memory limit"),
    ("Too many open files", "descriptor limit"),
)


class Faults:
    def __init__(self, servers, clients, rng):
        self.servers = servers
        self.clients = clients
        self.rng = rng
        self.count = Counter()
        self.windows = []       # (name, from, to)
        self.lost = []          # what did not come back
        self.status = {}

    async def happen(self, name):
        start = time.monotonic()
        done = await FAULTS[name].run(self)
        if done is not False:
            self.count[name] += 1
            self.windows.append((name, start, time.monotonic()))

    def reason(self, start, end):
        """Returns the fault that explains a failed request."""
        for name, t0, t1 in self.windows:
            if FAULTS[name].excuses and start <= t1 + 0.5 and end >= t0:
                return name

        return None

    def provoked(self, text):
        return next((name for part, name in PROVOKED
                     if part in text and self.count[name]), None)

    # nginx

    async def reload(self):
        pid = self.servers.master()
        before = self.servers.named("worker")
        os.kill(pid, signal.SIGHUP)
        await self.expect("reload: no new workers", lambda: any(
            p not in before for p in self.servers.named("worker")))

    async def upgrade(self):
        old = self.servers.master()
        os.kill(old, signal.SIGUSR2)
        if await self.expect("upgrade: no new master", lambda:
                             self.servers.master() not in (0, old)
                             and self.servers.named("worker")):
            os.kill(old, signal.SIGQUIT)
            await self.expect("upgrade: the old master stays", lambda:
                              old not in self.servers.processes(), 30)

    async def expect(self, said, what, seconds=10):
        if await until(what, seconds):
            return True
        self.lost.append(said)

        return False

    async def kill(self, name, which=-1):
        found = self.servers.named(name)
        if not found or which >= len(found):
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(found[which], signal.SIGKILL)

        return True

    async def worker(self):
        """Kills a worker, but not the oldest, which is measured."""
        if len(self.servers.named("worker")) < 2:
            return False
        await self.kill("worker")
        await self.expect("worker killed: no other", lambda:
                          len(self.servers.named("worker")) >= 2)

    async def manager(self):
        if not await self.kill("cache manager"):
            return False
        await self.expect("manager killed: no other", lambda:
                          self.servers.named("cache manager"))

    async def learner(self):
        """Kills a learner; sites are waiting, so one starts soon."""
        asking = asyncio.ensure_future(self.fill(8))
        killed = await until(lambda: self.servers.named("learner"), 3)
        killed = killed and await self.kill("learner")
        await asking

        return killed

    # the system

    async def disk(self):
        if not self.servers.mounted:
            return False
        name = self.servers.path("templates/full")
        with contextlib.suppress(OSError), open(name, "wb", 0) as f:
            while True:
                f.write(bytes(4096))
        await self.fill(10)
        await asyncio.sleep(2)
        os.unlink(name)

    async def zone(self):
        await self.fill(pages.FILL)

    async def fill(self, n):
        """Requests pages of unknown sites, which fill the zone."""
        conn = Connection(self.servers.port)
        for i in self.rng.sample(range(pages.FILL), n):
            host = "f%d.test" % i
            path = "/p%d.html" % self.rng.randint(1, pages.PAGES)
            answer = Answer()
            with contextlib.suppress(OSError, EOFError, Exception):
                await asyncio.wait_for(conn.ask(
                    ["GET %s HTTP/1.1" % path, "Host: " + host], answer), 5)
                self.clients.count["requests of sites to fill"] += 1
                why = pages.right("fill.test", path, 0, answer.body,
                                  answer.fields.get("detemplate", ""))
                if answer.whole and answer.status == 200 and why:
                    self.clients.wrong.append((host + path, why))
            if not answer.whole:
                conn.close()
        conn.close()

    async def crowd(self, n):
        """Sends many requests for large pages, and reads them late."""
        async def one():
            conn = Connection(self.servers.port)
            await self.clients.ask(
                conn, "gzip.test", "/big.html",
                ["GET /big.html HTTP/1.1", "Host: gzip.test"],
                self.clients.stop)
            conn.close()

        await asyncio.gather(*(one() for _ in range(n)))

    async def limit(self, what, much):
        """Limits each worker in turn to much."""
        crowd = asyncio.ensure_future(self.crowd(CROWD))
        for pid in self.servers.named("worker"):
            if set_limit(pid, what, much(pid)):
                await asyncio.sleep(2)
                set_limit(pid, what, None)

        await crowd

    async def descriptors(self):
        await self.limit("nofile", lambda pid: max(
            int(n) for n in os.listdir("/proc/%d/fd" % pid)) - 4)

    async def memory(self):
        def much(pid):
            with open("/proc/%d/statm" % pid) as f:
                return int(f.read().split()[0]) * resource.getpagesize()

        await self.limit("as", much)

    async def clock(self):
        """Sets the clock an hour ahead, a day ahead, and back."""
        for seconds in (3500, 86400, 0):
            self.servers.write("ahead", str(seconds))
            await asyncio.sleep(1.5)

    # Redis

    async def redis_stops(self):
        os.kill(self.servers.redis.pid, signal.SIGSTOP)
        await self.fill(6)
        await asyncio.sleep(1)
        os.kill(self.servers.redis.pid, signal.SIGCONT)

    async def redis_dies(self):
        self.servers.redis.kill()
        self.servers.redis.wait()
        await self.fill(6)
        self.servers.start_redis()

    async def link_dies(self):
        if not await self.kill("link"):
            return False
        await self.fill(6)
        await self.expect("link killed: no other", lambda:
                          self.servers.named("link"))

    async def link_stops(self):
        for pid in self.servers.named("link"):
            os.kill(pid, signal.SIGSTOP)
        await self.fill(6)
        await self.expect("link stopped: no other", lambda: any(
            state(pid) != "T" for pid in self.servers.named("link")), 25)

    async def redis_lies(self):
        """Empties Redis, and adds keys of another type."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.servers.redis_port)
        writer.write(b"KEYS *\r\n")
        await asyncio.sleep(0.2)
        keys = [k for k in (await reader.read(1 << 20)).split(b"\r\n")
                if k and k[:1] not in b"*$"]
        writer.write(b"FLUSHALL\r\n" + b"".join(
            b"RPUSH %s x\r\n" % k for k in keys))
        await writer.drain()
        await self.fill(6)
        writer.write(b"FLUSHALL\r\n")
        await writer.drain()
        writer.close()

    # the end of the run

    async def settle(self):
        """Waits until nothing is running: stalled origins have ended."""
        await asyncio.sleep(5)
        await until(lambda: not self.servers.named("learner"), 40)

    async def recovered(self):
        """Checks that each site is served without its template again."""
        missing = set(SITES)
        conn = Connection(self.servers.port)
        end = time.monotonic() + 60

        while missing and time.monotonic() < end:
            for host in sorted(missing):
                answer = Answer()
                with contextlib.suppress(OSError, EOFError):
                    await conn.ask(["GET /p3.html HTTP/1.1", "Host: " + host],
                                   answer)
                if answer.fields.get("detemplate", "").startswith("hit"):
                    missing.discard(host)
            await asyncio.sleep(0.2)

        self.status = await self.told(conn)
        conn.close()

        if self.count["zone full"] and not self.status["zone"]["evicted"]:
            self.lost.append("the zone was not full")
        for host in missing:
            self.lost.append("%s is not served without its template any more"
                             % host)

    async def told(self, conn):
        answer = Answer()
        await conn.ask(["GET /status?format=json HTTP/1.1",
                        "Host: static.test"], answer)

        return json.loads(answer.body)


def state(pid):
    with contextlib.suppress(OSError, IndexError), \
            open("/proc/%d/stat" % pid) as f:
        return f.read().rpartition(")")[2].split()[0]

    return "T"


def set_limit(pid, what, much):
    """Sets a soft limit of a process (None: to its hard limit), as its own
    user, which needs no privileges."""
    with contextlib.suppress(FileNotFoundError):
        info = os.stat("/proc/%d" % pid)
        ids = ({"user": info.st_uid, "group": info.st_gid,
                "extra_groups": []} if os.getuid() == 0 else {})
        hard = subprocess.check_output(
            ["prlimit", "--pid", str(pid), "--" + what, "-o", "HARD",
             "--noheadings"], text=True, **ids).strip()
        subprocess.check_call(["prlimit", "--pid", str(pid), "--%s=%s:" % (
            what, hard if much is None else much)], **ids)

        return True

    return False


# requests may fail while these happen
FAULTS = {
    "reload": Fault(Faults.reload, True, False),
    "upgrade": Fault(Faults.upgrade, True, False),
    "worker killed": Fault(Faults.worker, False, True),
    "manager killed": Fault(Faults.manager, True, False),
    "learner killed": Fault(Faults.learner, False, False),
    "disk full": Fault(Faults.disk, False, False),
    "zone full": Fault(Faults.zone, False, False),
    "descriptor limit": Fault(Faults.descriptors, False, True),
    "memory limit": Fault(Faults.memory, False, True),
    "clock jumps": Fault(Faults.clock, False, False),
    "Redis stops": Fault(Faults.redis_stops, False, False),
    "Redis dies": Fault(Faults.redis_dies, False, False),
    "link killed": Fault(Faults.link_dies, False, False),
    "link stopped": Fault(Faults.link_stops, False, False),
    "Redis lies": Fault(Faults.redis_lies, False, False),
}
