# Copyright (C) The detemplate authors
"""The soak's servers: an origin that also lies, nginx with the
module, and a Redis; all on free ports of the loopback, in a folder of their
own, stopped by process id."""

import asyncio
import contextlib
import glob
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time

import soak_pages as pages

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

SITES = ("static.test", "proxy.test", "cache.test", "marks.test", "gzip.test",
         "packed.test", "design.test", "lies.test")

PARTS = 8  # of a worker's files of rewritten pages, at the most

CONF = """
load_module {module};
worker_processes 2;
worker_shutdown_timeout 15s;
pid {dir}/nginx.pid;
error_log {dir}/error.log info;
env LD_PRELOAD;
env ASAN_OPTIONS;
events {{ worker_connections 512; }}

http {{
    client_body_temp_path {dir}/client_temp;
    proxy_temp_path {dir}/proxy_temp;
    fastcgi_temp_path {dir}/fastcgi_temp;
    uwsgi_temp_path {dir}/uwsgi_temp;
    scgi_temp_path {dir}/scgi_temp;
    proxy_cache_path {dir}/cache keys_zone=cache:1m max_size=4m;

    access_log off;
    types {{ text/html html; }}
    default_type text/html;
    keepalive_requests 200;
    send_timeout 10s;
    server_names_hash_max_size 2048;

    proxy_http_version 1.1;
    proxy_read_timeout 2s;
    proxy_set_header Host $host;
    proxy_next_upstream off;
    proxy_buffers 4 4k;
    proxy_buffer_size 4k;
    proxy_busy_buffers_size 8k;

    detemplate_zone soak:{zone};
    detemplate_path {dir}/templates;
    detemplate_redis redis://127.0.0.1:{redis}/0 timeout=200ms;
    detemplate_program {dir}/learner;
    detemplate_learners 2;
    detemplate_valid 90s;
    detemplate_refresh 15s;
    detemplate strip;

    server {{
        listen 127.0.0.1:{port} backlog=2048;
        server_name static.test;
        root {dir}/html/static.test;
        sendfile on;
        location = /status {{
            detemplate off;
            detemplate_status;
        }}
    }}
    server {{
        listen 127.0.0.1:{port};
        server_name proxy.test gzip.test design.test lies.test;
        detemplate_site $host;
        location / {{ proxy_pass http://127.0.0.1:{origin}; }}
    }}
    server {{
        listen 127.0.0.1:{port};
        server_name cache.test;
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_cache cache;
            proxy_cache_valid 200 10s;
            proxy_cache_revalidate on;
        }}
    }}
    server {{
        listen 127.0.0.1:{port};
        server_name marks.test;
        detemplate annotate;
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_buffering off;
        }}
    }}
    server {{
        listen 127.0.0.1:{port};
        server_name packed.test;
        root {dir}/html/packed.test;
        gzip on;
        gzip_min_length 1;
    }}
    server {{
        listen 127.0.0.1:{port};
        server_name {fill};
        root {dir}/html/fill.test;
        detemplate_site $host;
        detemplate_wait 300ms;
    }}
}}
"""

LEARNER = """#!/bin/sh
export LD_PRELOAD={dir}/ahead.so
exec {program} "$@"
"""


def free_ports(n):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()

    return ports


def reachable(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


async def until(what, seconds):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)

    return True


