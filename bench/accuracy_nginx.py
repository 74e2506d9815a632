# Copyright (C) The detemplate authors
"""Runs the sites of a corpus behind one nginx, the module in another one, and
a client that requests pages."""

import concurrent.futures
import http.client
import json
import os
import pwd
import random
import re
import signal
import socket
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAIT = 60
BURST = 8  # clients at once

ORIGIN = """
{user}
daemon off;
worker_processes 1;
pid {dir}/pid;
error_log {dir}/error.log;
events {{ }}
http {{
    {temp}
    types {{ }}
    default_type text/html;
    charset off;
    absolute_redirect off;
    server_names_hash_bucket_size 128;
    log_format learner $http_user_agent;
    {servers}
}}
"""

ORIGIN_SERVER = """
    server {{
        listen {address}:{port};
        server_name {host};
        access_log {dir}/{id}.log learner;
        location {location} }}
    }}
"""

FRONT = """
load_module {module};
{user}
daemon off;
worker_processes 1;
pid {dir}/pid;
error_log {dir}/error.log info;
events {{ }}
http {{
    {temp}
    access_log off;
    server_names_hash_bucket_size 128;
    keepalive_requests 100000;
    map $http_bench_mode $mode {{
        annotate  annotate;
        default   strip;
    }}
    detemplate $mode;
    detemplate_zone bench:64m;
    detemplate_path {dir}/templates;
    detemplate_wait {wait};
    detemplate_cut {cut};
    {program}
    {servers}
}}
"""

FRONT_SERVER = """
    server {{
        listen {address}:{port};
        server_name {host};
        detemplate_site {id};
        location / {{
            proxy_pass http://{address}:{origin};
            proxy_set_header Host $host;
        }}
        location = /detemplate-status {{ detemplate_status; }}
    }}
"""


class Servers:
    """Runs the two nginxes, which are stopped by their process ids on exit."""

    def __init__(self, sites, work, wait="0", program=None, cut="bold"):
        self.sites = sites
        self.wait = wait
        self.cut = cut
        self.work = work
        self.program = ("detemplate_program %s;" % program if program
                        else "")
        self.children = []
        self.origin, self.front = free_ports(2)

    def __enter__(self):
        try:
            self.start("origin", ORIGIN, ORIGIN_SERVER, self.origin)
            self.start("front", FRONT, FRONT_SERVER, self.front)
        except BaseException:
            self.__exit__()
            raise

        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def location(self, site):
        """Returns the origin's location.  It finds the files that simulate
        finds: names may have a query, and links often no extension."""
        return ('%s { rewrite "^%s(.*)$" "/$1" break; root "%s"; try_files '
                '$uri$is_args$args $uri $uri/index.html $uri.html =404;' % (
                    site.path, re.escape(site.path), site.pages_dir))

    def start(self, name, conf, server, port):
        d = os.path.join(self.work, name)
        user = ""
        os.mkdir(d)

        if os.getuid() == 0:
            owner = pwd.getpwnam("www-data")
            user = "user %s;" % owner.pw_name
            os.chown(d, owner.pw_uid, owner.pw_gid)

        nginx = os.environ.get("TEST_NGINX_BINARY", "/usr/sbin/nginx")
        module = os.environ.get("TEST_NGINX_MODULE", os.path.join(
            TOP, "build", "ngx_http_detemplate_filter_module.so"))

        if not os.path.exists(module):
            sys.exit("accuracy: %s is not here: run make" % module)

        servers = "".join(
            server.format(address=s.address, port=port, host=s.host, id=s.id,
                          location=self.location(s), dir=d,
                          origin=self.origin) for s in self.sites)
        temp = "\n    ".join(
            "%s_temp_path %s/%s_temp;" % (t, d, t)
            for t in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))

        file = os.path.join(d, "nginx.conf")
        with open(file, "w") as f:
            f.write(conf.format(user=user, dir=d, module=module, temp=temp,
                                program=self.program, servers=servers,
                                wait=self.wait, cut=self.cut))

        log = os.path.join(d, "error.log")
        with open(os.path.join(d, "out"), "w") as out:
            child = subprocess.Popen(
                [nginx, "-p", d + "/", "-c", file, "-e", log],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out)

        self.children.append(child)

        for _ in range(100):
            if child.poll() is not None:
                break
            with socket.socket() as s:
                if s.connect_ex((self.sites[-1].address, port)) == 0:
                    return
            time.sleep(0.1)

        with open(os.path.join(d, "out")) as f:
            sys.exit("accuracy: %s did not start: %s" % (name, f.read()))


