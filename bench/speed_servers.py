# Copyright (C) The detemplate authors
"""The servers of the speed bench.

Two nginxes of one worker each: one without the module, whose files are also
the origin of what is proxied, and one with it.  Every variant has a port of
its own for each source of pages, every site a server of its own there.  And
an origin that is slow.
"""

import contextlib
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

NGINX = os.environ.get("TEST_NGINX_BINARY", "/usr/sbin/nginx")
PAUSE = 0.02
PIECES = 10
CLIENTS = 8
STARTING = 60
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n")

# the variants: with or without the module, and in which mode
VARIANTS = {
    "plain": ("plain", ""),
    "sub_filter": ("plain", "sub_filter '</head>' '<!-- end --></head>';"
                   "sub_filter_once off;"),
    "sub_filter 25": ("plain", "sub_filter '<!-- no page has this -->' '';"
                      "sub_filter_once off;"),
    "gzip 1": ("plain", "gzip on; gzip_comp_level 1;"),
    "gzip 6": ("plain", "gzip on; gzip_comp_level 6;"),
    "off": ("module", "detemplate off;"),
    "strip": ("module", "detemplate strip;"),
    "selectors": ("module", "detemplate strip; detemplate_keep aside.promo"
                  " .share-buttons '#cookie-banner' [role=note]"
                  " '.sidebar .ad'; detemplate_force a.headerlink .newsletter"
                  " div.print-only 'footer .legal' .toc;"),
    "annotate": ("module", "detemplate annotate;"),
    "markdown": ("module", "detemplate markdown;"),
    "strip + gzip 1": ("module", "detemplate strip;"
                       "gzip on; gzip_comp_level 1;"),
}

FILE = "alias \"{root}/\"; error_page 404 = @html;"
CACHE = ("proxy_pass http://127.0.0.1:{origin}; proxy_cache cache;"
         "proxy_cache_valid 200 1h; proxy_cache_key $host$uri;"
         "proxy_set_header Host $host;")

# Where pages come from.  "new" is an application's page, which has neither
# ETag nor Last-Modified.  "stuck" leaves little room in the kernel's buffers,
# "stuck gzip" is a cache whose pages are compressed.  "cached" is a server of
# its own in front of the variant's server, as in conf-examples/cached.conf: it
# keeps what the variant has made of the page.
SOURCES = {
    "file": FILE,
    "new": CACHE + "proxy_hide_header ETag; proxy_hide_header Last-Modified;",
    "cached": "proxy_pass http://127.0.0.1:{own}; proxy_cache cache;"
              "proxy_cache_valid 200 1m; proxy_cache_revalidate on;"
              "proxy_cache_lock on; add_header X-Cache $upstream_cache_status;"
              "proxy_cache_key \"$host$request_uri $server_port\";"
              "proxy_set_header Host $host;",
    "stuck file": FILE,
    "stuck cache": CACHE,
    "stuck gzip": CACHE.replace("{origin}", "{zipped}")
                       .replace("$uri", "$uri.gz")
                  + "proxy_http_version 1.1;"
                    "proxy_set_header Accept-Encoding gzip;",
    "slow": "proxy_pass http://127.0.0.1:{slow}; proxy_buffering off;"
            "proxy_set_header Host $host;",
}

CONF = """
{load}
{user}
daemon off;
worker_processes 1;
worker_rlimit_nofile 10000;
pid {dir}/pid;
error_log {dir}/error.log;
events {{ worker_connections 4096; }}
http {{
    {temp}
    types {{ text/html html; }}
    default_type text/plain;
    access_log off;
    sendfile on;
    keepalive_requests 100000000;
    send_timeout 120s;
    server_names_hash_bucket_size 128;
    proxy_cache_path {dir}/cache keys_zone=cache:4m;
    {zone}
    {servers}
}}
"""

ZONE = "detemplate_zone templates:64m; detemplate_path {dir}/templates;"

SERVER = """
    server {{
        listen 127.0.0.1:{port}{sndbuf};
        server_name {host};
        {variant}
        location {path} {{ {source} }}
        location @html {{ root {work}/{host}; rewrite (.*) $1.html break; }}
        location = /bench/big.html {{ alias {work}/big.html; }}
        location = /bench/1k.txt {{ alias {work}/1k.txt; }}
        location /bench/kept/ {{
            alias {work}/{host}/;
            add_header Cache-Control no-transform;
        }}
        {status}
    }}
"""

