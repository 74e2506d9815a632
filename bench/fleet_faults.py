# Copyright (C) The detemplate authors
"""The faults of a fleet: each is caused while two machines are asked for
pages and learn sites, and then it is seen whether all is right again."""

import multiprocessing
import os
import signal
import statistics
import subprocess
import time

from fleet_servers import Machine, Redis, until
from soak_servers import free_ports

LINK = b"detemplate\0link"
RATE = 400     # requests a second
BEFORE, DURING = [], []     # times of all faults


class Load(multiprocessing.Process):
    """Asks for one page RATE times a second, and keeps the times; five times
    a second for one of a site that is new.  It is a process, and leaves the
    processors time, so that it measures nginx and not itself."""

    def __init__(self, machine, host):
        super().__init__(daemon=True)
        self.machine, self.host = machine, host
        self.end = multiprocessing.Event()
        self.here, self.there = multiprocessing.Pipe(False)
        self.start()

    def run(self):
        begin = time.monotonic()
        times, failed, new = [], 0, 0
        while not self.end.is_set():
            time.sleep(max(0, begin + len(times) / RATE - time.monotonic()))
            at = time.monotonic()
            failed += not self.machine.hit(self.host)
            times.append(time.monotonic() - at)
            if at > begin + new / 5:
                self.machine.get(f"{new}.{os.getpid()}.test")
                new += 1
        self.there.send((times, failed))

    def stop(self):
        """Returns the times of its requests, and how many failed."""
        self.end.set()
        found = self.here.recv()
        self.join()

        return found