class Origin:
    """Serves the pages of all sites; those of lies.test lie by their names."""

    def __init__(self, port):
        self.port = port
        self.asked = 0

    def main(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.client, "127.0.0.1",
                                            self.port, backlog=1024)
        async with server:
            await server.serve_forever()

    async def client(self, reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.TimeoutError,
                                 asyncio.IncompleteReadError, OSError):
            while True:
                head = await asyncio.wait_for(
                    reader.readuntil(b"\r\n\r\n"), 10)
                if not await self.answer(head.decode("latin-1"), writer):
                    break
        writer.close()

    async def answer(self, head, writer):
        method, path = head.split(" ", 2)[:2]
        fields = dict(line.lower().split(": ", 1)
                      for line in head.split("\r\n")[1:] if ": " in line)
        host = fields.get("host", "")
        name = path.strip("/").partition(".")[0]
        lie = name if host == "lies.test" and name in pages.LIES else ""
        variant = 0

        if host == "design.test":
            variant = int(time.time() / pages.DESIGN)
        elif lie == "tag":
            self.asked += 1
            variant = self.asked

        body = "".join(
            p for _, p in pages.parts(host, path, variant)).encode()
        tag = '"always"' if lie == "tag" else pages.tag(body)
        out = ["HTTP/1.1 200 OK", "Content-Type: text/html", "ETag: " + tag,
               "X-Variant: %d" % variant]

        if lie == "error":
            out[0] = "HTTP/1.1 500 No"
        elif fields.get("if-none-match") == tag:
            writer.write(("HTTP/1.1 304 Not\r\n%s\r\n\r\n"
                          % "\r\n".join(out[2:])).encode())
            await writer.drain()
            return True

        if host == "gzip.test" or lie in ("garbage", "cut", "bomb"):
            body = (pages.garbage(body) if lie == "garbage"
                    else pages.packed(body))
            body = body[:-40] if lie == "cut" else body
            out.append("Content-Encoding: gzip")

        if lie == "binary":
            out.append("Content-Encoding: identity")

        chunked = lie == "chunk"
        out.append("Transfer-Encoding: chunked" if chunked
                   else "Content-Length: %d" % (len(body)
                                                + 100 * (lie == "short")))
        writer.write(("\r\n".join(out) + "\r\n\r\n").encode())

        if method == "HEAD":
            return True

        return await self.body(lie, body, writer)

    async def body(self, lie, body, writer):
        half = len(body) // 2

        if lie in ("stall", "reset"):
            writer.write(body[:half])
            await writer.drain()
            if lie == "stall":
                await asyncio.sleep(4)
            writer.transport.abort()
            return False

        if lie == "chunk":
            writer.write(b"%x\r\n%s" % (len(body), body[:half]))
            await writer.drain()
            return False

        if lie == "slow":
            for at in range(0, len(body), 97):
                writer.write(body[at:at + 97])
                await writer.drain()
                await asyncio.sleep(0.005)
            return True

        writer.write(body)
        await writer.drain()

        return lie != "short"