STATUS = """
        detemplate_site {host};
        location = /bench/status {{ detemplate_status; }}
"""


class Page:
    def __init__(self, root, url, file, dense):
        url = urllib.parse.urlsplit(url)
        self.root = os.path.realpath(root)
        self.host = url.hostname
        self.path = url.path
        self.file = file
        self.dense = dense

        with open(os.path.join(root, file), "rb") as f:
            self.body = f.read()

        # X/index.html is requested as X/
        self.uri = re.sub(r"(^|/)index\.html$", r"\1", self.name())

    def name(self):
        """Returns the URI that names the file itself."""
        return self.path + urllib.parse.quote(self.file)

    def link(self, work):
        """Writes its files by their URLs, below the name of the host."""
        path = os.path.join(work, self.host) + self.path.rstrip("/")
        if not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(self.root, path)


class Server:
    """An nginx with one worker, which is stopped by its process id."""

    def __init__(self, name, work, ports):
        self.dir = os.path.join(work, name)
        self.ports = ports
        self.child = None
        self.user = ""
        os.mkdir(self.dir)

        if os.getuid() == 0:
            owner = pwd.getpwnam("www-data")
            self.user = "user %s;" % owner.pw_name
            self.own(self.dir)

    @staticmethod
    def own(path):
        """Gives a file to the workers' user."""
        if os.getuid() == 0:
            owner = pwd.getpwnam("www-data")
            os.chown(path, owner.pw_uid, owner.pw_gid)

    def write(self, module, zone, servers):
        """Returns the configuration; module is the .so, or empty."""
        load = "load_module %s;" % module if module else ""
        temp = "\n    ".join(
            "%s_temp_path %s/%s_temp;" % (t, self.dir, t)
            for t in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))

        with open(self.dir + "/nginx.conf", "w") as f:
            f.write(CONF.format(load=load, user=self.user, dir=self.dir,
                                temp=temp, zone=zone.format(dir=self.dir),
                                servers=servers))

    def start(self):
        with open(self.dir + "/out", "w") as out:
            self.child = subprocess.Popen(
                [NGINX, "-p", self.dir + "/", "-c", self.dir + "/nginx.conf",
                 "-e", self.dir + "/error.log"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out)

        for port in self.ports:
            self.wait(port)

        self.worker()

    def wait(self, port):
        """Waits until it listens there; it opens its sockets one by one."""
        until = time.monotonic() + STARTING

        while self.child.poll() is None and time.monotonic() < until:
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)

        with open(self.dir + "/out") as f:
            sys.exit("speed: nginx did not start: " + f.read())

    def stop(self):
        if self.child is None:
            return

        self.child.terminate()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

        self.child = None

    def purge(self):
        """Empties its proxy_cache; it must be stopped."""
        shutil.rmtree(self.dir + "/cache", ignore_errors=True)

    def worker(self):
        """Returns the worker's directory in /proc; a new worker needs a moment
        to set its name."""
        for _ in range(100):
            with open("/proc/%d/task/%d/children"
                      % (self.child.pid, self.child.pid)) as f:
                pids = f.read().split()

            for pid in pids:
                with contextlib.suppress(OSError):
                    with open("/proc/%s/cmdline" % pid) as f:
                        if "worker process" in f.read():
                            return "/proc/" + pid

            time.sleep(0.05)

        sys.exit("speed: nginx has no worker")

    def cpu(self):
        with open(self.worker() + "/schedstat") as f:
            return int(f.read().split()[0]) / 1e9

    def memory(self):
        """Returns the worker's private memory, without shared memory and
        files."""
        with open(self.worker() + "/status") as f:
            for line in f:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) * 1024


@contextlib.contextmanager
def apart(*servers):
    """Puts all workers on one processor and clients on another, if there are
    two."""
    whole = os.sched_getaffinity(0)
    pids = [int(os.path.basename(s.worker())) for s in servers]

    if len(whole) > 1:
        first, second = sorted(whole)[:2]
        for pid in pids:
            os.sched_setaffinity(pid, {first})
        os.sched_setaffinity(0, {second})

    try:
        yield
    finally:
        os.sched_setaffinity(0, whole)
        for pid in pids:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(pid, whole)