def p99(times):
    """In milliseconds."""
    return sorted(times)[len(times) * 99 // 100] * 1000


class Fleet:
    """Two machines with one Redis; the first is under load."""

    def __init__(self, folder, pages, url, options):
        self.machines = [Machine(f"{folder}/m{i}", pages, url,
                                 options="timeout=200ms " + options)
                         for i in range(2)]
        self.first, self.second = self.machines
        self.rights = 0
        assert until(lambda: all([m.hit("faults.test")
                                  for m in self.machines])), "not learned"
        assert self.right(), "no fleet"

    def right(self, seconds=30):
        """Waits until one machine takes what the other has learned."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            host = f"right{self.rights}.test"
            self.rights += 1
            if until(lambda h=host: self.first.hit(h), 10) \
                    and until(lambda h=host: self.second.hit(h), 1) \
                    and self.second.source(host) == "redis":
                return True

        return False

    def during(self, name, act):
        load = Load(self.first, "faults.test")
        self.busy(15)
        usual, _ = load.stop()
        load = Load(self.first, "faults.test")
        act()
        back = time.monotonic()
        right = self.right()
        took = time.monotonic() - back
        self.busy(10 - took)
        times, failed = load.stop()
        BEFORE.extend(usual)
        DURING.extend(times)
        print(f"faults, {name}: {failed} of {len(times)} requests failed, p99 "
              f"{p99(times):.2f} ms ({p99(usual):.2f} before), "
              + (f"right after {took:.1f} s" if right else "NOT right again"),
              flush=True)

    def busy(self, seconds):
        """Lets the second machine take what the first learns."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.right()
            time.sleep(1)

    def descriptors(self):
        until(lambda: not self.first.children(b"learner"))

        return [len(os.listdir(f"/proc/{pid}/fd"))
                for what in (LINK, b"cache manager")
                for pid in self.first.children(what)]

    def stop(self):
        links = [p for m in self.machines for p in m.children(LINK)]
        for m in self.machines:
            m.stop()
        left = [p for p in links
                if not until(lambda p=p: not os.path.exists(f"/proc/{p}"), 5)]
        print(f"faults: {len(left)} processes left")


def kill(fleet, what):
    for pid in fleet.first.children(what):
        os.kill(pid, signal.SIGKILL)


def one_server(folder, pages):
    """One server, with TLS and a password."""
    certify(folder)
    write(f"{folder}/password", "first")
    port, = free_ports(1)
    redis = Redis(folder, "--tls-port", str(port), "--tls-auth-clients", "no",
                  "--tls-ca-cert-file", f"{folder}/ca.pem", "--tls-cert-file",
                  f"{folder}/good.pem", "--tls-key-file", f"{folder}/key",
                  password="first")
    fleet = Fleet(folder, pages, f"rediss://127.0.0.1:{port}/0",
                  f"ca={folder}/ca.pem password_file={folder}/password")
    held = fleet.descriptors()

    def hang_up():
        redis.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    def restart():
        redis.stop()
        time.sleep(3)
        redis.start()

    def pause():
        redis.process.send_signal(signal.SIGSTOP)
        time.sleep(30)
        redis.process.send_signal(signal.SIGCONT)

    def close():
        for _ in range(50):
            hang_up()
            time.sleep(0.05)

    def fill():
        redis.cli("CONFIG", "SET", "maxmemory", "1")
        time.sleep(5)
        redis.cli("CONFIG", "SET", "maxmemory", "0")

    def replace(*command):
        def act():
            key = "dt:{faults.test}:template"
            redis.cli("DEL", key)
            redis.cli(command[0], key, *command[1:])
            redis.cli("XADD", "dt:events", "*", "site", "faults.test",
                      "version", "9", "learned_at", str(int(time.time())))
            time.sleep(3)

        return act

    def expire():
        redis.cli("CONFIG", "SET", "tls-cert-file", f"{folder}/expired.pem")
        hang_up()
        time.sleep(5)
        redis.cli("CONFIG", "SET", "tls-cert-file", f"{folder}/good.pem")

    def rotate():
        redis.cli("CONFIG", "SET", "requirepass", "second")
        redis.password = "second"
        hang_up()
        time.sleep(5)
        write(f"{folder}/password", "second")

    for name, act in (
            ("Redis killed", restart),
            ("Redis stopped for 30 s", pause),
            ("connections closed 50 times", close),
            ("memory of Redis full", fill),
            ("template is garbage", replace("SET", "garbage")),
            ("template is a list", replace("RPUSH", "garbage")),
            ("template of 500 MB", replace("SETRANGE", str(500 << 20), "x")),
            ("certificate expired", expire),
            ("password changed", rotate),
            ("link killed", lambda: kill(fleet, LINK)),
            ("manager killed", lambda: kill(fleet, b"cache manager"))):
        fleet.during(name, act)

    print(f"faults: descriptors of link and manager {fleet.descriptors()}, "
          f"{held} at first")
    fleet.stop()
    redis.stop()


def sentinel(folder, pages):
    """A server with a replica; the server is killed."""
    first = Redis(folder)
    second = Redis(folder, "--replicaof", f"127.0.0.1 {first.port}",
                   "--repl-diskless-sync-delay", "0")
    until(lambda: b"state=online" in first.cli("INFO", "replication"))
    watch = Redis(folder, sentinel=f"""
sentinel monitor fleet 127.0.0.1 {first.port} 1
sentinel down-after-milliseconds fleet 1000
sentinel failover-timeout fleet 3000
""")
    until(lambda: b"num-slaves\n1\n" in watch.cli("SENTINEL", "MASTER",
                                                   "fleet"))
    fleet = Fleet(folder, pages,
                  f"redis+sentinel://127.0.0.1:{watch.port}/fleet/0", "")

    def fail():
        first.stop()

        # who asks the new master itself is disconnected by Sentinel
        assert until(lambda: b"%d" % second.port in watch.cli(
            "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "fleet")), "no failover"

    fleet.during("failover by Sentinel", fail)
    fleet.stop()
    second.stop()
    watch.stop()


def cluster(folder, pages):
    """Three masters; slots move while sites are learned."""
    nodes = [Redis(folder, "--cluster-enabled", "yes", "--cluster-port",
                   str(port)) for port in free_ports(3)]

    def manage(*args):
        subprocess.run(["redis-cli", "--cluster", *args, "--cluster-yes"],
                       stdout=subprocess.DEVNULL, check=True)

    manage("create", *(f"127.0.0.1:{n.port}" for n in nodes))
    assert until(lambda: all(b"cluster_state:ok" in n.cli("CLUSTER", "INFO")
                             for n in nodes)), "no cluster"
    fleet = Fleet(folder, pages, nodes[0].url, "")
    ids = [n.cli("CLUSTER", "MYID").decode().strip() for n in nodes]

    def move():
        manage("reshard", f"127.0.0.1:{nodes[0].port}", "--cluster-from",
               ids[0], "--cluster-to", ids[1], "--cluster-slots", "2000")

    fleet.during("2,000 slots of a cluster moved", move)
    fleet.stop()
    for n in nodes:
        n.stop()


def certify(folder):
    """Makes an authority, and certificates that are sound and expired."""

    def run(*args):
        subprocess.run(["openssl", *args], stderr=subprocess.DEVNULL,
                       check=True)

    run("req", "-x509", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=fleet",
        "-keyout", f"{folder}/key", "-out", f"{folder}/ca.pem")
    run("req", "-new", "-key", f"{folder}/key", "-subj", "/CN=redis",
        "-addext", "subjectAltName=IP:127.0.0.1", "-out", f"{folder}/csr")
    for name, days in ("good", "9"), ("expired", "0"):
        run("x509", "-req", "-in", f"{folder}/csr", "-CA", f"{folder}/ca.pem",
            "-CAkey", f"{folder}/key", "-CAcreateserial", "-copy_extensions",
            "copy", "-days", days, "-out", f"{folder}/{name}.pem")


def write(name, text):
    with open(f"{name}.new", "w", encoding="utf-8") as f:
        f.write(text)
    os.rename(f"{name}.new", name)


def faults(folder, pages):
    for run in one_server, sentinel, cluster:
        home = f"{folder}/{run.__name__}"
        os.makedirs(home)
        os.chmod(home, 0o755)
        run(home, pages)

    print(f"faults: p99 of all of them {p99(DURING):.2f} ms "
          f"({p99(BEFORE):.2f} before), half of the requests took "
          f"{statistics.median(DURING) * 1000:.2f} ms "
          f"({statistics.median(BEFORE) * 1000:.2f})")