def free_ports(n):
    held = [socket.socket() for _ in range(n)]
    for s in held:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()

    return ports


class Client:
    """A client with one connection, so that the log phase of a response ends
    before the next request begins."""

    def __init__(self, site, port):
        self.site = site
        self.conn = http.client.HTTPConnection(site.address, port, timeout=30)
        self.field = self.body = None

    def get(self, uri, mode="strip"):
        self.conn.request("GET", uri, headers={"Host": self.site.host,
                                               "Bench-Mode": mode})
        answer = self.conn.getresponse()
        self.field = answer.getheader("Detemplate", "")
        self.body = answer.read()

        return answer.status, self.body

    def page(self, page, mode="strip"):
        status, body = self.get(self.site.uri(page), mode)
        if status != 200:
            sys.exit("accuracy: %s/%s: status %d"
                     % (self.site.id, page, status))

        return body

    def state(self):
        status, body = self.get("/detemplate-status?format=json")
        if status != 200:
            sys.exit("accuracy: detemplate-status: %d" % status)

        return json.loads(body)

    def settle(self):
        """Waits until no job is queued or running."""
        until = time.monotonic() + WAIT

        while True:
            state = self.state()
            learning = state["learning"]
            if learning["queued"] + learning["running"] == 0:
                return state
            if time.monotonic() > until:
                sys.exit("accuracy: %s: still learning after %d s"
                         % (self.site.id, WAIT))
            time.sleep(0.02)


def burst(site, port, pages):
    """Requests all pages at once."""
    clients = [Client(site, port) for _ in range(BURST)]

    def some(i):
        for page in pages[i::BURST]:
            clients[i].page(page)
        clients[i].conn.close()

    with concurrent.futures.ThreadPoolExecutor(BURST) as pool:
        list(pool.map(some, range(BURST)))


def visit(site, client, port, visits):
    """Requests the first key page, then all pages twice."""
    pages = list(site.pages)
    start = time.monotonic()

    if visits == "random":
        random.Random(site.id).shuffle(pages)

    key = site.key if visits == "one" else pages[0]

    if visits == "burst":
        burst(site, port, pages)
    else:
        client.page(key)

    client.settle()
    site.row["first"] = time.monotonic() - start

    for _ in range(2):
        if visits == "burst":
            burst(site, port, pages)
            client.settle()

        else:
            for page in pages:
                client.page(page)
                client.settle()


def measure(site, servers, out, visits):
    client = Client(site, servers.front)

    start = time.monotonic()
    done = client.state()["learning"]["done"]
    visit(site, client, servers.front, visits)

    for mode in ("strip", "annotate"):
        for page in site.pages:
            body = client.page(page, mode)
            file = os.path.join(out, mode, site.id, page)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as f:
                f.write(body)

    state = client.settle()
    client.conn.close()

    site.row.update(template=0, loads=0)

    for about in state["sites"]:
        if about["site"] == site.id:
            site.row["template"] = about["bytes"]
            site.row["loads"] = about["loads"]

    site.row["learnings"] = state["learning"]["done"] - done
    site.row["seconds"] = time.monotonic() - start

    with open(os.path.join(servers.work, "origin", site.id + ".log")) as f:
        site.row["asked"] = sum(line.startswith("detemplate") for line in f)