class Nginx(Server):
    """One of the two."""

    def __init__(self, name, work, module, ports, pages, slow):
        super().__init__(name, work, [
            port for (variant, _), port in ports.items()
            if VARIANTS[variant][0] == name])
        sites = list({p.host: p for p in pages}.values())
        for p in sites:
            p.link(work)
        status = STATUS if name == "module" else ""
        servers = "".join(
            SERVER.format(port=port, host=p.host, path=p.path, work=work,
                          variant=("" if source == "cached"
                                   else VARIANTS[variant][1]),
                          sndbuf=(" sndbuf=16k" if "stuck" in source
                                  and p is sites[0] else ""),
                          status=status.format(host=p.host),
                          source=SOURCES[source].format(
                              root=p.root, slow=slow,
                              own=ports[variant, "file"],
                              origin=ports["plain", "file"],
                              zipped=ports["gzip 1", "file"]))
            for (variant, source), port in ports.items()
            if VARIANTS[variant][0] == name for p in sites)

        if name == "module":
            self.write(module, ZONE, servers)
        else:
            self.write("", "", servers)


def request(uri, fields):
    return ("GET %s HTTP/1.1\r\n%s\r\n" % (uri, "".join(
        "%s: %s\r\n" % f for f in fields.items()))).encode()


def connect(port):
    s = socket.create_connection(("127.0.0.1", port), 30)
    s.setblocking(False)

    return s


def receive(s):
    """A generator that returns the bytes that came next.

    A client that sleeps until then would be woken by the worker, at a cost to
    it that no client has which is on another machine, and that only those
    responses have which take longer than the client takes for one.
    """
    until = time.monotonic() + 30

    while time.monotonic() < until:
        try:
            return s.recv(1 << 16)
        except BlockingIOError:
            os.sched_yield()
            yield

    return b""


class Burst:
    """Clients that request one page again and again, all at the same time."""

    def __init__(self, port, uri, fields):
        self.request = request(uri, fields)
        self.sockets = [connect(port) for _ in range(CLIENTS)]

    def close(self):
        for s in self.sockets:
            s.close()

    def run(self, times):
        for _ in range(times):
            for s in self.sockets:
                s.sendall(self.request)
            self.answers(self.sockets)

    @classmethod
    def answers(cls, sockets):
        """One from each, read side by side, as several clients would: while
        one is read alone, the others pile up in the kernel, and the worker
        pays for that.
        """
        waiting = [cls.answer(s) for s in sockets]

        while waiting:
            waiting = [a for a in waiting if next(a, a) is None]

    @staticmethod
    def answer(s):
        data = bytearray()
        end = None          # of what is known of the response
        last = False

        while end is None or len(data) < end or not last:
            more = yield from receive(s)
            if not more:
                sys.exit("speed: nginx closed the connection")
            data += more

            if end is None:
                head = data.find(b"\r\n\r\n")
                if head < 0:
                    continue
                end = head + 4
                length = LENGTH.search(data, 0, end)
                if length:
                    end += int(length.group(1))
                    last = True

            while not last:
                line = data.find(b"\r\n", end)
                if line < 0:
                    break
                size = int(data[end:line], 16)
                end = line + 4 + size
                last = size == 0

        if not data.startswith(b"HTTP/1.1 200") or len(data) > end:
            sys.exit("speed: not a response: " + data[:80].decode("latin1"))


class Slow(threading.Thread):
    """An origin that sends its pages in pieces, with pauses between."""

    def __init__(self, pages):
        super().__init__(daemon=True)
        self.bodies = {(p.host, p.uri): p.body for p in pages}
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def run(self):
        while True:
            try:
                conn, _ = self.socket.accept()
            except OSError:
                return

            with conn, contextlib.suppress(OSError, KeyError):
                self.answer(conn)

    def answer(self, conn):
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = b""

        while b"\r\n\r\n" not in head:
            more = conn.recv(4096)
            if not more:
                return
            head += more

        uri = head.split()[1].decode()
        host = re.search(rb"\r\nHost: (\S+)", head).group(1).decode()
        body = self.bodies[host, uri]
        piece = len(body) // PIECES + 1

        conn.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n"
                     b"Content-Length: %d\r\n\r\n" % len(body))

        for off in range(0, len(body), piece):
            time.sleep(PAUSE)
            conn.sendall(body[off:off + piece])