class Servers:
    """Starts the servers on entry and stops them on exit; counts processes
    that remain."""

    def __init__(self, work, zone):
        self.dir = work
        self.zone = zone
        self.port, self.origin, self.redis_port = free_ports(3)
        self.nginx = os.environ.get("TEST_NGINX_BINARY", "/usr/sbin/nginx")
        self.module = os.path.abspath(os.environ.get(
            "TEST_NGINX_MODULE", os.path.join(
                TOP, "build", "ngx_http_detemplate_filter_module.so")))
        self.program = os.path.abspath(os.environ.get(
            "DETEMPLATE", os.path.join(os.path.dirname(self.module),
                                       "detemplate")))
        self.session = 0
        self.redis = None
        self.child = None
        self.mounted = False

        for f in (self.module, self.program):
            if not os.path.exists(f):
                sys.exit("soak: %s is not here: run make" % f)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name) + ".new", "w") as f:
            f.write(content)
        os.rename(self.path(name) + ".new", self.path(name))

    def __enter__(self):
        try:
            self.files()
            self.child = multiprocessing.get_context("fork").Process(
                target=Origin(self.origin).main)
            self.child.start()
            self.start_redis()
            self.start_nginx()
        except BaseException:
            self.__exit__()
            raise

        return self

    def __exit__(self, *_):
        if self.session:
            self.stop_nginx()
        if self.redis:
            self.redis.kill()
            self.redis.wait()
        if self.child and self.child.is_alive():
            self.child.terminate()
            self.child.join()
        if self.mounted:
            subprocess.call(["umount", "-l", self.path("templates")])

    def files(self):
        os.chmod(self.dir, 0o755)
        os.mkdir(self.path("templates"))
        os.chmod(self.path("templates"), 0o777)
        self.mounted = os.getuid() == 0 and subprocess.call(
            ["mount", "-t", "tmpfs", "-o", "size=2m,mode=777", "none",
             self.path("templates")], stderr=subprocess.DEVNULL) == 0

        for host in ("static.test", "packed.test", "fill.test"):
            for name in ["p%d" % (i + 1) for i in range(pages.PAGES)] + [
                    "big"]:
                self.write("html/%s/%s.html" % (host, name),
                           pages.page(host, "/%s.html" % name).decode())

        self.write("ahead", "0")
        self.write("learner", LEARNER.format(dir=self.dir,
                                             program=self.program))
        os.chmod(self.path("learner"), 0o755)
        subprocess.check_call(
            ["cc", "-shared", "-fPIC", '-DAHEAD="%s"' % self.path("ahead"),
             "-o", self.path("ahead.so"),
             os.path.join(TOP, "t", "lib", "ahead.c")])
        self.write("nginx.conf", CONF.format(
            dir=self.dir, module=self.module, port=self.port, zone=self.zone,
            origin=self.origin, redis=self.redis_port,
            fill=" ".join("f%d.test" % i for i in range(pages.FILL))))

    def start_redis(self):
        self.redis = subprocess.Popen(
            ["redis-server", "--port", str(self.redis_port), "--bind",
             "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
             self.dir], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait(self.redis_port)

    def start_nginx(self):
        subprocess.check_call(
            [self.nginx, "-p", self.dir + "/", "-c", self.path("nginx.conf"),
             "-e", self.path("error.log")],
            env=dict(os.environ, LD_PRELOAD=self.path("ahead.so"),
                     ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "")
                     + ":verify_asan_link_order=0"),
            stderr=open(self.path("stderr.log"), "w"))
        self.wait(self.port)
        self.session = self.master()

    def wait(self, port):
        for _ in range(100):
            if reachable(port):
                return
            time.sleep(0.1)
        sys.exit("soak: nothing listens at port %d" % port)

    def master(self):
        """Returns the process id in the file, or 0."""
        with contextlib.suppress(OSError, ValueError):
            with open(self.path("nginx.pid")) as f:
                return int(f.read())

        return 0

    def processes(self):
        """Returns the processes of nginx's session, {pid: (name, parent)}, the
        oldest first."""
        found = {}

        for stat in glob.glob("/proc/[0-9]*/stat"):
            with contextlib.suppress(OSError, IndexError):
                pid = int(stat.split("/")[2])
                with open(stat) as f:
                    rest = f.read().rpartition(")")[2].split()
                if int(rest[3]) == self.session and rest[0] != "Z":
                    found[int(rest[19]), pid] = (title(pid), int(rest[1]))

        return {pid: found[at, pid] for at, pid in sorted(found)}

    def named(self, name):
        """Returns the children of the present master, oldest first, and all
        learners and links."""
        master = self.master()

        return [p for p, (n, parent) in self.processes().items()
                if n == name and (parent == master
                                  or name in ("learner", "link"))]

    def measure(self, pid):
        """Private memory in KB and open descriptors of a process, less one
        for a connection to Redis and eight for files of rewritten pages,
        which are made when they are needed, or None."""
        with contextlib.suppress(OSError, StopIteration):
            with open("/proc/%d/status" % pid) as f:
                rss = next(int(line.split()[1]) for line in f
                           if line.startswith("RssAnon:"))
            fds = [target(pid, fd) for fd in os.listdir("/proc/%d/fd" % pid)]
            kept = connected(self.redis_port)
            files = sum("memfd:detemplate" in (f or "") for f in fds)

            return rss, (len(fds) - any(f in kept for f in fds)
                         - min(files, PARTS))

        return None

    def stop_nginx(self):
        """Stops the masters.  Kills and returns the processes that still run
        ten seconds later."""
        if not self.session:
            return []

        for pid, (name, _) in self.processes().items():
            if name == "master":
                os.kill(pid, signal.SIGQUIT)

        for _ in range(300):
            left = self.processes()
            if not left:
                break
            time.sleep(0.1)

        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

        self.session = 0

        return sorted(name for name, _ in left.values())


def title(pid):
    with open("/proc/%d/cmdline" % pid, "rb") as f:
        line = f.read()

    for name in (b"master", b"worker", b"cache manager", b"cache loader"):
        if line.startswith(b"nginx: " + name):
            return name.decode()

    for name in ("learner", "link"):
        if b"\0%s\0" % name.encode() in line:
            return name

    return "other"


def connected(port):
    """Returns the sockets connected to a port, as named in /proc/PID/fd."""
    with open("/proc/net/tcp") as f:
        rows = [line.split() for line in f]

    return {"socket:[%s]" % r[9] for r in rows[1:]
            if r[2].endswith(":%04X" % port)}


def target(pid, fd):
    with contextlib.suppress(OSError):
        return os.readlink("/proc/%d/fd/%s" % (pid, fd))
