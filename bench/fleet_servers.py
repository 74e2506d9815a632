# Copyright (C) The detemplate authors
"""The servers of a fleet: nginx with the module, and Redis, on free ports of
the loopback, each in a folder of its own, stopped by process id."""

import glob
import hashlib
import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request

from soak_servers import free_ports, reachable

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(TOP, "build"))
MODULE = os.path.join(BUILD, "ngx_http_detemplate_filter_module.so")
NGINX = os.environ.get("TEST_NGINX_BINARY", "/usr/sbin/nginx")
PAGES = 8
DELAY = float(os.environ.get("DELAY", 0.075))   # seconds, each way
RUNNING = set()

CONF = """
load_module {module};
worker_processes 1;
daemon off;
pid {dir}/nginx.pid;
error_log {dir}/error.log notice;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {dir}/client_temp;
    proxy_temp_path {dir}/proxy_temp;
    fastcgi_temp_path {dir}/fastcgi_temp;
    uwsgi_temp_path {dir}/uwsgi_temp;
    scgi_temp_path {dir}/scgi_temp;
    types {{ text/html html; }}
    default_type text/html;
    detemplate_zone fleet:{zone};
    detemplate_path {dir}/templates max_size=4g;
    detemplate_redis {redis} {options};
    detemplate_learners {learners};
    detemplate strip;
    server {{
        listen 127.0.0.1:{port};
        server_name any.test;
        detemplate_site $host;
        root {pages};
        location = /status {{ detemplate off; detemplate_status; }}
    }}
}}
"""

PAGE = """<!DOCTYPE html>
<html><head><title>Page {n}</title></head><body>
<header><h1>The almanac of everything</h1><nav><ul>{links}</ul></nav></header>
<main><h2>Chapter {n}</h2>{text}</main>
<aside><h3>Read more</h3><p>Letters to the editor, the archive of all years
and the calendar of the season.</p></aside>
<footer><p>Printed by the almanac society, all rights reserved, since the
first winter of the old calendar.</p></footer>
</body></html>
"""


def until(what, seconds=30):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)

    return True


def words(n, count):
    """Text that no two pages share."""
    digest = hashlib.sha256(str(n).encode()).hexdigest()
    return " ".join(f"w{digest[i % 60:i % 60 + 4]}{n}x{i}"
                    for i in range(count))


def write_pages(folder):
    links = "".join(f'<li><a href="/p{i}.html">Chapter {i} of it</a></li>'
                    for i in range(1, PAGES + 1))
    for n in range(1, PAGES + 1):
        text = "".join(f"<p>{words(n * 100 + i, 60)}</p>" for i in range(6))
        with open(f"{folder}/p{n}.html", "w", encoding="utf-8") as f:
            f.write(PAGE.format(n=n, links=links, text=text))


class Redis:
    """A server with these options, or a sentinel with this configuration."""

    def __init__(self, folder, *options, password="", sentinel=""):
        self.folder, self.options, self.sentinel = folder, options, sentinel
        self.port, = free_ports(1)
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.password = password
        self.start()

    def start(self):
        line = ["redis-server"]
        home = f"{self.folder}/redis{self.port}"
        os.makedirs(home, exist_ok=True)
        if self.sentinel:
            with open(f"{home}/conf", "w", encoding="utf-8") as f:
                f.write(self.sentinel)
            line += [f"{home}/conf", "--sentinel"]
        else:
            line += ["--save", "", "--appendonly", "no"]
        if self.password:
            line += ["--requirepass", self.password]
        RUNNING.add(self)
        self.process = subprocess.Popen(
            line + ["--port", str(self.port), "--bind", "127.0.0.1", "--dir",
                    home, *self.options], stdout=subprocess.DEVNULL)
        assert until(lambda: reachable(self.port)), "redis did not start"

    def stop(self):
        RUNNING.discard(self)
        self.process.kill()
        self.process.wait()

    def cli(self, *args):
        return subprocess.run(
            ["redis-cli", "-p", str(self.port), "--raw", *args],
            capture_output=True, check=True, env=dict(
                os.environ, REDISCLI_AUTH=self.password)).stdout

    def info(self, name):
        for line in self.cli("INFO").decode().splitlines():
            if line.startswith(name + ":"):
                return int(line.split(":")[1])

        return None


class Far:
    """A proxy to Redis that holds what it passes for DELAY."""

    def __init__(self, redis):
        self.redis = redis
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self.server.getsockname()[1]}/0"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.redis.port))
            for one, two in (near, far), (far, near):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.pipe(one, two)

    def pipe(self, one, two):
        held, ready = [], threading.Condition()

        def read():
            data = b"x"
            while data:
                try:
                    data = one.recv(1 << 16)
                except OSError:
                    data = b""
                with ready:
                    held.append((time.monotonic() + DELAY, data))
                    ready.notify()

        def write():
            data = b"x"
            while data:
                with ready:
                    while not held:
                        ready.wait()
                    at, data = held.pop(0)
                time.sleep(max(0, at - time.monotonic()))
                try:
                    two.sendall(data)
                    if not data:
                        two.shutdown(socket.SHUT_WR)
                except OSError:
                    return

        threading.Thread(target=read, daemon=True).start()
        threading.Thread(target=write, daemon=True).start()


class Machine:
    def __init__(self, folder, pages, url, learners=2, zone="64m",
                 options="timeout=200ms"):
        os.makedirs(folder)
        os.chmod(folder, 0o777)
        self.folder = folder
        self.port, = free_ports(1)
        with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as f:
            f.write(CONF.format(module=MODULE, dir=folder, zone=zone,
                                redis=url, options=options,
                                learners=learners, port=self.port,
                                pages=pages))
        self.start()

    def start(self):
        RUNNING.add(self)
        self.process = subprocess.Popen(
            [NGINX, "-p", self.folder, "-c", f"{self.folder}/nginx.conf",
             "-e", f"{self.folder}/error.log"], stderr=subprocess.DEVNULL)
        assert until(lambda: reachable(self.port)), "nginx did not start"

    def stop(self):
        RUNNING.discard(self)
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def get(self, host, path="/p3.html"):
        """The field Detemplate of the response, or None."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Host": host})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                answer.read()
                return answer.headers["Detemplate"] or ""
        except OSError:
            return None

    def hit(self, host):
        return (self.get(host) or "").startswith("hit")

    def status(self):
        url = f"http://127.0.0.1:{self.port}/status?format=json"
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)

    def metrics(self):
        """The series, without those of each site: {name: number}."""
        url = f"http://127.0.0.1:{self.port}/status?format=prometheus"
        with urllib.request.urlopen(url, timeout=30) as answer:
            lines = answer.read().decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines
                 if line[:1] not in ("", "#"))
        return {name.removeprefix("nginx_detemplate_"): float(value)
                for name, value in pairs}

    def source(self, host):
        """Where the template of a site is from."""
        return next((site["source"] for site in self.status()["sites"]
                     if site["site"] == host), None)

    def children(self, what):
        """Process ids of a kind below this nginx."""
        found = []
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path, encoding="ascii", errors="replace") as f:
                    stat = f.read().rsplit(")", 1)[1].split()
                pid = int(path.split("/")[2])
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    line = f.read()
                parents = {int(stat[1])}
                with open(f"/proc/{int(stat[1])}/stat", encoding="ascii",
                          errors="replace") as f:
                    parents.add(int(f.read().rsplit(")", 1)[1].split()[1]))
            except (OSError, IndexError):
                continue
            if self.process.pid in parents and what in line:
                found.append(pid)

        return found

    def cpu(self):
        """Seconds of the worker's processor time."""
        ticks = 0
        for pid in self.children(b"worker process"):
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                stat = f.read().rsplit(")", 1)[1].split()
            ticks += int(stat[11]) + int(stat[12])

        return ticks / os.sysconf("SC_CLK_TCK")
